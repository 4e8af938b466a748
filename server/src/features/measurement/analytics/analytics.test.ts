import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertEvents, type NewEvent } from '#features/measurement/events/index.ts'
import { changeEventRetention } from '#features/workspace/workspaces/index.ts'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { stack } from '#test/support/signatures.ts'
import { createPublished, createTeammate, fieldIds, publish } from '#test/support/world.ts'
import { exportEvents } from './event-log/export.ts'
import { eventFilterOf } from './event-log/rules.ts'
import { dropOldEvents, enqueueFold, foldTail, prepareMonths, recount } from './index.ts'
import { dateOf, spanAround } from './range.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const uuid = (n: number) => `d0000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const at = (moment: string) => new Date(moment)

async function record(...events: (Partial<NewEvent> & { readonly workspaceId?: string })[]): Promise<void> {
  for (const event of events) {
    const { id, now } = newRow()
    const complete = {
      workspaceId: app.id,
      id,
      recordedAt: now,
      name: '$view',
      outcome: 'counted' as const,
      ...event,
    }
    await insertEvents(app.db, complete.workspaceId, [complete])
  }
}

const totals = async (query = '') => (await app.get(`/v1/analytics/overview?${query}`)).body.data.totals

describe('an overview', () => {
  it('without events lists the last 30 days with zeros', async () => {
    const { body } = await app.get('/v1/analytics/overview')
    const { series, start_date, end_date, interval } = body.data
    const today = new Date().toISOString().slice(0, 10)
    expect([series.length, interval, end_date, series[29].period, series[0].period]).toEqual([
      30,
      'day',
      today,
      today,
      start_date,
    ])
    expect(series[0]).toEqual({ period: start_date, views: 0, clicks: 0, clickthrough_rate: 0 })
    expect(body.data.totals).toEqual({ views: 0, clicks: 0, clickthrough_rate: 0 })
  })

  it('starts weeks on Monday and months on the first, and counts only events inside the range', async () => {
    await record(
      { recordedAt: at('2024-01-31T23:59:59.999Z') },
      { recordedAt: at('2024-02-01T00:00:00.000Z') },
      { recordedAt: at('2024-02-01T10:00:00.000Z') },
      { recordedAt: at('2024-02-01T10:30:00.000Z'), name: '$click' },
      { recordedAt: at('2024-02-05T00:00:00.000Z'), outcome: 'bot' },
      { recordedAt: at('2024-02-05T00:00:00.000Z') },
    )
    for (const folded of [false, true]) {
      if (folded) await foldTail(app.db)
      const get = async (query: string) => (await app.get(`/v1/analytics/overview?${query}`)).body.data
      const weeks = await get('start_date=2024-02-01&end_date=2024-02-05&interval=week')
      expect(weeks.series).toEqual([
        { period: '2024-01-29', views: 2, clicks: 1, clickthrough_rate: 0.5 },
        { period: '2024-02-05', views: 1, clicks: 0, clickthrough_rate: 0 },
      ])
      expect(weeks.totals).toEqual({ views: 3, clicks: 1, clickthrough_rate: 0.333333 })
      const months = await get('start_date=2024-01-01&end_date=2024-02-29&interval=month')
      expect(
        months.series.map((period: { period: string; views: number }) => [period.period, period.views]),
      ).toEqual([
        ['2024-01-01', 1],
        ['2024-02-01', 3],
      ])
      const hours = await get('start_date=2024-02-01T10:15:00Z&end_date=2024-02-01T12:00:00Z&interval=hour')
      expect(hours.series).toEqual([
        { period: '2024-02-01T10:00:00.000Z', views: 0, clicks: 1, clickthrough_rate: 0 },
        { period: '2024-02-01T11:00:00.000Z', views: 0, clicks: 0, clickthrough_rate: 0 },
      ])
      expect([hours.start_date, hours.end_date]).toEqual([
        '2024-02-01T10:15:00.000Z',
        '2024-02-01T12:00:00.000Z',
      ])
    }
  })

  it('reports every invalid query parameter', async () => {
    for (const [query, expected] of Object.entries({
      'start_date=2026-02-02&end_date=2026-02-01': { end_date: 'out_of_range' },
      'start_date=2026-02-30': { start_date: 'invalid' },
      'end_date=yesterday': { end_date: 'invalid' },
      'end_date=2026-02-01T25:00:00Z': { end_date: 'invalid' },
      'start_date=0000-01-01': { start_date: 'out_of_range' },
      'interval=year': { interval: 'not_allowed' },
      'interval=hour&start_date=2020-01-01': { interval: 'out_of_range' },
      'teammate_id=x': { teammate_id: 'invalid' },
      'country=Germany': { country: 'invalid' },
    })) {
      const answer = await app.get(`/v1/analytics/overview?${query}`)
      expect([answer.status, fieldErrors(answer)], query).toEqual([422, expected])
    }
    expect(fieldErrors(await app.get('/v1/analytics/breakdown'))).toEqual({ dimension: 'missing' })
    expect(fieldErrors(await app.get('/v1/analytics/breakdown?dimension=moon'))).toEqual({
      dimension: 'not_allowed',
    })
    expect(fieldErrors(await app.get('/v1/analytics/views?granularity=x'))).toEqual({
      granularity: 'not_allowed',
    })
  })
})

