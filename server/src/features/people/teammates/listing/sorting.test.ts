import { beforeAll, describe, expect, it } from 'vitest'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { type FieldIds, fieldIds, unknownId } from '#test/support/world.ts'
import { selectedTeammates } from '../selection/queries.ts'

let app: TestApp
let fields: FieldIds

interface Person {
  readonly id: string
  readonly email: string
  readonly active: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly smart_fields: readonly { readonly smart_field_id: string; readonly value: string | null }[]
}

const people = [
  ['zoe@example.com', 'Zoë', 'Adams', 'Sales'],
  ['anna2@example.com', 'anna', 'Zuse', 'Legal'],
  ['erik@example.com', 'Érik', 'Borg', null],
  ['anna1@example.com', 'Anna', 'Berg', 'Sales'],
  ['noname@example.com', null, null, 'Äpfel'],
  ['eric@example.com', 'Eric', null, null],
  ['alone@example.com', null, null, null],
] as const

beforeAll(async () => {
  app = await testApp()
  fields = await fieldIds(app)
  for (const [email, first_name, last_name, department] of people) {
    const values = Object.entries({ first_name, last_name, department })
    const smart_fields = values.map(([smart_field, value]) => ({ smart_field, value }))
    await app.post('/v1/teammates', { teammate: { email, smart_fields } })
  }
})

