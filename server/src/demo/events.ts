// A year of realistic views, clicks and website events for the people and signatures of the demo. Deterministic: the
// same people and the same day give the same events.
import { type Content, linkSources, safeUrl } from '@signoff/render'
import { foldTail } from '#features/measurement/analytics/index.ts'
import {
  clickEvent,
  type EventOutcome,
  insertEvents,
  mergeTraits,
  type NewEvent,
  type VisitorTraits,
  viewEvent,
} from '#features/measurement/events/index.ts'
import { day, hour } from '#kernel/base/durations.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { endedSpan, liveSince } from './campaigns.ts'
import { liveSignatures, standardName } from './signatures.ts'

const days = 365

export interface DemoPerson {
  readonly teammate_id: string
  readonly email_id: string
  readonly address: string
}

/** The teammates of the demo, in the order of their addresses. */
export const peopleOf = (db: Db, workspaceId: string) =>
  db.query<DemoPerson>(sql`
    select teammate_id, id as email_id, address from emails
    where workspace_id = ${workspaceId} and deleted_at is null and is_primary and address_key like '%@northbean.example'
    order by address_key`)

async function findStandardId(db: Db, workspaceId: string): Promise<string | null> {
  const id = await db.value<string>(sql`
    select id from signatures where workspace_id = ${workspaceId} and name = ${standardName} order by id limit 1`)
  return id ?? null
}

interface ShownBanner {
  /** Null: the campaign compares no variants. */
  readonly variant: string | null
  readonly content: Content | null
}

interface DemoCampaign {
  readonly id: string
  readonly status: 'active' | 'ended'
  readonly banners: readonly ShownBanner[]
}

/** The oldest campaign that is active, and the oldest that has ended. */
const campaignsOf = (db: Db, workspaceId: string) =>
  db.query<DemoCampaign>(sql`
    select distinct on (status) id, status, case when variants = '[]'
      then jsonb_build_array(jsonb_build_object('variant', null, 'content', content))
      else (select jsonb_agg(jsonb_build_object('variant', v -> 'id', 'content', v -> 'content')) from jsonb_array_elements(variants) v)
      end as banners
    from marketing_campaigns where workspace_id = ${workspaceId} and status in ('active', 'ended') order by status, id`)

/** The ids of links that lead to websites, by the id of the signature. */
async function linksOfSignatures(db: Db, workspaceId: string): Promise<Map<string, readonly string[]>> {
  const rows = await db.query<{ id: string; content: Content }>(
    sql`select id, content from signatures where workspace_id = ${workspaceId} and content is not null`,
  )
  return new Map(rows.map(({ id, content }) => [id, webLinksOf(content)]))
}

const webLinksOf = (content: Content | null): readonly string[] =>
  (content ? linkSources(content) : []).flatMap(source =>
    'href' in source && (source.href.smartFieldUuid || safeUrl(source.href.text ?? '')?.startsWith('http'))
      ? [source.id]
      : [],
  )

/** The campaign that ran so many days ago. */
const campaignOn = (campaigns: readonly DemoCampaign[], daysAgo: number): DemoCampaign | undefined =>
  campaigns.find(({ status }) =>
    status === 'active' ? daysAgo < liveSince : daysAgo < endedSpan.from && daysAgo >= endedSpan.to,
  )

const hasEvents = (db: Db, workspaceId: string) =>
  db.hasRows(sql`
    (select 1 from event_tail where workspace_id = ${workspaceId} limit 1)
    union all (select 1 from events where workspace_id = ${workspaceId} limit 1)`)

/** Seeded random numbers, from 0 to below 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A frequent value is listed several times, so that a random pick returns it more often. */
const countries = 'GB GB GB GB GB GB DE DE DE DE PT PT FR FR US US US NL ES IT SE JP BR'.split(' ')
const uncountedOutcomes: readonly EventOutcome[] = ['bot', 'scanner', 'prefetch', 'head']
const currencies: Readonly<Record<string, string>> = { GB: 'GBP', US: 'USD', JP: 'JPY', SE: 'SEK', BR: 'BRL' }
/** Mails are opened during working hours, and some in the evening. */
const hours = [7, 8, 8, 9, 9, 9, 10, 10, 11, 11, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 18, 20, 21]

/** The department signatures went live on this day; before, all people had the standard one. */
const firstOwnDay = 200

export interface DemoSubjects {
  readonly people: readonly DemoPerson[]
  readonly standardId: string | null
  /** The id of the signature that each address gets now. */
  readonly liveIds: ReadonlyMap<string, string>
  readonly campaigns: readonly DemoCampaign[]
  /** The ids of links by the id of the signature. */
  readonly links: ReadonlyMap<string, readonly string[]>
}