describe('a breakdown', () => {
  const day = 'start_date=2023-05-05&end_date=2023-05-05'
  const rows = async (query: string) => (await app.get(`/v1/analytics/breakdown?${day}&${query}`)).body.data
  const recordedAt = at('2023-05-05T12:00:00Z')

  it('shows names, also of deleted objects', async () => {
    const { first_name, last_name } = await fieldIds(app)
    const { id: adaId } = await createTeammate(app, {
      email: 'ada@example.com',
      values: { [first_name]: 'Ada', [last_name]: 'Moreno' },
    })
    const { id: benId } = await createTeammate(app, { email: 'ben@example.com' })
    const signature = await app.post('/v1/signatures', { name: 'Standard' })
    const content = { id: 'r', type: 'stack' }
    const variants = [
      { name: 'Picture', content },
      { name: 'Line', content },
    ]
    const campaign = await app.post('/v1/marketing_campaigns', {
      marketing_campaign: { name: 'Spring', variants },
    })
    const [signatureId, campaignId] = [signature, campaign].map(response => response.body.data.id)
    const campaignVariant = campaign.body.data.variants[1].id
    await record(
      {
        recordedAt,
        teammateId: adaId,
        signatureId,
        country: 'DE',
        campaignId,
        campaignVariant,
      },
      { recordedAt, teammateId: adaId, signatureId, country: 'DE' },
      { recordedAt, teammateId: benId, signatureId, country: 'ZZ' },
    )
    const labels = async (dimension: string) =>
      (await rows(`dimension=${dimension}`)).map((row: { id: string; label: string; views: number }) => [
        row.label,
        row.views,
      ])
    for (const deleted of [false, true]) {
      if (deleted) {
        for (const path of [
          `teammates/${adaId}`,
          `teammates/${benId}`,
          `signatures/${signatureId}`,
          `marketing_campaigns/${campaignId}`,
        ])
          expect((await app.del(`/v1/${path}`)).status).toBe(204)
        await foldTail(app.db)
      }
      expect(await labels('teammate')).toEqual([['Ada Moreno', 2], ['ben@example.com', 1]]) // biome-ignore format: a table
      expect(await labels('signature_template')).toEqual([['Standard', 3]])
      expect(await labels('country')).toEqual([['Germany', 2], ['Unknown Region', 1]]) // biome-ignore format: a table
      expect(await labels('marketing_campaign')).toEqual([['Spring', 1]])
      expect((await rows(`dimension=campaign_variant&marketing_campaign_id=${campaignId}`))[0].id).toBe(
        campaignVariant,
      )
      expect(await labels('campaign_variant')).toEqual([['Spring: Line', 1]])
    }
  })

  it('is limited to a country or to a link, from rollups and from events', async () => {
    const day = 'start_date=2023-07-05&end_date=2023-07-05'
    const recordedAt = at('2023-07-05T12:00:00Z')
    const click = { recordedAt, name: '$click', anchorId: 'Banner', teammateId: uuid(8) }
    await record({ ...click, country: 'DE' }, { ...click, country: 'FR' }, { recordedAt, country: 'DE' })
    for (const folded of [false, true]) {
      if (folded) await foldTail(app.db)
      expect(await totals(`${day}&country=de`)).toMatchObject({ views: 1, clicks: 1 })
      expect(await totals(`${day}&anchor_id=Banner`)).toMatchObject({ views: 0, clicks: 2 })
      expect(await totals(`${day}&anchor_id=Banner&country=FR`)).toMatchObject({ views: 0, clicks: 1 })
      const people = await app.get(`/v1/analytics/breakdown?dimension=teammate&${day}&country=FR`)
      expect(people.body.data).toMatchObject([{ id: uuid(8), clicks: 1 }])
      const events = await app.get(`/v1/analytics/events?${day}&name=$click&country=DE`)
      expect(events.body.pagination.total_count).toBe(1)
    }
  })

  it('names links by their content, by an earlier version of it, and after a deletion by their target', async () => {
    const { calendar_link } = await fieldIds(app)
    const { emailId } = await createTeammate(app)
    const href = { text: 'https://www.example.com/shop?a=1' }
    const calendar = { smartFieldUuid: calendar_link }
    const links = [
      { type: 'button', id: 'k-button', displayName: 'Shop', tokens: [{ value: 'Buy' }], href },
      { type: 'button', id: 'k-words', tokens: [{ value: 'Buy now' }], href },
      { type: 'socialList', children: [{ type: 'socialListItem', id: 'k-social', name: 'linkedin', href }] },
      { type: 'image', id: 'k-image', src: 'https://example.com/a.png', alt: '', width: 10, href: calendar },
      { type: 'text', displayName: 'Site', tokens: [{ id: 'k-text', value: 'our shop', href }] },
    ]
    const id = await createPublished(app, { draft_content: stack(...links) }, emailId)
    await app.get(`/v1/signatures/${id}/html?email_id=${emailId}`) // makes the links
    const day = 'start_date=2023-08-05&end_date=2023-08-05'
    const keys = ['k-button', 'k-words', 'k-social', 'k-image', 'k-text', 'k-unknown']
    for (const anchorId of keys)
      await record({ recordedAt: at('2023-08-05T12:00:00Z'), name: '$click', anchorId })
    const labels = async () => {
      const { data } = (await app.get(`/v1/analytics/breakdown?dimension=anchor&${day}`)).body
      return Object.fromEntries(data.map((row: { id: string; label: string }) => [row.id, row.label]))
    }
    const named = {
      ...{ 'k-button': 'Shop', 'k-words': 'Buy now', 'k-social': 'LinkedIn', 'k-image': 'Calendar link' },
      ...{ 'k-text': 'our shop', 'k-unknown': 'k-unknown' },
    }
    expect(await labels()).toEqual(named)
    const draft_content = stack({ ...links[0], displayName: 'Our shop' })
    await app.patch(`/v1/signatures/${id}`, { signature: { draft_content } })
    await publish(app, id)
    expect(await labels()).toEqual({ ...named, 'k-button': 'Our shop' })
    await app.del(`/v1/signatures/${id}`)
    expect(await labels()).toMatchObject({ 'k-words': 'example.com', 'k-image': 'Calendar link' })
  })

  it('is ordered as requested, and by id where values are equal', async () => {
    const teammates = [7, 5, 6].map(uuid)
    const day = 'start_date=2023-06-05&end_date=2023-06-05'
    const recordedAt = at('2023-06-05T12:00:00Z')
    for (const teammateId of teammates) await record({ recordedAt, teammateId })
    await record({ recordedAt, teammateId: uuid(7) }, { recordedAt, teammateId: uuid(7), name: '$click' })
    const ids = async (query: string) =>
      (await app.get(`/v1/analytics/breakdown?dimension=teammate&${day}&${query}`)).body.data.map(
        (row: { id: string }) => row.id,
      )
    expect(await ids('')).toEqual([7, 5, 6].map(uuid))
    expect(await ids('order=asc')).toEqual([5, 6, 7].map(uuid))
    expect(await ids('order_by=clickthrough_rate')).toEqual([7, 5, 6].map(uuid))
    expect(await ids('limit=1&page=2')).toEqual([uuid(5)])
    const { body } = await app.get(`/v1/analytics/clicks?group_by=teammate&${day}`)
    expect(body.data[0]).toEqual({
      id: uuid(7),
      label: uuid(7),
      view_count: 2,
      click_count: 1,
      clickthrough_rate: 0.5,
    })
    expect(body.pagination.total_count).toBe(3)
  })
})

