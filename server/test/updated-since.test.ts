// `updated_since` on every list that has it.
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp } from './support/app.ts'
import { demoApp } from './support/demo.ts'

let app: TestApp
beforeAll(async () => {
  app = await demoApp()
})

interface Listed {
  readonly id: string
  readonly updated_at: string
}

describe.each(['teammates', 'emails', 'signatures', 'installations'])('the list of %s', noun => {
  const listed = async (query: string): Promise<Listed[]> => {
    const { status, body } = await app.get(`/v1/${noun}?limit=100&${query}`)
    expect(status, query).toBe(200)
    expect(body.pagination.total_count, query).toBe(body.data.length)
    return body.data
  }
  const setUpdate = (id: string, moment: string) =>
    app.db.query(sql`update ${table()} set updated_at = ${moment} where id = ${id}`)
  const table = () =>
    ({ teammates: sql`teammates`, emails: sql`emails`, signatures: sql`signatures` })[noun] ??
    sql`installations`

  it('has only records that changed at or after the moment', async () => {
    const all = await listed('')
    const [first, second] = [all.at(-1)!, all.at(-2) ?? all.at(-1)!]
    await setUpdate(first.id, '2090-01-01T10:00:00.250Z')
    await setUpdate(second.id, '2090-01-02T00:00:00Z')
    const changed = new Set([first.id, second.id])
    const ids = async (moment: string) =>
      new Set((await listed(`updated_since=${moment}`)).map(row => row.id))
    for (const early of ['2000-01-01', '0000-01-01'])
      expect(await ids(early)).toEqual(new Set(all.map(row => row.id)))
    expect(await ids('2090-01-01')).toEqual(changed)
    expect(await ids('2090-01-01T10:00:00.250Z')).toEqual(changed)
    expect(await ids('2090-01-01T11:00:00.250%2B01:00')).toEqual(changed)
    expect(await ids('2090-01-01T10:00:00.251Z')).toEqual(new Set([second.id]))
    for (const late of ['2090-01-03', '9999-12-31T23:59:59-01:00']) expect(await ids(late)).toEqual(new Set())
  })

  it('names a moment that is none', async () => {
    const refused = await app.get(`/v1/${noun}?updated_since=yesterday`)
    expect([refused.status, fieldErrors(refused)]).toEqual([422, { updated_since: 'invalid' }])
  })
})

it('the changes of a large workspace are found by an index', async () => {
  await app.db.query(sql`
    insert into teammates (workspace_id, id, source, created_at, updated_at)
    select ${app.id}, gen_random_uuid(), 'manual', now(), now() - n * interval '1 minute' from generate_series(1, 20000) n`)
  await app.db.query(sql`analyze teammates`)
  const plan = await app.db.query(sql`
    explain select id from teammates
    where workspace_id = ${app.id} and deleted_at is null and updated_at >= now() - interval '1 hour'`)
  expect(JSON.stringify(plan)).toContain('teammates_by_update')
})