const listed = async (query: string): Promise<Person[]> => {
  const answer = await app.get(`/v1/teammates?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const names = async (query: string) => (await listed(query)).map(({ email }) => email.split('@')[0])

describe('the order of teammates', () => {
  it('is that of a dictionary for names, with people without a name last in both directions', async () => {
    const named = ['anna1', 'anna2', 'eric', 'erik', 'zoe']
    expect(await names('sort=name')).toEqual([...named, 'noname', 'alone'])
    expect(await names('sort=-name')).toEqual([...named.toReversed(), 'alone', 'noname'])
  })

  it('follows a name that changes', async () => {
    const zoe = (await listed('search=zoe@'))[0]!
    const rename = (value: string | null) =>
      app.patch(`/v1/teammates/${zoe.id}`, {
        teammate: { smart_fields: [{ smart_field: 'first_name', value }] },
      })
    await rename('Aaron')
    expect((await names('sort=name'))[0]).toBe('zoe')
    await rename(null)
    expect((await names('sort=name'))[0]).toBe('zoe') // Adams
    await rename('Zoë')
    expect((await names('sort=name'))[4]).toBe('zoe')
  })

  it('can be any smart field, by id or key, with equal values by id and missing ones last', async () => {
    const expected = ['anna2', 'zoe', 'anna1', 'noname', 'erik', 'eric', 'alone']
    expect(await names('sort=smart_field:department')).toEqual(expected)
    expect(await names(`sort=smart_field:${fields.department?.toUpperCase()}`)).toEqual(expected)
    expect(await names('sort=-smart_field:department')).toEqual([
      'noname',
      'anna1',
      'zoe',
      'anna2',
      'alone',
      'eric',
      'erik',
    ])
    expect(await names('sort=smart_field:email')).toEqual(await names('sort=email'))
  })

  it('is the same whatever the page size and with a filter that finds all', async () => {
    for (const sort of ['name', '-name', 'email', '-active', 'updated_at', '-smart_field:department']) {
      const whole = await names(`sort=${sort}`)
      const singles: (string | undefined)[] = []
      for (let page = 1; page <= people.length; page++)
        singles.push(...(await names(`sort=${sort}&limit=1&page=${page}`)))
      expect(singles, sort).toEqual(whole)
      expect(await names(`sort=${sort}&search=example`), sort).toEqual(whole)
      expect(await names(`sort=${sort}&active=true&source=manual`), sort).toEqual(whole)
    }
    expect(await names('sort=created_at')).toEqual((await names('')).toReversed())
  })

  it('names the allowed values when it is unknown', async () => {
    const refused = await app.get('/v1/teammates?sort=age')
    expect([refused.status, fieldErrors(refused)]).toEqual([422, { sort: 'not_allowed' }])
    expect(refused.body.details[0].allowed).toContain('-updated_at')
    for (const [sort, code] of [
      [`smart_field:${unknownId}`, 'unknown_reference'],
      ['smart_field:nothing', 'unknown_reference'],
      ['smart_field:profile_picture', 'invalid'],
    ])
      expect(fieldErrors(await app.get(`/v1/teammates?sort=${sort}`)), sort).toEqual({ sort: code })
  })
})

describe('the filters of teammates', () => {
  it('find the people who get a signature, and those who get none', async () => {
    const content = {
      type: 'stack',
      children: [{ type: 'text', tokens: [{ type: 'textToken', value: 'Hi' }] }],
    }
    const make = async (priority: number, address: string) => {
      const { id } = (await app.post('/v1/signatures', { name: 's', priority, draft_content: content })).body
        .data
      const emails = (await app.get(`/v1/emails?search=${address}`)).body.data.map(
        (row: { id: string }) => row.id,
      )
      await app.post(`/v1/signatures/${id}/emails`, { email_ids: emails })
      await app.post(`/v1/signatures/${id}/publish`, {})
      return id
    }
    const winning = await make(1, 'anna1')
    const losing = await make(2, 'anna')
    expect(await names(`signature_id=${winning}`)).toEqual(['anna1'])
    expect(await names(`signature_id=${losing.toUpperCase()}`)).toEqual(['anna2'])
    expect(await names('signature_id=none&sort=name')).toEqual(['eric', 'erik', 'zoe', 'noname', 'alone'])
    await app.post(`/v1/signatures/${winning}/deactivate`)
    expect(await names(`signature_id=${winning}`)).toEqual([])
    expect(await names(`signature_id=${losing}&sort=name`)).toEqual(['anna1', 'anna2'])
    expect(fieldErrors(await app.get('/v1/teammates?signature_id=1'))).toEqual({ signature_id: 'invalid' })
  })

  it('tell active from inactive people', async () => {
    await app.db.query(sql`
      update teammates set active = false where workspace_id = ${app.id} and name_key like 'eri%'`)
    expect(await names('active=false&sort=-name')).toEqual(['erik', 'eric'])
    const { pagination } = (await app.get('/v1/teammates?active=true&limit=2')).body
    expect(pagination.total_count).toBe(people.length - 2)
    expect((await names('sort=active')).slice(0, 2)).toEqual(['erik', 'eric'])
  })
})

describe('a long list of teammates', () => {
  it('has every person once, on pages from both ends', async () => {
    const { id, key } = await app.workspace('Many people')
    const count = 10_150
    const rows = Array.from({ length: count }, newRow)
    await app.db.query(sql`
      insert into teammates (workspace_id, id, source, name_key, created_at, updated_at)
      select ${id}::uuid, t.id, 'manual', case when n % 100 > 0 then 'name ' || n % 7 end, now(), now()
      from unnest(${rows.map(row => row.id)}::uuid[]) with ordinality as t (id, n)`)
    await app.db.query(sql`
      insert into emails (workspace_id, id, teammate_id, address, address_key, is_primary, created_at, updated_at)
      select workspace_id, id, id, id, id, true, created_at, created_at from teammates where workspace_id = ${id}`)
    await app.db.query(sql`analyze teammates, emails`)
    const page = async (sort: string, number: number) =>
      (await app.get(`/v1/teammates?limit=100&sort=${sort}&page=${number}`, { key })).body.data.map(
        (row: Person) => row.id,
      )
    for (const sort of ['name', '-name', 'updated_at']) {
      const stored = await app.db.query<{ id: string }>(sql`
        select id from teammates where workspace_id = ${id}
        order by ${
          sort === 'name'
            ? sql`name_key nulls last, id`
            : sort === '-name'
              ? sql`name_key desc nulls last, id desc`
              : sql`updated_at, id`
        }`)
      const ids = stored.map(row => row.id)
      for (const number of [1, 52, 53, 100, 101, 102, 103])
        expect(await page(sort, number), `${sort} ${number}`).toEqual(
          ids.slice((number - 1) * 100, number * 100),
        )
    }
  })

  it('is searched without a loop over its people, also before PostgreSQL has counted them', async () => {
    const { id } = await app.workspace('New people')
    const value = { fieldId: fields.department, text: 'x' }
    for (const filters of [{ search: 'x' }, { value }, { missingFieldId: fields.department }]) {
      const explain = sql`explain select t.id from teammates t ${selectedTeammates(id, filters)}`
      const plan = (await app.db.query(explain)).map(row => Object.values(row)[0])
      expect(plan[0]).not.toMatch(/Loop|Join/)
    }
  })
})