describe('recorded events', () => {
  const month = 'start_date=2022-03-01&end_date=2022-03-31'
  beforeAll(async () => {
    const recordedAt = at('2022-03-03T03:03:03.333Z')
    await record(
      { recordedAt, name: '$view' },
      { recordedAt, name: '$click', outcome: 'scanner' },
      {
        recordedAt,
        name: 'purchase',
        value: -12.5,
        currency: 'EUR',
        distinctId: '=HYPERLINK("https://evil.example")',
        anonymousId: 'line\nbreak, "quoted"',
        properties: { plan: 'pro' },
      },
    )
  })

  it('are listed without views and clicks, unless the query names them', async () => {
    const { body } = await app.get(`/v1/analytics/events?${month}`)
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        recorded_at: '2022-03-03T03:03:03.333Z',
        name: 'purchase',
        value: -12.5,
        currency: 'EUR',
        click_id: null,
        signature_template_uuid: null,
        marketing_campaign_uuid: null,
        teammate_uuid: null,
        anchor_uuid: null,
        email_uuid: null,
        country_code: null,
        distinct_id: '=HYPERLINK("https://evil.example")',
        anonymous_id: 'line\nbreak, "quoted"',
        properties: { plan: 'pro' },
        outcome: 'counted',
      },
    ])
    const count = async (query: string) =>
      (await app.get(`/v1/analytics/events?${month}&${query}`)).body.pagination.total_count
    expect(await count('name=%24view')).toBe(1)
    expect(await count('name=%24click')).toBe(0)
    expect(await count('name=%24click&outcome=scanner')).toBe(1)
    expect(await count('outcome=any')).toBe(1)
  })

  it('are exported as CSV without spreadsheet formulas', async () => {
    const { headers, text } = await app.get(`/v1/analytics/export?${month}&outcome=any`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = text.split('\r\n')
    expect(lines[0]).toMatch(/^id,recorded_at,name,outcome,value,currency,/)
    expect(text).toContain(
      '"\'=HYPERLINK(""https://evil.example"")","line\nbreak, ""quoted""","{""plan"":""pro""}"',
    )
    expect(text).toContain(',purchase,counted,-12.5,EUR,')
    expect(text.match(/\$view|\$click/g)).toHaveLength(2)
    expect((await app.call('HEAD', '/v1/analytics/export')).text).toBe('')
    expect((await app.get('/v1/analytics/export?start_date=2021-01-01&end_date=2021-01-01')).text).toBe(
      `${lines[0]}\r\n`,
    )
  })

  it('are exported completely while they are being folded', async () => {
    const { db, id: workspaceId } = app
    const events = Array.from({ length: 2_500 }, (_, n) => ({
      workspaceId,
      id: newRow().id,
      recordedAt: new Date(Date.UTC(2021, 5, 1) + (n % 50) * 1_000),
      name: 'many',
      outcome: 'counted' as const,
    }))
    await insertEvents(db, workspaceId, events)
    const [{ text }] = await Promise.all([
      app.get('/v1/analytics/export?start_date=2021-06-01&end_date=2021-06-01'),
      foldTail(db),
    ])
    const ids = text
      .split('\r\n')
      .slice(1, -1)
      .map(line => line.slice(0, 36))
    expect(new Set(ids)).toEqual(new Set(events.map(event => event.id)))
    expect(ids).toHaveLength(2_500)
  })
})

