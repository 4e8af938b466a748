import { beforeAll, describe, expect, it } from 'vitest'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { createSignature } from '#test/support/signatures.ts'
import { createField } from '#test/support/world.ts'
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
    // Every rule matches Sales; each rule also matches a team of its own.
    const conditions = [[{ smart_field_id: team, values: ['Sales', `Team ${n}`] }]]
    const put = await app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body: { conditions } })
    expect(put.status).toBe(200)
  }
  await importAllWith('Sales')
  const rows = await app.db.query<{ id: string }>(sql`select id from teammates`)
  teammateIds = rows.map(row => row.id)
})

async function importAllWith(value: string): Promise<void> {
  const teammates = Array.from({ length: people }, (_, n) => ({
    email: `p${n}@example.com`,
    smart_fields: [{ smart_field_id: team, value }],
  }))
  const { body } = await app.post('/v1/teammates/import', { teammates })
  expect([body.data.created + body.data.updated, body.data.failed]).toEqual([people, []])
}

const countMatches = async (): Promise<number> =>
  (await app.db.query(sql`select from recipients where by_rule`)).length

/** Refreshes all teammates and returns the SQL statements of it. */
async function statementsOfRefresh(): Promise<Sql[]> {
  const statements: Sql[] = []
  await app.db.transaction(tx => {
    const recordingDb: Db = {
      ...queriesBy(statement => {
        statements.push(statement)
        return tx.query(statement)
      }),
      transaction: tx.transaction,
    }
    return refreshTeammates(recordingDb, app.id, teammateIds)
  })
  return statements
}
const longestArray = (statements: readonly Sql[]): number =>
  Math.max(
    ...statements.flatMap(statement =>
      statement.values.map(value => (Array.isArray(value) ? value.length : 0)),
    ),
  )
const writes = (statements: readonly Sql[]): Sql[] =>
  statements.filter(statement => /^\s*(insert|update|delete)\s/.test(statement.text))

describe('many people under many rules', () => {
  it('match all rules, then only one', async () => {
    expect(await countMatches()).toBe(people * rules)
    await importAllWith('Team 7')
    expect(await countMatches()).toBe(people)
    await importAllWith('Sales')
    expect(await countMatches()).toBe(people * rules)
  })

  it('are written in several statements of limited size', async () => {
    await app.db.query(sql`delete from recipients`)
    const statements = await statementsOfRefresh()
    expect(await countMatches()).toBe(people * rules)
    expect(writes(statements).length).toBeGreaterThan(1)
    expect(longestArray(statements)).toBeLessThan(6_000)
  })

  it('are not written when nothing changed', async () => {
    expect(writes(await statementsOfRefresh())).toEqual([])
  })
})
