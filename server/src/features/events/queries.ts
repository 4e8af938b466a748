import { type Db, raw, type Sql, sql } from '#kernel/db.ts'
import type { DedicatedDb } from '#kernel/session.ts'
import type { EventSource, NewEvent } from './event.ts'

const of = <K extends keyof NewEvent>(events: readonly NewEvent[], key: K) =>
  events.map(event => event[key] ?? null)

const columns =
  raw(`workspace_id, recorded_at, id, name, outcome, click_id, signature_id, campaign_id, campaign_variant,
  teammate_id, email_id, anchor_id, country, value, currency, distinct_id, anonymous_id, properties`)

const insertion = (workspaceId: string, events: readonly NewEvent[]) => sql`
    insert into event_tail (${columns})
    select ${workspaceId}::uuid, e.* from unnest(${of(events, 'recordedAt')}::timestamptz[], ${of(events, 'id')}::uuid[],
      ${of(events, 'name')}::text[], ${of(events, 'outcome')}::text[], ${of(events, 'clickId')}::uuid[],
      ${of(events, 'signatureId')}::uuid[], ${of(events, 'campaignId')}::uuid[], ${of(events, 'campaignVariant')}::text[],
      ${of(events, 'teammateId')}::uuid[], ${of(events, 'emailId')}::uuid[], ${of(events, 'anchorId')}::text[],
      ${of(events, 'country')}::text[], ${of(events, 'value')}::numeric[], ${of(events, 'currency')}::text[],
      ${of(events, 'distinctId')}::text[], ${of(events, 'anonymousId')}::text[],
      ${events.map(event => (event.properties ? JSON.stringify(event.properties) : null))}::jsonb[]) as e
    on conflict do nothing`

/** Of one workspace. An event that is in the tail already stays as it is. */
export const insertEvents = (db: Db, workspaceId: string, events: readonly NewEvent[]) =>
  db.query(insertion(workspaceId, events))

/**
 * Events that may have been recorded before, and may even have left the tail. In this order: the key in the tail makes
 * us wait for whoever is inserting or folding the same event; what it has become of by then, the second statement sees.
 */
export async function insertOnce(tx: Db, workspaceId: string, events: readonly NewEvent[]): Promise<void> {
  const inserted = await tx.query<{ recorded_at: Date; id: string }>(
    sql`${insertion(workspaceId, events)} returning recorded_at, id`,
  )
  if (inserted.length === 0) return
  await tx.query(sql`
    delete from event_tail t
    using unnest(${inserted.map(row => row.recorded_at)}::timestamptz[], ${inserted.map(row => row.id)}::uuid[]) as i (recorded_at, id)
    where t.workspace_id = ${workspaceId} and t.recorded_at = i.recorded_at and t.id = i.id and exists (
      select from events e where e.workspace_id = ${workspaceId} and e.recorded_at = i.recorded_at and e.id = i.id)`)
}

/** Rows in COPY's text format, of one workspace: the fastest way in. */
export const copyEvents = (db: Pick<DedicatedDb, 'copy'>, rows: string) =>
  db.copy(sql`copy event_tail (${columns}) from stdin`, rows)

/** Those that nobody has sent this way before. */
export async function claimEventIds(
  tx: Db,
  workspaceId: string,
  source: EventSource,
  eventIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  // In one order for everybody, so that two who bring the same ones do not wait for each other.
  const claimed = await tx.query<{ event_id: string }>(sql`
    insert into event_ids (workspace_id, event_id, source, recorded_at)
    select ${workspaceId}::uuid, event_id, ${source}, ${now}::timestamptz(3) from unnest(${[...eventIds].sort()}::text[]) as event_id
    on conflict do nothing
    returning event_id`)
  return new Set(claimed.map(row => row.event_id))
}

/** What an event takes over from the click that brought its visitor. */
export interface Click {
  readonly id: string
  readonly signatureId: string | null
  readonly campaignId: string | null
  readonly campaignVariant: string | null
  readonly teammateId: string | null
  readonly emailId: string | null
  readonly anchorId: string | null
  readonly country: string | null
}

/** By the whole key, since a click's id tells when it was. */
export async function findClicks(
  db: Db,
  workspaceId: string,
  clicks: readonly { readonly id: string; readonly at: Date }[],
): Promise<Map<string, Click>> {
  const key = sql`workspace_id = ${workspaceId} and recorded_at = c.at and id = c.id and name = '$click'`
  const found = await db.query<Click>(sql`
    select e.id, e.signature_id as "signatureId", e.campaign_id as "campaignId", e.campaign_variant as "campaignVariant",
      e.teammate_id as "teammateId", e.email_id as "emailId", e.anchor_id as "anchorId", e.country
    from unnest(${clicks.map(click => click.id)}::uuid[], ${clicks.map(click => click.at)}::timestamptz[]) as c (id, at)
    cross join lateral (
      (select * from event_tail where ${key} limit 1) union all (select * from events where ${key} limit 1)
    ) e`)
  return new Map(found.map(click => [click.id, click]))
}

/** Who somebody anonymous is, and who said so. */
export interface VisitorIdentity {
  readonly userId: string
  readonly source: EventSource
}

export async function findIdentities(
  db: Db,
  workspaceId: string,
  anonymousIds: readonly string[],
): Promise<Map<string, VisitorIdentity>> {
  const rows = await db.query<VisitorIdentity & { readonly anonymousId: string }>(sql`
    select anonymous_id as "anonymousId", user_id as "userId", source from visitor_identities
    where workspace_id = ${workspaceId} and anonymous_id = any (${anonymousIds}::text[])`)
  return new Map(rows.map(({ anonymousId, ...identity }) => [anonymousId, identity]))
}