describe('an export', () => {
  it('reads from PostgreSQL no faster than the client consumes it', async () => {
    const { db, id: workspaceId } = app
    for (let batch = 0; batch < 12; batch++) {
      const events = Array.from({ length: 1_000 }, (_, n) => ({
        workspaceId,
        id: newRow().id,
        recordedAt: new Date(Date.UTC(2019, 5, 1) + (batch * 1_000 + n) * 1_000),
        name: 'slow',
        outcome: 'counted' as const,
      }))
      await insertEvents(db, workspaceId, events)
    }
    let queryCount = 0
    const countingDb = {
      ...db,
      ...queriesBy(statement => {
        queryCount++
        return db.query(statement)
      }),
    }
    const query = { start_date: '2019-06-01', end_date: '2019-06-01', outcome: 'counted' }
    const stream = await exportEvents(countingDb, eventFilterOf(workspaceId, query, null))
    const reader = stream[Symbol.asyncIterator]()
    await reader.next()
    await sleep(200)
    expect(queryCount).toBeLessThanOrEqual(8) // of 24
    stream.destroy()
  })
})

describe('folding', () => {
  it('is done by a job that the recorder enqueues', async () => {
    await record({})
    await app.db.query(enqueueFold())
    await runAllJobs(app)
    expect(await app.db.query(sql`select from event_tail`)).toEqual([])
  })

  it('follows recording automatically, and events are readable before and after it', async () => {
    const event = { name: 'signup', user_id: 'u-1', value: 5 }
    const eventNames = async () =>
      (await app.get('/v1/analytics/events?distinct_id=u-1')).body.data.map(
        (row: { name: string }) => row.name,
      )
    expect((await app.post('/v1/analytics/events', { event })).status).toBe(202)
    expect(await eventNames()).toEqual(['signup'])
    const tailQuery = sql`select from event_tail where workspace_id = ${app.id}`
    const workAndReadTail = async () => {
      await runAllJobs(app)
      return app.db.query(tailQuery)
    }
    await expect.poll(workAndReadTail).toEqual([])
    expect(await eventNames()).toEqual(['signup'])
  })

  it('counts an event once when it is recorded again after folding', async () => {
    const { id, now } = newRow()
    const before = await totals()
    for (let round = 0; round < 3; round++) {
      await record({ id, recordedAt: now })
      await foldTail(app.db)
    }
    expect((await totals()).views).toBe(before.views + 1)
    expect((await recount(app.db, app.id)).wrongRows).toBe(0)
  })

  it('by concurrent workers loses and doubles no event during reads and writes', async () => {
    const { db, id: workspaceId } = app
    const before = (await totals()).views
    let done = false
    let recorded = 0
    const writing = (async () => {
      for (let n = 0; n < 40; n++) {
        const events = Array.from({ length: 50 }, () => {
          const { id, now } = newRow()
          return {
            workspaceId,
            id,
            recordedAt: now,
            name: '$view',
            outcome: 'counted' as const,
            teammateId: uuid(n % 7),
          }
        })
        await insertEvents(db, workspaceId, events)
        recorded += 50
      }
      done = true
    })()
    const folding = [1, 2, 3].map(async () => {
      while (!done) await foldTail(db, 30)
    })
    while (!done) {
      const minimum = recorded
      const { views } = await totals()
      expect(views - before).toBeGreaterThanOrEqual(minimum)
      expect(views - before).toBeLessThanOrEqual(recorded + 50)
      await sleep(1)
    }
    await Promise.all([writing, ...folding])
    while (await foldTail(db, 100));
    expect((await totals()).views).toBe(before + 2_000)
    expect((await recount(db, workspaceId)).wrongRows).toBe(0)
  })
})

