// Property test: at any moment between recording and folding, every answer equals a plain recount of all events.
import { parse } from 'node:querystring'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertEvents, type NewEvent } from '#features/measurement/events/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { foldTail, recount } from './index.ts'

let app: TestApp
/** The same service, reading as in a cluster. */
let distributed: TestApp
beforeAll(async () => {
  app = await testApp()
  const { connection, other, id, key, by } = app
  distributed = await testApp({
    connection,
    workspaces: { own: { id, key, by }, other },
    isDistributed: true,
  })
})

const uuid = (kind: string, n: number) => `${kind}0000000-0000-7000-8000-00000000000${n}`
const signatures = [1, 2, 3].map(n => uuid('a', n))
const campaigns = [1, 2].map(n => uuid('b', n))
const teammates = [1, 2, 3, 4].map(n => uuid('c', n))
const visitors = ['v1', 'v2', 'anonymous-1', '=SUM(1)']
const identity = { anonymous: 'anonymous-1', user: 'v1' }

/** Days around month ends, a year end, a leap day and daylight saving changes. */
const days =
  '2025-12-30 2025-12-31 2026-01-01 2026-02-28 2026-03-01 2026-03-28 2026-03-29 2026-03-30 2026-10-24 2026-10-25 2026-10-26 2026-11-01 2028-02-28 2028-02-29 2028-03-01'.split(
    ' ',
  )

type Event = NewEvent & { readonly at: number }