const inOrder = <T>(byKey: ReadonlyMap<string, T>): [string, T][] =>
  [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))

const atMostBytes = 65_536

/**
 * What the API said stays until it says otherwise. What was known of the anonymous visitor is handed on to whoever it
 * turned out to be, where that is not known of them already, and all of it fits. It leaves the anonymous visitor, since devices
 * change hands; unless the API told it, and a web page who it was. What is known of a user of the same name stays theirs.
 */
export async function saveIdentities(
  tx: Db,
  workspaceId: string,
  identities: ReadonlyMap<string, VisitorIdentity>,
  now: Date,
): Promise<void> {
  const sorted = inOrder(identities)
  const learned = await tx.query<VisitorIdentity & { readonly anonymousId: string }>(sql`
    insert into visitor_identities (workspace_id, anonymous_id, user_id, source, identified_at)
    select ${workspaceId}::uuid, anonymous_id, user_id, source, ${now}::timestamptz(3)
    from unnest(${sorted.map(([id]) => id)}::text[], ${sorted.map(([, { userId }]) => userId)}::text[],
      ${sorted.map(([, { source }]) => source)}::text[]) as i (anonymous_id, user_id, source)
    on conflict (workspace_id, anonymous_id) do update
      set user_id = excluded.user_id, source = excluded.source, identified_at = excluded.identified_at
      where (visitor_identities.user_id, visitor_identities.source) <> (excluded.user_id, excluded.source)
        and (excluded.source = 'api' or visitor_identities.source = 'beacon')
    returning anonymous_id as "anonymousId", user_id as "userId", source`)
  const others = learned.filter(({ anonymousId, userId }) => anonymousId !== userId)
  if (others.length === 0) return
  await tx.query(sql`
    with own as (
      select i.user_id, i.source, t.distinct_id, t.traits, t.api_traits
      from unnest(${others.map(one => one.anonymousId)}::text[], ${others.map(one => one.userId)}::text[],
        ${others.map(one => one.source)}::text[]) as i (anonymous_id, user_id, source)
      join visitor_traits t on t.workspace_id = ${workspaceId} and t.distinct_id = i.anonymous_id and not t.is_user
    ),
    handed as (
      insert into visitor_traits (workspace_id, distinct_id, traits, api_traits, is_user, updated_at)
      select ${workspaceId}::uuid, user_id, traits, case source when 'api' then api_traits else '{}' end, true, ${now}::timestamptz(3)
      from own order by user_id
      on conflict (workspace_id, distinct_id) do update
        set traits = excluded.traits || visitor_traits.traits || excluded.api_traits || visitor_traits.api_traits,
          api_traits = excluded.api_traits || visitor_traits.api_traits, is_user = true, updated_at = excluded.updated_at
        where octet_length((excluded.traits || visitor_traits.traits)::text) <= ${atMostBytes}
      returning distinct_id
    )
    delete from visitor_traits t using own join handed on handed.distinct_id = own.user_id
    where t.workspace_id = ${workspaceId} and t.distinct_id = own.distinct_id
      and (own.source = 'api' or own.api_traits = '{}')`)
}

/** What somebody told of a visitor. */
export interface VisitorTraits {
  readonly traits: object
  /** Not somebody anonymous. */
  readonly isUser: boolean
}

/**
 * What is told anew takes the place of what was, but for what the API told and a web page does. Beyond 64 KB nothing is added; what
 * web pages told has to make room for what the API does.
 */
export const mergeTraits = (
  tx: Db,
  workspaceId: string,
  source: EventSource,
  traits: ReadonlyMap<string, VisitorTraits>,
  now: Date,
) => {
  const sorted = inOrder(traits)
  const isApi = source === 'api'
  const fromApi = isApi ? sql`traits` : sql`'{}'::jsonb`
  const ofApi = sql`visitor_traits.api_traits || excluded.api_traits`
  const whole = sql`visitor_traits.traits || excluded.traits || ${ofApi}`
  const fits = (merged: Sql) => sql`octet_length((${merged})::text) <= ${atMostBytes}`
  return tx.query(sql`
    insert into visitor_traits (workspace_id, distinct_id, traits, api_traits, is_user, updated_at)
    select ${workspaceId}::uuid, distinct_id, traits, ${fromApi}, is_user, ${now}::timestamptz(3)
    from unnest(${sorted.map(([id]) => id)}::text[], ${sorted.map(([, told]) => JSON.stringify(told.traits))}::jsonb[],
      ${sorted.map(([, told]) => told.isUser)}::boolean[]) as t (distinct_id, traits, is_user)
    on conflict (workspace_id, distinct_id) do update
      set traits = case when ${fits(whole)} then ${whole} else ${ofApi} end, api_traits = ${ofApi},
        is_user = visitor_traits.is_user or excluded.is_user, updated_at = excluded.updated_at
      where ${fits(isApi ? ofApi : whole)}`)
}

/** To be part of a statement that keeps them elsewhere: those of a workspace up to a moment leave the tail. */
export const takeFromTail = (workspaceId: string, upTo: Date): Sql => sql`
  delete from event_tail where workspace_id = ${workspaceId} and recorded_at <= ${upTo} returning *`
