import { beforeAll, describe, expect, it } from 'vitest'
import { insertEvents, type NewEvent } from '#features/measurement/events/index.ts'
import { changeEventRetention } from '#features/workspace/workspaces/index.ts'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { demoApp } from '#test/support/demo.ts'
import { createTeammate } from '#test/support/world.ts'
import { dropOldEvents, foldTail } from '../index.ts'
import { listEvents, nextEvents } from './queries.ts'
import { eventFilterOf } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const uuid = (n: number) => `d0000000-0000-7000-8000-${String(n).padStart(12, '0')}`

const newEvent = (recordedAt: Date, event: Partial<NewEvent>): NewEvent => ({
  workspaceId: app.id,
  id: newRow().id,
  name: '$view',
  outcome: 'counted',
  recordedAt,
  ...event,
})
const record = (moment: string, ...events: Partial<NewEvent>[]) =>
  insertEvents(
    app.db,
    app.id,
    events.map(event => newEvent(new Date(moment), event)),
  )

/** Parses CSV as RFC 4180 defines it: plain or quoted fields up to a line break. Returns the cells of each record. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [[]]
  for (const [, quoted, plain = '', after] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/g,
  )) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (after !== ',') records.push([])
  }
  return records.filter(cells => cells.length > 1)
}

describe('lists and exports', () => {
  /** The largest number of table rows that PostgreSQL reads for one of the statements in `work`. */
  async function rowsRead(work: (db: typeof app.db) => Promise<unknown>): Promise<number> {
    let maxRows = 0
    const rowsIn = (plan: Record<string, unknown>): number => {
      const inner = ((plan.Plans ?? []) as Record<string, unknown>[]).reduce(
        (sum, child) => sum + rowsIn(child),
        0,
      )
      const isScan =
        String(plan['Node Type']).includes('Scan') && !String(plan['Node Type']).includes('Subquery')
      const removed = Number(plan['Rows Removed by Filter'] ?? 0)
      return inner + (isScan ? (Number(plan['Actual Rows']) + removed) * Number(plan['Actual Loops']) : 0)
    }
    const explainingDb = {
      ...app.db,
      ...queriesBy(async statement => {
        const plans = await app.db.value<[{ Plan: Record<string, unknown> }]>(
          sql`explain (analyze, format json) ${statement}`,
        )
        maxRows = Math.max(maxRows, plans ? rowsIn(plans[0].Plan) : 0)
        return app.db.query(statement)
      }),
    }
    await work(explainingDb)
    return maxRows
  }

  it('read only the rows of one page', async () => {
    const day = Date.UTC(2018, 5, 1)
    for (let batch = 0; batch < 4; batch++)
      await insertEvents(
        app.db,
        app.id,
        Array.from({ length: 2_500 }, (_, n) => newEvent(new Date(day + (batch * 2_500 + n) * 1_000), {})),
      )
    const query = { start_date: '2018-06-01', end_date: '2018-06-01', outcome: 'counted' }
    for (const folded of [false, true]) {
      if (folded) while (await foldTail(app.db));
      await app.db.query(sql`vacuum analyze events, event_tail`)
      const all = eventFilterOf(app.id, query, null)
      const [last] = await nextEvents(app.db, all, undefined, 1)
      expect(await rowsRead(db => nextEvents(db, all, undefined, 100))).toBeLessThanOrEqual(400)
      expect(await rowsRead(db => nextEvents(db, all, last, 100))).toBeLessThanOrEqual(400)
      if (!folded) continue
      const views = eventFilterOf(app.id, { ...query, name: '$view' })
      expect(await rowsRead(db => listEvents(db, { page: 2, limit: 50 }, views))).toBeLessThanOrEqual(400)
    }
  })

  it('find the few uncounted events without reading the counted ones', async () => {
    await record('2018-06-01T05:00:00Z', { outcome: 'scanner' }, { outcome: 'bot', name: '$click' })
    while (await foldTail(app.db));
    await app.db.query(sql`analyze events`)
    const query = { start_date: '2018-06-01', end_date: '2018-06-01', name: '$view' }
    for (const outcome of ['scanner', 'any']) {
      const filter = eventFilterOf(app.id, { ...query, outcome })
      expect(await rowsRead(db => listEvents(db, { page: 1, limit: 50 }, filter))).toBeLessThanOrEqual(400)
    }
    const count = async (outcome: string) =>
      (await app.get(`/v1/analytics/events?${new URLSearchParams({ ...query, outcome })}`)).body.pagination
        .total_count
    expect([await count('scanner'), await count('bot'), await count('any')]).toEqual([1, 0, 10_001])
  })
})

describe('an export', () => {
  it('keeps values with line breaks and quotes intact', async () => {
    const texts = ['a\n=1+1', 'b\r@SUM(1)', 'c\r\n+1', 'd,"e"\n', '\n=2', '\r=3', ' f']
    await record(
      '2017-01-01T00:00:00Z',
      ...texts.map(distinctId => ({
        name: 'told',
        distinctId,
        campaignId: uuid(1),
        campaignVariant: 'blue',
      })),
    )
    const { text } = await app.get('/v1/analytics/export?start_date=2017-01-01&end_date=2017-01-01')
    const [header = [], ...rows] = parseCsv(text)
    expect(rows.map(cells => cells.length)).toEqual(texts.map(() => header.length))
    const cells = rows.map(row => row[header.indexOf('distinct_id')])
    expect(cells.sort()).toEqual(texts.map(value => (/^[\r\n]/.test(value) ? `'${value}` : value)).sort())
    expect(rows[0]?.[header.indexOf('campaign_variant')]).toBe('blue')
    expect(rows[0]?.[header.indexOf('campaign_name')]).toBe('')
  })

  it('has the names of signatures and people beside their ids', async () => {
    const { id: teammateId, email } = await createTeammate(app)
    const { id: signatureId } = (await app.post('/v1/signatures', { name: 'Sales' })).body.data
    await record('2017-02-01T00:00:00Z', { signatureId, teammateId })
    const { text } = await app.get('/v1/analytics/export?start_date=2017-02-01&end_date=2017-02-01')
    const [header = [], row = []] = parseCsv(text)
    const cell = (column: string) => row[header.indexOf(column)]
    expect(['signature_name', 'person_name', 'link_name'].map(cell)).toEqual(['Sales', email, ''])
    expect(cell('signature_template_uuid')).toBe(signatureId)
  })
})

