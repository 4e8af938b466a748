// @module-tag deep
import pg from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { lockWaits } from '#test/support/postgres/lock-waits.ts'
import { field, stack, text } from '#test/support/signatures.ts'
import { type FieldIds, fieldIds } from '#test/support/world.ts'
import { countValues, fieldsInUse, longestRecipients, maxCounted } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'https://sign.acme.com' } })
})

interface Company {
  readonly id: string
  readonly fields: FieldIds
  readonly get: (path: string) => ReturnType<TestApp['get']>
  readonly post: (path: string, body?: object) => ReturnType<TestApp['post']>
  /** A signature for everybody. */
  readonly create: (...blocks: object[]) => Promise<string>
}

/** A workspace of so many people, 40 % of whom have a job title. */
async function companyOf(people: number): Promise<Company> {
  const { id, key } = await app.workspace('Large')
  const fields = await fieldIds(app, key)
  await app.db.query(sql`
    with people as (
      insert into teammates (workspace_id, id, source, created_at, updated_at)
      select ${id}, gen_random_uuid(), 'manual', now(), now() from generate_series(1, ${people}::int)
      returning id),
    addresses as (
      insert into emails (workspace_id, id, teammate_id, address, address_key, is_primary, created_at, updated_at)
      select ${id}, gen_random_uuid(), id, id || '@example.com', id || '@example.com', true, now(), now()
      from people)
    insert into smart_field_values (workspace_id, teammate_id, smart_field_id, value, value_key)
    select ${id}, id, ${fields.job_title}, 'Chef', 'chef' from people limit ${Math.floor(people * 0.4)}::int`)
  const post = (path: string, body?: object) => app.post(path, body, { key })
  const create = async (...blocks: object[]) => {
    const { body } = await post('/v1/signatures', { name: 'All', draft_content: stack(...blocks) })
    const path = `/v1/signatures/${body.data.id}`
    const rules = await app.call('PUT', `${path}/recipient_rules`, { body: { everybody: true }, key })
    expect(rules.body.data.matching_emails_count).toBe(people)
    return path
  }
  return { id, fields, get: path => app.get(path, { key }), post, create }
}

const statementsOf = async (request: () => Promise<{ status: number }>): Promise<string[]> => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  expect((await request()).status).toBe(200)
  const texts = query.mock.calls.map(([statement]) => String((statement as { text?: string })?.text))
  query.mockRestore()
  return texts
}
const aboutRecipients = async (request: () => Promise<{ status: number }>): Promise<number> =>
  (await statementsOf(request)).filter(statement => statement.includes('from recipients')).length

describe(`up to ${maxCounted} recipients`, () => {
  it('are counted exactly, with as many statements as one recipient', async () => {
    const few = await companyOf(1)
    const many = await companyOf(maxCounted)
    const [small, large] = [
      await few.create(text('Fixed'), field(few.fields.job_title)),
      await many.create(text('Fixed'), field(many.fields.job_title)),
    ]
    const statements = await aboutRecipients(() => few.get(`${small}/check`))
    expect(statements).toBeGreaterThan(0)
    expect(await aboutRecipients(() => many.get(`${large}/check`))).toBe(statements)
    expect((await many.get(`${large}/check`)).body.data).toMatchObject({
      recipients: maxCounted,
      problems: [{ message: 'Job title: 6000 of 10000 recipients have none.', recipients_affected: 6_000 }],
    })
    expect(await aboutRecipients(() => many.post(`${large}/publish`))).toBe(
      await aboutRecipients(() => few.post(`${small}/publish`)),
    )
  })
})

