import type { DedicatedDb } from '#kernel/db/database-session.ts'
import { type Db, raw, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import type { EventSource, NewEvent } from './event.ts'

const columns =
  raw(`workspace_id, recorded_at, id, name, outcome, click_id, signature_id, campaign_id, campaign_variant,
  teammate_id, email_id, anchor_id, country, value, currency, distinct_id, anonymous_id, properties`)

const insertion = (workspaceId: string, events: readonly NewEvent[]) => sql`
    insert into event_tail (${columns}, other_click_id)
    select ${workspaceId}::uuid, recorded_at, id, name, outcome, click_id, signature_id, campaign_id, campaign_variant,
      teammate_id, email_id, anchor_id, country, value, currency, distinct_id, anonymous_id, properties, other_click_id
    from ${rows('e', events, {
      recorded_at: ['timestamptz', event => event.recordedAt],
      id: ['uuid', event => event.id],
      name: ['text', event => event.name],
      outcome: ['text', event => event.outcome],
      click_id: ['uuid', event => event.clickId],
      signature_id: ['uuid', event => event.signatureId],
      campaign_id: ['uuid', event => event.campaignId],
      campaign_variant: ['text', event => event.campaignVariant],
      teammate_id: ['uuid', event => event.teammateId],
      email_id: ['uuid', event => event.emailId],
      anchor_id: ['text', event => event.anchorId],
      country: ['text', event => event.country],
      value: ['numeric', event => event.value],
      currency: ['text', event => event.currency],
      distinct_id: ['text', event => event.distinctId],
      anonymous_id: ['text', event => event.anonymousId],
      properties: ['jsonb', event => event.properties && JSON.stringify(event.properties)],
      other_click_id: ['text', event => event.otherClickId],
    })}
    on conflict do nothing`

/** For events of one workspace. An event that is in the tail already stays as it is. */
export const insertEvents = (db: Db, workspaceId: string, events: readonly NewEvent[]) =>
  db.query(insertion(workspaceId, events))

/**
 * Inserts events that can have been recorded before, and can even have left the tail. The order of the two statements
 * matters: the insert waits, by the key of the tail, for a transaction that is inserting or folding the same event, and
 * the delete then sees its result.
 */
export async function insertUnlessRecorded(
  tx: Db,
  workspaceId: string,
  events: readonly NewEvent[],
): Promise<void> {
  const inserted = await tx.query<{ recorded_at: Date; id: string }>(
    sql`${insertion(workspaceId, events)} returning recorded_at, id`,
  )
  if (inserted.length === 0) return
  const keys = (list: typeof inserted) =>
    rows('i', list, {
      recorded_at: ['timestamptz', row => row.recorded_at],
      id: ['uuid', row => row.id],
    })
  // Two statements, because in a cluster the tail is on another node than the events.
  const folded = await tx.query<(typeof inserted)[number]>(sql`
    select i.recorded_at, i.id from ${keys(inserted)}
    join events e on e.workspace_id = ${workspaceId} and e.recorded_at = i.recorded_at and e.id = i.id`)
  if (folded.length === 0) return
  await tx.query(sql`
    delete from event_tail t using ${keys(folded)}
    where t.workspace_id = ${workspaceId} and t.recorded_at = i.recorded_at and t.id = i.id`)
}

/** Inserts rows in COPY's text format, of one workspace: faster than any insert. */
export const copyEvents = (db: Pick<DedicatedDb, 'copy'>, rows: string) =>
  db.copy(sql`copy event_tail (${columns}) from stdin`, rows)

/** Answers the event_ids that this source has not used before. */
export async function claimEventIds(
  tx: Db,
  workspaceId: string,
  source: EventSource,
  eventIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  // Sorted, so that two transactions with the same ids cannot deadlock.
  const claimed = await tx.column<string>(sql`
    insert into event_ids (workspace_id, event_id, source, recorded_at)
    select ${workspaceId}::uuid, event_id, ${source}, ${now}::timestamptz(3) from unnest(${[...eventIds].sort()}::text[]) as event_id
    on conflict do nothing
    returning event_id`)
  return new Set(claimed)
}

/** The attributes that an event takes from the click that brought its visitor. */
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

/** Looks up by the whole primary key: a click's id holds its time. */
export async function findClicks(
  db: Db,
  workspaceId: string,
  clicks: readonly { readonly id: string; readonly at: Date }[],
): Promise<Map<string, Click>> {
  const list = rows('c', clicks, { id: ['uuid', click => click.id], at: ['timestamptz', click => click.at] })
  const foundIn = (table: Sql): Sql => sql`
    select e.id, e.signature_id as "signatureId", e.campaign_id as "campaignId", e.campaign_variant as "campaignVariant",
      e.teammate_id as "teammateId", e.email_id as "emailId", e.anchor_id as "anchorId", e.country
    from ${list} cross join lateral (
      select * from ${table}
      where workspace_id = ${workspaceId} and recorded_at = c.at and id = c.id and name = '$click' limit 1
    ) e`
  const stored = await db.query<Click>(sql`
    with unfolded as materialized (${foundIn(sql`event_tail`)}), folded as materialized (${foundIn(sql`events`)})
    select * from unfolded union all select * from folded`)
  return new Map(stored.map(click => [click.id, click]))
}

/** The user behind an anonymous id, and the source that said so. */
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

const sortedByKey = <T>(byKey: ReadonlyMap<string, T>): [string, T][] =>
  [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))

