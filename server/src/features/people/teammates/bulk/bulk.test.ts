import { beforeAll, describe, expect, it } from 'vitest'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { lockWaits } from '#test/support/postgres/lock-waits.ts'
import { unknownId } from '#test/support/world.ts'

let app: TestApp
const ids: string[] = []
beforeAll(async () => {
  app = await testApp()
  for (const [n, department] of ['Sales', 'Sales', 'Legal', null].entries()) {
    const smart_fields = [{ smart_field: 'department', value: department }]
    const teammate = { email: `p${n}@example.com`, smart_fields }
    ids.push((await app.post('/v1/teammates', { teammate })).body.data.id)
  }
})

const patch = (teammates: object, key?: string) =>
  app.patch('/v1/teammates', { teammates }, key === undefined ? {} : { key })
const company = (value: string | null) => ({ smart_fields: [{ smart_field: 'company', value }] })
const inSales = { smart_field: 'department', smart_field_value: 'sales' }
const companies = async () =>
  (await app.get('/v1/teammates?sort=created_at')).body.data.map(
    (row: { smart_fields: { label: string; value: string | null }[] }) =>
      row.smart_fields.find(({ label }) => label === 'Company')?.value,
  )
const entries = async () =>
  (await app.get('/v1/audit_log?action=teammate.updated')).body.pagination.total_count