describe('months', () => {
  it('are created in advance, also by several processes at once', async () => {
    const now = at('2031-11-20T00:00:00Z')
    await Promise.all([1, 2, 3].map(() => prepareMonths(app.db, now)))
    const tables = await app.db.query<{ name: string }>(sql`
      select relname as name from pg_class where relname ~ '^events_203[12]_\\d\\d$' order by 1`)
    expect(tables.map(table => table.name)).toEqual([
      'events_2031_11',
      'events_2031_12',
      'events_2032_01',
      'events_2032_02',
    ])
  })
})

describe('a recount', () => {
  it('finds wrong rollup rows and repairs them', async () => {
    const { db, id } = app
    await record({ recordedAt: at('2022-07-01T05:00:00Z'), teammateId: uuid(1) })
    await foldTail(db)
    const day = 'start_date=2022-07-01&end_date=2022-07-01'
    await db.query(
      sql`update event_counts set views = 7 where workspace_id = ${id} and span = 1 and day = '2022-07-01'`,
    )
    await db.query(sql`
      insert into event_counts (workspace_id, dimension, key, span, day, views, clicks)
      values (${id}, 'country', 'XX', 1, '2022-07-01', 1, 1)`)
    // In a span that has no events on any day.
    const start = dateOf(spanAround(at('2020-05-05T00:00:00Z'), 64).from)
    await db.query(sql`
      insert into event_counts (workspace_id, dimension, key, span, day, views, clicks)
      values (${id}, 'country', 'XX', 64, ${start}::date, 1, 1)`)
    await db.query(sql`delete from event_hours where workspace_id = ${id} and hour = '2022-07-01T05:00Z'`)
    expect((await totals(day)).views).toBe(7)
    const { wrongRows: wrong } = await recount(db, id)
    expect(wrong).toBe(5) // workspace day, teammate day, country day, hour, and the 64-day span
    expect((await totals(day)).views).toBe(1)
    expect((await totals(`${day}T10:00:00Z&interval=hour`)).views).toBe(1)
    expect(await recount(db, id)).toMatchObject({ wrongRows: 0 })
  })
})