describe('more recipients', () => {
  const people = 12_000
  let company: Company
  /** The path of a signature with a line that shows the job title. */
  let titled: string
  beforeAll(async () => {
    await companyOf(1)
    await app.db.query(sql`analyze`)
    company = await companyOf(people)
    titled = await company.create(text('Fixed'), field(company.fields.job_title))
  })

  it('are estimated by a sample, the same in every check and in the publish', async () => {
    const { recipients, problems } = (await company.get(`${titled}/check`)).body.data
    expect([recipients, problems.length]).toEqual([people, 1])
    const [{ message, recipients_affected: affected }] = problems
    expect(message).toBe(`Job title: about ${affected} of 12000 recipients have none.`)
    expect(Math.abs(affected - people * 0.6)).toBeLessThan(500)
    expect((await company.get(`${titled}/check`)).body.data.problems).toEqual(problems)
    expect((await company.post(`${titled}/publish`)).body.warnings).toEqual(problems)
  })

  it('see nothing only if really none of them has a value: one outside the sample is enough', async () => {
    const { id, fields } = company
    const path = await company.create(field(fields.mobile_phone))
    const refused = await company.post(`${path}/publish`)
    expect([refused.status, fieldErrors(refused)]).toEqual([422, { draft_content: 'nothing_to_show' }])
    await app.db.query(sql`
      insert into smart_field_values (workspace_id, teammate_id, smart_field_id, value, value_key)
      select workspace_id, teammate_id, ${fields.mobile_phone}, '1', '1' from emails
      where workspace_id = ${id} and uuid_hash(id) % 3 <> 0 limit 1`)
    const published = await company.post(`${path}/publish`)
    expect(published.status).toBe(200)
    expect(published.body.warnings).toMatchObject([
      { code: 'missing_values', message: 'Mobile phone: about 12000 of 12000 recipients have none.' },
    ])
  })

  it('are read once: no statement reads more rows than the sample and its values have, with older statistics too', async () => {
    const among = { workspaceId: company.id, signatureId: titled.slice(-36), recipients: people }
    const fieldIds = [company.fields.job_title, company.fields.calendar_link]
    const statements = async () => [
      await recorded(db => countValues(db, among, fieldIds)),
      await recorded(db => longestRecipients(db, among, fieldIds, 100)),
      await recorded(db => fieldsInUse(db, among, fieldIds)),
    ]
    for (const prepare of [sql`select`, sql`analyze`]) {
      await app.db.query(prepare)
      for (const statement of (await statements()).flat())
        expect(await rowsRead(statement), statement.text).toBeLessThan(2 * people)
    }
  })

  it('are published even if PostgreSQL takes too long to count their values', async () => {
    const published = await app.db.transaction(async tx => {
      await tx.query(sql`lock table emails in access exclusive mode`)
      return company.post(`${titled}/publish`)
    })
    expect(published.status).toBe(200)
    expect(published.body.warnings).toMatchObject([
      { code: 'missing_values', severity: 'note', recipients_affected: 0, blocks: [{ name: 'Job title' }] },
    ])
    expect(published.body.warnings[0].message).toContain('were not counted')
  })
})

async function recorded(run: (db: Db) => Promise<unknown>): Promise<Sql[]> {
  const statements: Sql[] = []
  const db = queriesBy(async statement => {
    statements.push(statement)
    return []
  })
  await run(db as Db)
  return statements
}

interface Plan {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

/** The rows of tables that PostgreSQL reads to execute the statement, beside all recipients in their index. */
async function rowsRead(statement: Sql): Promise<number> {
  const [row] = await app.db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    sql`explain (analyze, format json) ${statement}`,
  )
  const visit = (plan: Plan): number => {
    const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    const own = plan['Relation Name'] && plan['Relation Name'] !== 'recipients' ? rows : 0
    return own + (plan.Plans ?? []).reduce((sum, child) => sum + visit(child), 0)
  }
  return visit(row!['QUERY PLAN'][0].Plan)
}

describe('a publish', () => {
  it.each(['', '/variants/reply'])('checks before it locks the signature: %j', async variant => {
    const { body } = await app.post('/v1/signatures', { name: 'x', draft_content: stack(text('Main')) })
    const path = `/v1/signatures/${body.data.id}${variant}`
    if (variant) await app.patch(path, { variant: { draft_content: stack(text('Reply')) } })
    const statements = await statementsOf(() => app.post(`${path}/publish`))
    const lock = statements.findIndex(statement => statement.includes('for no key update'))
    const lastCount = statements.findLastIndex(statement => statement.includes('from recipients'))
    expect(lastCount).toBeGreaterThan(0)
    expect(lock).toBeGreaterThan(lastCount)
  })

  it('checks again if the draft changed while it waited for the lock', async () => {
    const { body } = await app.post('/v1/signatures', { name: 'x', draft_content: stack(text('Dark')) })
    const { id } = body.data
    const pale = stack({ type: 'text', tokens: [{ value: 'Pale', textStyle: { color: '#aaaaaa' } }] })
    const publishing = await app.db.transaction(async tx => {
      await tx.query(sql`select from signatures where workspace_id = ${app.id} and id = ${id} for update`)
      const request = app.post(`/v1/signatures/${id}/publish`)
      await expect.poll(() => lockWaits(app.db)).toBeGreaterThan(0)
      await tx.query(sql`update signatures set draft_content = ${JSON.stringify(pale)} where id = ${id}`)
      return { request }
    })
    const { status, body: answer } = await publishing.request
    expect([status, answer.data.content.children[0].tokens[0].value]).toEqual([200, 'Pale'])
    expect(answer.warnings).toMatchObject([{ code: 'low_contrast' }])
  })
})