export function* demoEvents(
  workspaceId: string,
  { people, standardId, liveIds, campaigns, links }: DemoSubjects,
  now: Date,
): Generator<NewEvent> {
  const random = createRandom(20_261_116)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const idAt = (at: number): string => {
    const hex = (digits: number) =>
      Math.floor(random() * 16 ** digits)
        .toString(16)
        .padStart(digits, '0')
    const time = at.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`
  }
  const today = Math.floor(now.getTime() / day) * day

  for (let n = 0; n < days; n++) {
    const date = today - (days - 1 - n) * day
    const weekday = new Date(date).getUTCDay()
    const busyness =
      (weekday === 0 || weekday === 6 ? 0.06 : 0.8 + 0.2 * Math.sin(weekday)) * (0.6 + (0.8 * n) / days)
    const liveCampaign = campaignOn(campaigns, days - 1 - n)
    for (const [index, { teammate_id: teammateId, email_id: emailId }] of people.entries()) {
      const banner = liveCampaign?.banners[index % liveCampaign.banners.length]
      const signatureId = (n > firstOwnDay ? liveIds.get(emailId) : undefined) ?? standardId
      const ownLinks = links.get(signatureId ?? '') ?? []
      const bannerLinks = webLinksOf(banner?.content ?? null)
      // The first link, and the banner, are clicked more often than the others.
      const anchors = [...ownLinks.slice(0, 1), ...ownLinks, ...bannerLinks, ...bannerLinks]
      const expected = 1.1 * busyness * (index % 5 === 0 ? 1.8 : 1)
      const mailCount = Math.floor(2 * expected * random() + random())
      for (let mail = 0; mail < mailCount; mail++) {
        const at = date + pick(hours) * hour + Math.floor(random() * hour)
        const fields = {
          workspaceId,
          signatureId,
          campaignId: liveCampaign?.id ?? null,
          campaignVariant: banner?.variant ?? null,
          teammateId,
          emailId,
          country: random() < 0.7 ? pick(countries) : null,
        }
        const outcome: EventOutcome = random() < 0.05 ? pick(uncountedOutcomes) : 'counted'
        if (at < now.getTime())
          yield { ...fields, id: idAt(at), recordedAt: new Date(at), name: viewEvent, outcome }
        if (random() > 0.07 || anchors.length === 0) continue
        const clickedAt = at + 2_000 + Math.floor(random() * 90_000)
        if (clickedAt >= now.getTime()) continue
        const clickId = idAt(clickedAt)
        const click = { ...fields, clickId, anchorId: pick(anchors) }
        yield { ...click, id: clickId, recordedAt: new Date(clickedAt), name: clickEvent, outcome }
        if (outcome === 'counted') yield* visitEvents(click, clickedAt)
      }
    }
  }

  /** Some visitors view the prices after a click, and few of them buy. */
  function* visitEvents(click: Omit<NewEvent, 'id' | 'recordedAt' | 'name' | 'outcome'>, clickedAt: number) {
    if (random() > 0.4) return
    const visitor = Math.floor(random() * 150)
    const visitorIds = { distinctId: `customer-${visitor}`, anonymousId: `browser-${visitor}` }
    const websiteEvent = (name: string, seconds: number, more: Partial<NewEvent>): NewEvent => {
      const at = Math.min(clickedAt + seconds * 1_000, now.getTime() - 1)
      return {
        ...click,
        ...visitorIds,
        ...more,
        id: idAt(at),
        recordedAt: new Date(at),
        name,
        outcome: 'counted',
      }
    }
    yield websiteEvent('pricing_viewed', 30, { properties: { page: '/wholesale' } })
    if (random() < 0.35)
      yield websiteEvent('signup', 240, { properties: { plan: pick(['starter', 'roastery']) } })
    if (random() < 0.2)
      yield websiteEvent('purchase', 600, {
        value: Math.round(30 + random() * 400) + 0.9,
        currency: currencies[click.country ?? ''] ?? 'EUR',
        properties: { bags: 1 + Math.floor(random() * 12) },
      })
  }
}

const firstNames = ['Amal', 'Bruno', 'Chiara', 'Dana', 'Emil', 'Freya', 'Goran', 'Hana']
const trades = ['Café', 'Bakery', 'Hotel', 'Bookshop', 'Office', 'Bistro', 'Grocer']

/** Traits of the visitors in these events. */
export function demoTraits(events: readonly NewEvent[]): Map<string, VisitorTraits> {
  const ids = new Set(events.flatMap(event => event.distinctId ?? []))
  return new Map(
    [...ids].map(id => {
      const number = Number(id.replace(/\D/g, ''))
      const name = firstNames[number % firstNames.length]
      const company = `${trades[number % trades.length]} ${number}`
      return [id, { traits: { name, company, email: `${id}@example.com` }, isUser: true }]
    }),
  )
}

/** Returns how many events it created: 0 when the workspace has events already. */
export async function fillDemoEvents(db: Db, workspaceId: string): Promise<number> {
  if (await hasEvents(db, workspaceId)) return 0
  const people = await peopleOf(db, workspaceId)
  const live = await liveSignatures(
    db,
    workspaceId,
    people.map(({ email_id }) => email_id),
  )
  const standardId = await findStandardId(db, workspaceId)
  const liveIds = new Map([...live].map(([emailId, { signature_id }]) => [emailId, signature_id]))
  const campaigns = await campaignsOf(db, workspaceId)
  const now = new Date()
  const links = await linksOfSignatures(db, workspaceId)
  const subjects = { people, standardId, liveIds, campaigns, links }
  const events = [...demoEvents(workspaceId, subjects, now)]
  await mergeTraits(db, workspaceId, 'api', demoTraits(events), now)
  for (let from = 0; from < events.length; from += 5_000)
    await insertEvents(db, workspaceId, events.slice(from, from + 5_000))
  while (await foldTail(db));
  return events.length
}