describe('a change of many teammates', () => {
  it('says first what it would do, and then does it for exactly these people', async () => {
    const change = { filter: inSales, changes: company('Example Ltd') }
    const dry = await patch({ ...change, dry_run: true })
    expect(dry.body.data).toMatchObject({ dry_run: true, matched: 2, changed: 2, unchanged: 0, failed: [] })
    expect(await companies()).toEqual([null, null, null, null])
    const { token } = dry.body.data
    const done = await patch({ ...change, token })
    expect([done.status, done.body.data.changed]).toEqual([200, 2])
    expect(await companies()).toEqual(['Example Ltd', 'Example Ltd', null, null])
    expect(await entries()).toBe(2)
    expect((await patch({ ...change, token })).body.data).toMatchObject({ changed: 0, unchanged: 2 })
    expect(await entries()).toBe(2)
  })

  it('by filter needs the token, and is refused when the filter finds other people meanwhile', async () => {
    const change = { filter: inSales, changes: company('Other Ltd') }
    expect(fieldErrors(await patch(change))).toEqual({ token: 'missing' })
    const { token } = (await patch({ ...change, dry_run: true })).body.data
    const join = (value: string) =>
      app.patch(`/v1/teammates/${ids[2]}`, {
        teammate: { smart_fields: [{ smart_field: 'department', value }] },
      })
    await join('Sales')
    const refused = await patch({ ...change, token })
    expect([refused.status, refused.body.error.code]).toEqual([412, 'stale_resource'])
    expect(await companies()).toEqual(['Example Ltd', 'Example Ltd', null, null])
    await join('Legal')
  })

  it('by ids names those who are unknown, and changes the others', async () => {
    const other = await app.workspace('Other')
    const { data } = (await patch({ ids: [ids[0], ids[3], unknownId], changes: company(null) })).body
    expect(data).toMatchObject({ matched: 3, changed: 1, unchanged: 1, failed_count: 1 })
    expect(data.failed[0]).toMatchObject({ teammate_id: unknownId, details: [{ code: 'unknown_reference' }] })
    expect(await companies()).toEqual([null, 'Example Ltd', null, null])
    const foreign = await patch({ ids, changes: { smart_fields: [] } }, other.key)
    expect(foreign.body.data).toMatchObject({ matched: 4, failed_count: 4, changed: 0 })
  })

  it('names every field that is wrong', async () => {
    const changes = (smart_field: string, value: string) => ({ smart_fields: [{ smart_field, value }] })
    const wrong: [object, object][] = [
      [{ changes: company('x') }, { ids: 'missing' }],
      [{ ids, filter: {}, changes: company('x') }, { filter: 'invalid' }],
      [
        { ids, changes: changes('nothing', 'x') },
        { 'changes.smart_fields[0].smart_field': 'unknown_reference' },
      ],
      [{ ids, changes: changes('calendar_link', 'no link') }, { 'changes.smart_fields[0].value': 'invalid' }],
      [
        { ids, changes: changes('profile_picture', unknownId) },
        { 'changes.smart_fields[0].value': 'invalid' },
      ],
      [{ filter: { department: 'x' }, changes: company('x') }, { 'filter.department': 'unknown_property' }],
    ]
    for (const [body, expected] of wrong)
      expect(fieldErrors(await patch(body)), JSON.stringify(body)).toEqual(expected)
    const computed = await patch({ ids, changes: changes('email', 'a@example.com') })
    expect(computed.body).toMatchObject({
      data: { changed: 0 },
      ignored: [{ field: 'changes.smart_fields[0]', code: 'computed' }],
    })
  })

  it('of more than 1,000 people is done by a job, whose progress can be read', async () => {
    const { id, key } = await app.workspace('Many')
    const rows = Array.from({ length: 1_100 }, newRow)
    await app.db.query(sql`
      insert into teammates (workspace_id, id, source, created_at, updated_at)
      select ${id}::uuid, t.id, 'manual', now(), now() from unnest(${rows.map(row => row.id)}::uuid[]) as t (id)`)
    await app.db.query(sql`analyze teammates`)
    const change = { filter: { missing_smart_field: 'company' }, changes: company('Example Ltd') }
    const { token } = (await patch({ ...change, dry_run: true }, key)).body.data
    const taken = await patch({ ...change, token }, key)
    expect([taken.status, taken.body.data.status, taken.body.data.matched]).toEqual([202, 'pending', 1_100])
    await app.db.query(sql`
      update teammates set deleted_at = now() where workspace_id = ${id} and id = ${rows[1_050]?.id}`)
    await runAllJobs(app)
    const { data } = (await app.get(taken.headers.location!, { key })).body
    expect(data).toMatchObject({ status: 'done', processed: 1_100, changed: 1_099, missing: 1, unchanged: 0 })
    const [stored] = await app.db.query<{ values: number; entries: number }>(sql`
      select (select count(*)::int from smart_field_values where workspace_id = ${id} and value = 'Example Ltd') as values,
        (select count(*)::int from audit_log where workspace_id = ${id} and action = 'teammate.updated'
          and request_id = ${taken.headers['x-request-id']}) as entries`)
    expect(stored).toEqual({ values: 1_099, entries: 1_099 })
    expect((await app.get(taken.headers.location!)).status).toBe(404)
  })

  it('waits for its job at most ten times, while small changes and those without effect are done', async () => {
    const { id, key } = await app.workspace('Waiting changes')
    const rows = Array.from({ length: 1_100 }, newRow)
    await app.db.query(sql`
      insert into teammates (workspace_id, id, source, created_at, updated_at)
      select ${id}::uuid, t.id, 'manual', now(), now() from unnest(${rows.map(row => row.id)}::uuid[]) as t (id)`)
    const change = { filter: {}, changes: company('Example Ltd') }
    const { token } = (await patch({ ...change, dry_run: true }, key)).body.data
    await app.db.query(sql`
      insert into teammate_changes (workspace_id, id, status, smart_fields, ids, matched, via, created_at, updated_at)
      select ${id}::uuid, gen_random_uuid(), 'pending', '[]', '{}', 0, 'api', now(), now() from generate_series(1, 8)`)
    const sent = await Promise.all(Array.from({ length: 5 }, () => patch({ ...change, token }, key)))
    expect(sent.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429, 429])
    const refused = sent.find(({ status }) => status === 429)
    expect([refused?.body.error.code, refused?.headers['retry-after']]).toEqual(['rate_limited', '30'])
    const small = await patch({ ids: [rows[0]?.id], changes: company('Small Ltd') }, key)
    expect([small.status, small.body.data.changed]).toEqual([200, 1])
    const none = await patch(
      { ...change, changes: { smart_fields: [{ smart_field: 'department', value: null }] }, token },
      key,
    )
    expect([none.status, none.body.data]).toMatchObject([200, { changed: 0, unchanged: 1_100 }])
  })

  it('leaves the database to other workspaces, however many dry runs are sent', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const { promise: isLocked, resolve: onLocked } = Promise.withResolvers<void>()
    const held = app.db.transaction(async tx => {
      await tx.query(sql`lock table smart_field_values in access exclusive mode`)
      onLocked()
      await isReleased
    })
    await isLocked
    const dryRun = () => patch({ filter: {}, changes: company('x'), dry_run: true })
    const sent = Array.from({ length: 13 }, dryRun)
    const first = await Promise.race(sent)
    expect([first.status, first.headers['retry-after']]).toEqual([503, '2'])
    expect(await lockWaits(app.db)).toBeLessThan(3)
    expect((await app.get('/v1/workspace', { key: app.other.key })).status).toBe(200)
    release()
    await Promise.all([held, ...sent])
  })
})