/** As text, because Citus refuses a parameter behind ON CONFLICT of INSERT … SELECT. */
const maxTraitBytes = raw('65536')

/**
 * An identity that the API has set is changed by the API alone. The traits of the anonymous visitor move to the user:
 * traits that the user has already win, and nothing moves if the sum would be too large. The anonymous visitor loses
 * the moved traits, because devices change hands. It keeps them when they came from the API and the identity from a web
 * page. Traits of a user whose id equals the anonymous id do not move.
 */
export async function saveIdentities(
  tx: Db,
  workspaceId: string,
  identities: ReadonlyMap<string, VisitorIdentity>,
  now: Date,
): Promise<void> {
  const sorted = sortedByKey(identities)
  const changed = await tx.query<VisitorIdentity & { readonly anonymousId: string }>(sql`
    insert into visitor_identities (workspace_id, anonymous_id, user_id, source, identified_at)
    select ${workspaceId}::uuid, anonymous_id, user_id, source, ${now}::timestamptz(3)
    from ${rows('i', sorted, {
      anonymous_id: ['text', ([id]) => id],
      user_id: ['text', ([, identity]) => identity.userId],
      source: ['text', ([, identity]) => identity.source],
    })}
    on conflict (workspace_id, anonymous_id) do update
      set user_id = excluded.user_id, source = excluded.source, identified_at = excluded.identified_at
      where (visitor_identities.user_id, visitor_identities.source) <> (excluded.user_id, excluded.source)
        and (excluded.source = 'api' or visitor_identities.source = 'beacon')
    returning anonymous_id as "anonymousId", user_id as "userId", source`)
  const moving = changed.filter(({ anonymousId, userId }) => anonymousId !== userId)
  if (moving.length === 0) return
  // The last condition matters in a cluster, where the parts run one after the other: a visitor who just got traits keeps
  // them. PostgreSQL does not show the last part the rows of the others.
  await tx.query(sql`
    with own as (
      select i.user_id, i.source, t.distinct_id, t.traits, t.api_traits
      from ${rows('i', moving, {
        anonymous_id: ['text', row => row.anonymousId],
        user_id: ['text', row => row.userId],
        source: ['text', row => row.source],
      })}
      join visitor_traits t on t.workspace_id = ${workspaceId} and t.distinct_id = i.anonymous_id and not t.is_user
    ),
    handed as (
      insert into visitor_traits (workspace_id, distinct_id, traits, api_traits, is_user, updated_at)
      select ${workspaceId}::uuid, user_id, traits, case source when 'api' then api_traits else '{}' end, true, ${now}::timestamptz(3)
      from own order by user_id
      on conflict (workspace_id, distinct_id) do update
        set traits = excluded.traits || visitor_traits.traits || excluded.api_traits || visitor_traits.api_traits,
          api_traits = excluded.api_traits || visitor_traits.api_traits, is_user = true, updated_at = excluded.updated_at
        where octet_length((excluded.traits || visitor_traits.traits)::text) <= ${maxTraitBytes}
      returning distinct_id
    )
    delete from visitor_traits t using own join handed on handed.distinct_id = own.user_id
    where t.workspace_id = ${workspaceId} and t.distinct_id = own.distinct_id
      and (own.source = 'api' or own.api_traits = '{}')
      and t.distinct_id <> all(array(select distinct_id from handed))`)
}

/** Traits of a visitor, as submissions bring them. */
export interface VisitorTraits {
  readonly traits: object
  /** The visitor is a user, not anonymous. */
  readonly isUser: boolean
}

/**
 * A new trait replaces the old one, but a web page cannot replace a trait of the API. Beyond 64 KB nothing is added;
 * traits of web pages are dropped to make room for traits of the API.
 */
export const mergeTraits = (
  tx: Db,
  workspaceId: string,
  source: EventSource,
  traits: ReadonlyMap<string, VisitorTraits>,
  now: Date,
) => {
  const sorted = sortedByKey(traits)
  const isApi = source === 'api'
  const newApiTraits = isApi ? sql`traits` : sql`'{}'::jsonb`
  const apiTraits = sql`visitor_traits.api_traits || excluded.api_traits`
  const allTraits = sql`visitor_traits.traits || excluded.traits || ${apiTraits}`
  const fits = (merged: Sql) => sql`octet_length((${merged})::text) <= ${maxTraitBytes}`
  return tx.query(sql`
    insert into visitor_traits (workspace_id, distinct_id, traits, api_traits, is_user, updated_at)
    select ${workspaceId}::uuid, distinct_id, traits, ${newApiTraits}, is_user, ${now}::timestamptz(3)
    from ${rows('t', sorted, {
      distinct_id: ['text', ([id]) => id],
      traits: ['jsonb', ([, visitor]) => JSON.stringify(visitor.traits)],
      is_user: ['boolean', ([, visitor]) => visitor.isUser],
    })}
    on conflict (workspace_id, distinct_id) do update
      set traits = case when ${fits(allTraits)} then ${allTraits} else ${apiTraits} end, api_traits = ${apiTraits},
        is_user = visitor_traits.is_user or excluded.is_user, updated_at = excluded.updated_at
      where ${fits(isApi ? apiTraits : allTraits)}`)
}

/** A part of the folding statement: deletes a workspace's events up to a moment from the tail and returns them. */
export const takeFromTail = (workspaceId: string, upTo: Date): Sql => sql`
  delete from event_tail where workspace_id = ${workspaceId} and recorded_at <= ${upTo} returning *`
