import { beforeAll, describe, expect, it } from 'vitest'
import { type Db, type Sql, sql } from '#kernel/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { createField, createSignature } from '#test/support/signatures.ts'
import { refreshTeammates } from '../membership.ts'

const people = 300
const rules = 30
let app: TestApp
let team: string
let teammateIds: string[]

beforeAll(async () => {
  app = await testApp()
  team = await createField(app, 'Team')
  for (let n = 0; n < rules; n++) {
    const { id } = (await createSignature(app)).body.data
    // All of them choose Sales; each one alone chooses a team of its own.
    const conditions = [[{ smart_field_id: team, values: ['Sales', `Team ${n}`] }]]
    const put = await app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body: { conditions } })
    expect(put.status).toBe(200)
  }
  await everybodyIn('Sales')
  const rows = await app.db.query<{ id: string }>(sql`select id from teammates`)
  teammateIds = rows.map(row => row.id)
})

async function everybodyIn(value: string): Promise<void> {
  const teammates = Array.from({ length: people }, (_, n) => ({
    email: `p${n}@example.com`,
    smart_fields: [{ smart_field_id: team, value }],
  }))
  const { body } = await app.post('/v1/teammates/import', { teammates })
  expect([body.data.created + body.data.updated, body.data.failed]).toEqual([people, []])
}

const chosen = async (): Promise<number> =>
  (await app.db.query(sql`select from recipients where by_rule`)).length

/** The statements of bringing everybody up to date. */
async function refreshing(): Promise<Sql[]> {
  const statements: Sql[] = []
  await app.db.transaction(tx => {
    const noting: Db = {
      query(statement) {
        statements.push(statement)
        return tx.query(statement)
      },
      transaction: tx.transaction,
    }
    return refreshTeammates(noting, app.id, teammateIds)
  })
  return statements
}
const longest = (statements: readonly Sql[]): number =>
  Math.max(...statements.flatMap(one => one.values.map(value => (Array.isArray(value) ? value.length : 0))))
const writes = (statements: readonly Sql[]): Sql[] =>
  statements.filter(one => /^\s*(insert|update|delete)\s/.test(one.text))

describe('many people under many rules', () => {
  it('are chosen by all of them, then by one', async () => {
    expect(await chosen()).toBe(people * rules)
    await everybodyIn('Team 7')
    expect(await chosen()).toBe(people)
    await everybodyIn('Sales')
    expect(await chosen()).toBe(people * rules)
  })

  it('are written some at a time', async () => {
    await app.db.query(sql`delete from recipients`)
    const statements = await refreshing()
    expect(await chosen()).toBe(people * rules)
    expect(writes(statements).length).toBeGreaterThan(1)
    expect(longest(statements)).toBeLessThan(6_000)
  })

  it('are not written when nothing changes', async () => {
    expect(writes(await refreshing())).toEqual([])
  })
})