let serial = 0
function idAt(at: number): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${(++serial).toString(16).padStart(12, '0')}`
}

const maybe = <T>(values: readonly T[]) => fc.constantFrom(null, ...values)
const timeOfDay = fc.oneof(
  fc.constantFrom(0, 1, 86_399_999, 3_600_000),
  fc.integer({ min: 0, max: 86_399_999 }),
)
const aMoment = fc
  .tuple(fc.constantFrom(...days), timeOfDay)
  .map(([day, time]) => new Date(`${day}T00:00:00Z`).getTime() + time)

const anEvent = fc.record({
  at: aMoment,
  name: fc.constantFrom('$view', '$view', '$view', '$click', '$click', 'purchase', 'signup'),
  outcome: fc.constantFrom(
    'counted' as const,
    'counted' as const,
    'counted' as const,
    'bot' as const,
    'head' as const,
  ),
  signatureId: maybe(signatures),
  campaignId: maybe(campaigns),
  campaignVariant: maybe(['a', 'b', 'ü:1']),
  teammateId: maybe(teammates),
  country: maybe(['DE', 'US', 'JP']),
  anchorId: maybe(['button', 'logo']),
  value: maybe([1, 2.5, 49.99]),
  currency: maybe(['EUR', 'USD']),
  distinctId: maybe(visitors),
  anonymousId: maybe(visitors),
})

const aDate = fc.oneof(
  fc.constantFrom(...days),
  aMoment.map(at => new Date(at).toISOString()),
  aMoment.map(at => `${new Date(at + 7_200_000).toISOString().slice(0, 19)}+02:00`),
)
const filters = {
  signature_template_id: fc.constantFrom(...signatures),
  marketing_campaign_id: fc.constantFrom(...campaigns),
  teammate_id: fc.constantFrom(...teammates),
}
const dates = { start_date: aDate, end_date: aDate }
const paging = { page: fc.integer({ min: 1, max: 3 }), limit: fc.constantFrom(1, 2, 5, 100) }
const eventFilters = {
  ...dates,
  ...filters,
  name: fc.constantFrom('$view', '$click', 'purchase', 'nothing'),
  outcome: fc.constantFrom('counted', 'bot', 'any'),
  distinct_id: fc.constantFrom(...visitors),
}
const dimension = fc.constantFrom(
  'signature_template',
  'marketing_campaign',
  'campaign_variant',
  'teammate',
  'country',
  'anchor',
)
/** Half of the queries have no filter: these are answered from rollups only. */
const withFilters = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: (keyof T & string)[]) =>
  fc
    .tuple(
      fc.record(shape, { requiredKeys: ['start_date', 'end_date', ...required] as never }),
      fc.constantFrom('none', 'none', 'one', 'any'),
    )
    .map(([query, filterCount]) => {
      const keptFilters = Object.keys(filters).slice(0, filterCount === 'one' ? 1 : 0)
      return filterCount === 'any'
        ? query
        : Object.fromEntries(
            Object.entries(query).filter(([name]) => !(name in filters) || keptFilters.includes(name)),
          )
    })
const dayOrMore = fc.constantFrom('day', 'week', 'month')

const aQuestion = fc.oneof(
  withFilters({ ...dates, ...filters, interval: dayOrMore }, []).map(query => ({ path: 'overview', query })),
  fc
    .tuple(
      withFilters({ ...dates, ...filters, interval: fc.constant('hour') }, ['interval']),
      fc.constantFrom(...days),
    )
    .map(([query, day]) => ({
      path: 'overview',
      query: { ...query, start_date: day, end_date: `${day}T23:59:59Z` },
    })),
  withFilters(
    {
      ...dates,
      ...filters,
      ...paging,
      dimension,
      order_by: fc.constantFrom('views', 'clicks', 'clickthrough_rate'),
      order: fc.constantFrom('asc', 'desc'),
    },
    ['dimension'],
  ).map(query => ({ path: 'breakdown', query })),
  fc
    .tuple(
      fc.constantFrom('views', 'clicks'),
      withFilters({ ...dates, ...filters, granularity: dayOrMore }, []),
    )
    .map(([path, query]) => ({ path, query })),
  fc
    .tuple(
      fc.constantFrom('views', 'clicks'),
      withFilters({ ...dates, ...filters, ...paging, group_by: dimension }, ['group_by']),
    )
    .map(([path, query]) => ({ path, query })),
  withFilters({ ...eventFilters, ...paging }, []).map(query => ({ path: 'events', query })),
  withFilters(
    {
      ...eventFilters,
      ...paging,
      group_by: fc.constantFrom(
        'name',
        'signature_template',
        'teammate',
        'anchor',
        'country',
        'currency',
        'user',
      ),
    },
    [],
  ).map(query => ({ path: 'events/summary', query })),
  withFilters({ ...eventFilters, ...paging }, []).map(query => ({ path: 'visitors', query })),
  withFilters(eventFilters, []).map(query => ({ path: 'export', query })),
)

const aStep = fc.oneof(
  { weight: 2, arbitrary: fc.array(anEvent, { maxLength: 30 }).map(record => ({ record })) },
  {
    weight: 1,
    arbitrary: fc.array(anEvent, { maxLength: 10 }).map(recordElsewhere => ({ recordElsewhere })),
  },
  { weight: 1, arbitrary: fc.constantFrom(1, 3, 100).map(fold => ({ fold })) },
  { weight: 4, arbitrary: aQuestion.map(ask => ({ ask })) },
)

// The recount. It shares no code with the implementation.

type Query = Record<string, string>

function rangeOf({ start_date = '', end_date = '' }: Query): [number, number] {
  const isDay = (text: string) => text.length === 10
  const moment = (text: string) => Date.parse(isDay(text) ? `${text}T00:00:00Z` : text)
  return [moment(start_date), moment(end_date) + (isDay(end_date) ? 86_400_000 : 0)]
}

const filterEvents = (events: readonly Event[], query: Query) => {
  const [from, to] = rangeOf(query)
  const matches = (expectedValue: string | undefined, actual: unknown) =>
    expectedValue === undefined || expectedValue === actual
  return events.filter(
    event =>
      event.at >= from &&
      event.at < to &&
      matches(query.signature_template_id, event.signatureId) &&
      matches(query.marketing_campaign_id, event.campaignId) &&
      matches(query.teammate_id, event.teammateId),
  )
}

const counts = (events: readonly Event[]) => {
  const views = events.filter(event => event.name === '$view').length
  const clicks = events.filter(event => event.name === '$click').length
  return { views, clicks, clickthrough_rate: views === 0 ? 0 : Number((clicks / views).toFixed(6)) }
}

function periodOf(at: number, interval: string): string {
  const date = new Date(at)
  if (interval === 'hour') return `${date.toISOString().slice(0, 13)}:00:00.000Z`
  if (interval === 'month') return `${date.toISOString().slice(0, 7)}-01`
  while (interval === 'week' && date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}

function seriesOf(events: readonly Event[], query: Query, interval: string) {
  const [from, to] = rangeOf(query)
  const names = new Set<string>()
  const step = interval === 'hour' ? 3_600_000 : 86_400_000
  for (let at = from - (from % step); from < to && at < to; at += step) names.add(periodOf(at, interval))
  return [...names].map(period => ({
    period,
    ...counts(events.filter(event => periodOf(event.at, interval) === period)),
  }))
}

const keyOf = (event: Event, dimension: string): string | null | undefined => {
  const { campaignId, campaignVariant } = event
  return {
    signature_template: event.signatureId,
    marketing_campaign: campaignId,
    campaign_variant: campaignId && campaignVariant ? `${campaignId}:${campaignVariant}` : null,
    teammate: event.teammateId,
    country: event.country,
    anchor: event.anchorId,
    name: event.name,
    currency: event.currency,
    user: person(event),
  }[dimension]
}

function page<T>(rows: readonly T[], query: Query) {
  const [number, limit] = [Number(query.page ?? 1), Number(query.limit ?? 50)]
  const total_pages = Math.ceil(rows.length / limit)
  return {
    data: rows.slice((number - 1) * limit, number * limit),
    pagination: {
      page: number,
      limit,
      total_count: rows.length,
      total_pages,
      has_more: number < total_pages,
    },
  }
}

const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

function groupBy(events: readonly Event[], dimension: string) {
  const groups = new Map<string, Event[]>()
  for (const event of events) {
    const key = keyOf(event, dimension)
    if (key) groups.set(key, [...(groups.get(key) ?? []), event])
  }
  return [...groups].map(([id, group]) => ({ id, group }))
}

const sum = (events: readonly Event[]) =>
  Number(events.reduce((total, event) => total + (event.value ?? 0), 0).toFixed(2))
const newestFirst = (a: Event, b: Event) => b.at - a.at || byText(b.id, a.id)
/** A user id is final; an anonymous id can be linked to a user later. */
const person = ({ distinctId, anonymousId }: Event) =>
  distinctId === identity.anonymous && anonymousId === distinctId ? identity.user : distinctId
const personIdsOf = (id: string) => [id, ...(id === identity.anonymous ? [identity.user] : [])]
const isListed =
  ({ name = '', outcome = 'counted', distinct_id }: Query, path: string) =>
  (event: Event) =>
    (name === '' ? path === 'export' || !event.name.startsWith('$') : event.name === name) &&
    (outcome === 'any' || event.outcome === outcome) &&
    (distinct_id === undefined ||
      (path === 'visitors' || path === 'events/summary'
        ? personIdsOf(distinct_id).includes(person(event) ?? '')
        : event.distinctId === distinct_id))

/** The API shows the id of a variant without its campaign. */
const withPlainId = <T extends { readonly id: string }>(row: T): T => ({
  ...row,
  id: row.id.replace(/^b[0-9a-f-]{35}:/, ''),
})

function expectedAnswer(path: string, query: Query, recorded: readonly Event[]): unknown {
  const events = filterEvents(recorded, query)
  const hits = events.filter(event => event.outcome === 'counted' && event.name.startsWith('$'))
  if (path === 'overview') {
    const { interval = 'day' } = query
    return { totals: counts(hits), series: seriesOf(hits, query, interval) }
  }
  if (path === 'views' || path === 'clicks') {
    const { group_by, granularity = 'day' } = query
    if (group_by) {
      const rows = groupBy(hits, group_by).map(({ id, group }) => ({ id, ...counts(group) }))
      rows.sort((a, b) => b[path] - a[path] || byText(a.id, b.id))
      return page(
        rows.map(withPlainId).map(({ id, views, clicks, clickthrough_rate }) => ({
          id,
          view_count: views,
          click_count: clicks,
          clickthrough_rate,
        })),
        query,
      )
    }
    const data = seriesOf(hits, query, granularity).map(point => ({
      period: point.period,
      count: point[path],
    }))
    return { data, totals: { count: counts(hits)[path] } }
  }
  if (path === 'breakdown') {
    const { dimension = '', order_by = 'views', order = 'desc' } = query
    const column = order_by as 'views'
    const rows = groupBy(hits, dimension).map(({ id, group }) => ({ id, ...counts(group) }))
    const sign = order === 'asc' ? 1 : -1
    return page(
      rows.sort((a, b) => sign * (a[column] - b[column]) || byText(a.id, b.id)).map(withPlainId),
      query,
    )
  }
  const listedEvents = events.filter(isListed(query, path)).sort(newestFirst)
  if (path === 'export') return listedEvents.map(event => event.id)
  if (path === 'events')
    return page(
      listedEvents.map(event => [
        event.recordedAt.toISOString(),
        event.name,
        event.outcome,
        event.value,
        event.teammateId,
      ]),
      query,
    )
  if (path === 'visitors') {
    const visitorRows = groupBy(listedEvents, 'user').map(({ id, group }) => ({
      distinct_id: id,
      traits: id === identity.user ? { plan: 'pro' } : null,
      event_count: group.length,
      value: sum(group),
      first_seen_at: new Date(Math.min(...group.map(event => event.at))).toISOString(),
      last_seen_at: new Date(Math.max(...group.map(event => event.at))).toISOString(),
    }))
    return page(
      visitorRows.sort(
        (a, b) => byText(b.last_seen_at, a.last_seen_at) || byText(a.distinct_id, b.distinct_id),
      ),
      query,
    )
  }
  const groups = groupBy(listedEvents, query.group_by ?? 'name').map(({ id, group }) => ({
    id,
    count: group.length,
    value: sum(group),
  }))
  return {
    ...page(
      groups.sort((a, b) => b.count - a.count || byText(a.id, b.id)),
      query,
    ),
    totals: { count: listedEvents.length, value: sum(listedEvents) },
  }
}

/** Converts a response into the shape that the recount produces. */
// biome-ignore lint/suspicious/noExplicitAny: the body of any response
function readAnswer(path: string, body: any, text: string): unknown {
  const withoutLabel = ({ label: _, ...row }: { label?: string }) => row
  if (path === 'export')
    return text
      .split('\r\n')
      .slice(1, -1)
      .map(line => line.split(',')[0])
  if (path === 'overview') return { totals: body.data.totals, series: body.data.series }
  if (path === 'events') {
    const cellsOf = (event: Query) => [
      event.recorded_at,
      event.name,
      event.outcome,
      event.value,
      event.teammate_uuid,
    ]
    return { data: body.data.map(cellsOf), pagination: body.pagination }
  }
  return { ...body, data: body.data.map(withoutLabel) }
}

async function ask(
  workspace: TestWorkspace,
  path: string,
  query: object,
  recorded: readonly Event[],
): Promise<void> {
  const search = new URLSearchParams(query as Query)
  const plainQuery = Object.fromEntries(Object.entries(parse(search.toString()))) as Query
  const url = `/v1/analytics/${path}?${search}`
  const answer = await app.get(url, { key: workspace.key })
  if (path === 'overview') expect((await distributed.get(url, { key: workspace.key })).text).toBe(answer.text)
  const [from, to] = rangeOf(plainQuery)
  if (plainQuery.end_date?.length === 10 ? from >= to : from > to)
    return expect([answer.status, answer.body.details[0].field]).toEqual([422, 'end_date'])
  expect(answer.status, answer.text).toBe(200)
  expect(readAnswer(path, answer.body, answer.text), `${path}?${search}`).toEqual(
    expectedAnswer(path, plainQuery, recorded),
  )
}

async function workspaceWithIdentity(): Promise<TestWorkspace> {
  const workspace = await app.workspace('Recount')
  await app.db.query(sql`
    insert into visitor_identities (workspace_id, anonymous_id, user_id, identified_at)
    values (${workspace.id}, ${identity.anonymous}, ${identity.user}, now())`)
  await app.db.query(sql`
    insert into visitor_traits (workspace_id, distinct_id, traits, updated_at)
    values (${workspace.id}, ${identity.user}, '{"plan":"pro"}', now())`)
  return workspace
}

const runs = Number(process.env.RECOUNT_RUNS ?? 15)

describe('every answer', () => {
  it('equals a plain recount of all events, before and after folding', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 25 }), async steps => {
        const [mainWorkspace, otherWorkspace] = [await workspaceWithIdentity(), await workspaceWithIdentity()]
        const recorded: Event[] = []
        const record = async (
          { id }: TestWorkspace,
          events: readonly Omit<Event, 'id' | 'recordedAt' | 'workspaceId'>[],
        ) => {
          const completeEvents = events.map(event => ({
            ...event,
            workspaceId: id,
            id: idAt(event.at),
            recordedAt: new Date(event.at),
          }))
          await insertEvents(app.db, id, completeEvents)
          return completeEvents
        }
        for (const step of steps) {
          if ('record' in step) recorded.push(...(await record(mainWorkspace, step.record)))
          else if ('recordElsewhere' in step) await record(otherWorkspace, step.recordElsewhere)
          else if ('fold' in step) await foldTail(app.db, step.fold)
          else await ask(mainWorkspace, step.ask.path, step.ask.query, recorded)
        }
        while (await foldTail(app.db, 100));
        for (const workspace of [mainWorkspace, otherWorkspace])
          expect((await recount(app.db, workspace.id)).wrongRows).toBe(0)
        for (const step of steps)
          if ('ask' in step) await ask(mainWorkspace, step.ask.path, step.ask.query, recorded)
      }),
      { numRuns: runs },
    )
  })
})