describe('retention', () => {
  it('drops old events, a whole month when no workspace keeps it, and never the counts', async () => {
    const { db, id } = app
    const now = at('2021-04-15T12:00:00Z')
    const otherWorkspace = app.other
    const days = ['2020-10-05', '2021-03-05', '2021-04-10']
    for (const day of days)
      await record(
        { recordedAt: at(`${day}T01:00:00Z`), teammateId: uuid(1), signatureId: uuid(2) },
        { recordedAt: at(`${day}T01:00:00Z`), workspaceId: otherWorkspace.id },
      )
    while (await foldTail(db));
    const months = async () =>
      (
        await db.query<{ n: string }>(
          sql`select relname as n from pg_class where relname ~ '^events_202[01]_\\d\\d$' order by 1`,
        )
      ).map(row => row.n)
    const range = 'start_date=2020-01-01&end_date=2021-04-30'
    const countExported = async (key: string) =>
      (await app.get(`/v1/analytics/export?${range}`, { key })).text.split('\r\n').length - 2
    const before = await totals(range)
    await changeEventRetention(db, app.by, 30)
    await dropOldEvents(db, now)
    expect(await months()).toContain('events_2020_10') // the other workspace keeps everything
    expect([await countExported(app.key), await countExported(otherWorkspace.key)]).toEqual([1, 3])
    await changeEventRetention(db, otherWorkspace.by, 60)
    await dropOldEvents(db, now)
    expect(await months()).not.toContain('events_2020_10')
    expect(await months()).toContain('events_2021_03')
    expect([await countExported(app.key), await countExported(otherWorkspace.key)]).toEqual([1, 2])
    await changeEventRetention(db, app.by, null)
    expect(await recount(db, id)).toMatchObject({ wrongRows: 0 })
    expect(await totals(range)).toEqual(before)
    expect((await totals(`${range}&teammate_id=${uuid(1)}`)).views).toBe(3)
    // Two filters at once cannot be answered from rollups, only from the events.
    expect((await totals(`${range}&teammate_id=${uuid(1)}&signature_template_id=${uuid(2)}`)).views).toBe(1)
    await expect(changeEventRetention(db, otherWorkspace.by, 0)).rejects.toThrow()
  })
})