describe('after retention', () => {
  it('a list of views counts only the rows that still exist', async () => {
    await record('2016-03-01T10:00:00Z', {}, {})
    await record('2016-05-01T10:00:00Z', {}, { outcome: 'bot' })
    while (await foldTail(app.db));
    await changeEventRetention(app.db, app.by, 30)
    await dropOldEvents(app.db, new Date('2016-05-15T00:00:00Z'))
    await changeEventRetention(app.db, app.by, null)
    const get = async (query: string) =>
      (await app.get(`/v1/analytics/events?start_date=2016-01-01&end_date=2016-05-31&${query}`)).body
    const { data, pagination } = await get('name=%24view&limit=1')
    expect([data.length, pagination]).toEqual([
      1,
      { page: 1, limit: 1, total_count: 1, total_pages: 1, has_more: false },
    ])
    expect((await get('name=%24view&outcome=any')).pagination.total_count).toBe(2)
    const before = 'start_date=2016-01-01&end_date=2016-03-31&name=%24view'
    expect((await app.get(`/v1/analytics/events?${before}`)).body.pagination.total_count).toBe(0)
  })

  it('a range has the same total for every interval', async () => {
    const range = 'start_date=2016-02-29T23:00:00Z&end_date=2016-03-01T12:00:00Z'
    for (const interval of ['hour', 'day', 'week', 'month']) {
      const { body } = await app.get(`/v1/analytics/overview?${range}&interval=${interval}`)
      expect([interval, body.data.totals.views]).toEqual([interval, 2])
    }
  })
})

describe('a visitor', () => {
  it('is found by user id and by anonymous id', async () => {
    const { db, id } = app
    await record(
      '2015-01-01T10:00:00Z',
      { name: 'told', distinctId: 'browser', anonymousId: 'browser', value: 1 },
      { name: 'told', distinctId: 'person', anonymousId: 'browser', value: 2 },
      { name: 'told', distinctId: 'stranger', value: 4 },
    )
    await db.query(sql`
      insert into visitor_identities (workspace_id, anonymous_id, user_id, identified_at)
      values (${id}, 'browser', 'person', now())`)
    const day = 'start_date=2015-01-01&end_date=2015-01-01'
    for (const distinctId of ['person', 'browser']) {
      const visitors = (await app.get(`/v1/analytics/visitors?${day}&distinct_id=${distinctId}`)).body
      expect(visitors.data).toMatchObject([{ distinct_id: 'person', event_count: 2, value: 3 }])
      expect(visitors.pagination.total_count).toBe(1)
      const summary = await app.get(
        `/v1/analytics/events/summary?${day}&distinct_id=${distinctId}&group_by=user`,
      )
      expect(summary.body.totals).toEqual({ count: 2, value: 3 })
    }
    const events = await app.get(`/v1/analytics/events?${day}&distinct_id=browser`)
    expect(events.body.pagination.total_count).toBe(1) // the event list filters by the recorded id only
  })

  it('of the demo data has traits', async () => {
    const { body } = await (await demoApp()).get('/v1/analytics/visitors')
    expect(body.data[0].traits).toEqual({
      name: expect.any(String),
      company: expect.any(String),
      email: `${body.data[0].distinct_id}@example.com`,
    })
  })
})

describe('dates', () => {
  it('that are invalid are both reported, together with all other problems', async () => {
    const problemsOf = async (query: string) => fieldErrors(await app.get(`/v1/analytics/events?${query}`))
    expect(await problemsOf('start_date=2026-02-30&end_date=never&limit=0&outcome=x&teammate_id=1')).toEqual({
      start_date: 'invalid',
      end_date: 'invalid',
      limit: 'out_of_range',
      outcome: 'not_allowed',
      teammate_id: 'invalid',
    })
    expect(await problemsOf('start_date=0001-01-01&end_date=9999-01-01')).toEqual({
      start_date: 'out_of_range',
      end_date: 'out_of_range',
    })
  })
})

it('a click id that is not a UUID is listed as it was sent, before and after folding', async () => {
  for (const click_id of ['Gclid_123-ä', ' spaced ', ''])
    expect(
      (await app.post('/v1/analytics/events', { event: { name: 'Elsewhere', click_id } })).body.data.click_id,
    ).toBe(click_id)
  const listed = async () => {
    const { data } = (await app.get('/v1/analytics/events?name=Elsewhere')).body
    return data.map((event: { click_id: string | null }) => event.click_id)
  }
  expect(await listed()).toEqual(['', ' spaced ', 'Gclid_123-ä'])
  await expect.poll(() => foldTail(app.db)).toBe(false)
  expect(await app.db.query(sql`select from event_tail where name = 'Elsewhere'`)).toEqual([])
  expect(await listed()).toEqual(['', ' spaced ', 'Gclid_123-ä'])
  expect((await app.get('/v1/analytics/export?name=Elsewhere')).text).toContain('Gclid_123-ä')
})
