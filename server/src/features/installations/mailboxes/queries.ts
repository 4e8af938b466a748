import { type Db, type Sql, sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
import { comparisonKey } from '#kernel/text.ts'
import type { Connection } from '../channel.ts'
import { enqueueReconcileEmails } from '../reconcile/enqueue.ts'
import { installationsAt, markUninstalled } from '../reconcile/queries.ts'

/** A connection that is pushed through belongs to an integration. */
export type PushConnection = Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>

/** A mailbox as comparing sees it. */
export interface Mailbox {
  readonly email_id: string
  readonly integration_id: string
  readonly written_sha256: string | null
  readonly written_origin: string | null
  readonly tried_sha256: string | null
  readonly is_due: boolean
  readonly is_claimed: boolean
}

export const mailboxesOf = (db: Db, workspaceId: string, emailIds: readonly string[]): Promise<Mailbox[]> =>
  db.query(sql`
    select email_id, integration_id, written_sha256, written_origin, tried_sha256, due_at is not null as is_due,
      claimed_until is not null as is_claimed
    from mailboxes
    where workspace_id = ${workspaceId} and email_id = any(${emailIds}::uuid[])`)

/**
 * Nobody notes what came of a claim on one of these until the transaction has ended: what is compared does not change under the
 * eyes of whoever compares it. Those that are not due have nobody at them. (One condition, because by a plan that was made while
 * there were few mailboxes the index of those that are due would be read whole.)
 */
export const lockDueMailboxes = (tx: Db, workspaceId: string, emailIds: readonly string[]) =>
  hold(tx, sql`workspace_id = ${workspaceId} and greatest(due_at, claimed_until) is not null`, emailIds)

/** In one order, or two would wait for each other. */
const hold = (tx: Db, which: Sql, emailIds: readonly string[]) =>
  tx.query(sql`
    select from mailboxes where ${which} and email_id = any(${emailIds}::uuid[])
    order by email_id, integration_id
    for no key update`)

export interface DueRequest {
  readonly emailId: string
  readonly integrationId: string
  /** Whatever is there, it is written once more. */
  readonly isForced: boolean
}

/** To be looked at, from now. What was disconnected meanwhile is left out. */
export const markDue = (tx: Db, workspaceId: string, looks: readonly DueRequest[]) =>
  tx.query(sql`
    insert into mailboxes as m (workspace_id, email_id, integration_id, is_forced, due_at)
    select ${workspaceId}::uuid, l.email_id, x.id, l.is_forced, now()
    from unnest(${looks.map(look => look.emailId)}::uuid[], ${looks.map(look => look.integrationId)}::uuid[],
      ${looks.map(look => look.isForced)}::boolean[]) as l (email_id, integration_id, is_forced)
    join integrations x on x.workspace_id = ${workspaceId} and x.id = l.integration_id and x.deleted_at is null
    order by l.email_id, x.id
    on conflict (workspace_id, email_id, integration_id) do update
      set revision = m.revision + 1, due_at = excluded.due_at, attempts = 0, is_forced = m.is_forced or excluded.is_forced,
        tried_sha256 = case when excluded.is_forced then null else m.tried_sha256 end`)

export interface RenderKeyChange {
  readonly emailId: string
  readonly integrationId: string
  readonly written: WrittenState
}

/** What is there is drawn alike from something else now. */
export const saveRenderKeys = (tx: Db, workspaceId: string, restamped: readonly RenderKeyChange[]) =>
  tx.query(sql`
    update mailboxes m set written_origin = k.origin
    from unnest(${restamped.map(one => one.emailId)}::uuid[], ${restamped.map(one => one.integrationId)}::uuid[],
      ${restamped.map(one => one.written.sha256)}::text[], ${restamped.map(one => one.written.renderKey)}::text[])
      as k (email_id, integration_id, sha256, origin)
    where m.workspace_id = ${workspaceId} and m.email_id = k.email_id and m.integration_id = k.integration_id
      and m.written_sha256 = k.sha256`)

/** Of systems that are not connected any more. */
export const deleteDisconnected = (tx: Db, workspaceId: string, emailIds: readonly string[]) =>
  tx.query(sql`
    delete from mailboxes m using integrations x
    where m.workspace_id = ${workspaceId} and m.email_id = any(${emailIds}::uuid[])
      and x.workspace_id = m.workspace_id and x.id = m.integration_id and x.deleted_at is not null`)

export interface ClaimedMailbox {
  readonly email_id: string
  readonly claim: number
  readonly revision: number
  readonly attempts: number
  readonly written_sha256: string | null
  readonly written_origin: string | null
  readonly is_forced: boolean
  readonly tried_sha256: string | null
  readonly tried_claim: number | null
}

const through = ({ workspaceId, integrationId }: PushConnection): Sql =>
  sql`workspace_id = ${workspaceId} and integration_id = ${integrationId}`

/**
 * Nobody else works on these until the claim runs out, by the clock of the database. Of one whose last claim ran out nobody
 * knows what its holder has written. Through what is disconnected nothing is carried any more. (An array, because a plan for a join
 * that was made while there were few mailboxes reads all of them.)
 */
export const claimDue = (
  db: Db,
  connection: PushConnection,
  count: number,
  milliseconds: number,
): Promise<ClaimedMailbox[]> =>
  db.query(sql`
    update mailboxes
    set claim = claim + 1, claimed_until = now() + ${milliseconds}::int * interval '1 millisecond',
      is_forced = is_forced or claimed_until is not null,
      tried_sha256 = case when claimed_until is null then tried_sha256 end
    where ${through(connection)} and email_id = any(array(
      select email_id from mailboxes
      where ${through(connection)} and exists (
          select from integrations x
          where x.workspace_id = ${connection.workspaceId} and x.id = ${connection.integrationId} and x.deleted_at is null)
        and due_at <= now() and (claimed_until is null or claimed_until <= now())
      order by due_at
      limit ${count}
      for update skip locked))
    returning email_id, claim, revision, attempts, written_sha256, written_origin, is_forced, tried_sha256, tried_claim`)

/** When the next one is due, in so many milliseconds at the earliest; null when there is none. What somebody is at counts from the end of the claim. */
export async function nextDue(db: Db, connection: PushConnection, soonest: number): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select greatest(min(greatest(due_at, coalesce(claimed_until, due_at))),
      case when count(*) > 0 then now() + ${soonest}::int * interval '1 millisecond' end) as at
    from mailboxes where ${through(connection)} and due_at is not null`)
  return row?.at ?? null
}

/** By the clock of the database. */
export async function databaseTimeIn(db: Db, milliseconds: number): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(
    sql`select now() + ${milliseconds}::int * interval '1 millisecond' as at`,
  )
  return row?.at ?? new Date(Date.now() + milliseconds)
}

/** Something that is in a mailbox. */
export interface WrittenState {
  readonly sha256: string
  readonly renderKey: string | null
}

/** What came of one claim. */
export interface DeliveryResult {
  readonly emailId: string
  readonly claim: number
  readonly revision: number
  /** The signature that belongs there; null when none does. */
  readonly signatureId: string | null
  /** To which it was sent; null when it was not. */
  readonly address: string | null
  /** `unchanged`: nobody got around to it. */
  readonly status: 'pending' | 'installed' | 'failed' | 'uninstalled' | 'unchanged'
  readonly attempts: number
  /** What is in the mailbox now; null when nobody knows. */
  readonly written: WrittenState | null
  /** Of the HTML, when it has arrived now. */
  readonly arrived: string | null
  readonly tried: { readonly sha256: string; readonly claim: number } | null
  readonly error_code: string | null
  readonly error_message: string | null
  /** Milliseconds until it is due again. */
  readonly wait: number
}

/**
 * Notes what came of claims, all of it or nothing. One during which another look was asked for stays due. One that was lost
 * changes nothing, but what was sent under it may have overwritten something newer: that is written again.
 */
export async function recordResults(
  db: Db,
  connection: PushConnection,
  results: readonly DeliveryResult[],
): Promise<void> {
  if (results.length === 0) return
  await db.transaction(async tx => {
    const emailIds = results.map(one => one.emailId)
    // Whoever compares large signatures may hold them for long, and what was sent has to be noted.
    await tx.query(sql`select set_config('statement_timeout', '300000', true)`)
    await hold(tx, through(connection), emailIds)
    const settled = await settleMailboxes(tx, connection, results)
    const isLast = new Map(settled.map(one => [one.email_id, one.is_last]))
    const sent = results.filter(one => one.address !== null)
    const lost = sent.filter(one => !isLast.has(one.emailId)).map(one => one.emailId)
    const theirs = sent.length === 0 ? [] : await othersAt(tx, connection, sent)
    if (lost.length + theirs.length > 0) await overwritten(tx, connection, [...lost, ...theirs])
    const known = results.filter(one => isLast.has(one.emailId) && one.status !== 'unchanged')
    await recordInstallations(
      tx,
      connection,
      known.map(one => ({ ...one, isLast: isLast.get(one.emailId) ?? false })),
    )
  })
}

/** The system is part of the list: named outright, PostgreSQL would take it for rare before it has counted, and read all of its mailboxes. */
const settleMailboxes = (
  tx: Db,
  connection: PushConnection,
  results: readonly DeliveryResult[],
): Promise<{ readonly email_id: string; readonly is_last: boolean }[]> =>
  tx.query(sql`
    update mailboxes m
    set claimed_until = null, written_sha256 = r.written, written_origin = r.origin, tried_sha256 = r.tried_sha256, tried_claim = r.tried_claim,
      is_forced = m.is_forced and (m.revision <> r.revision or r.status not in ('installed', 'uninstalled')),
      attempts = case when m.revision = r.revision then r.attempts else m.attempts end,
      due_at = case
        when m.revision <> r.revision or r.status = 'unchanged' then m.due_at
        when r.status = 'pending' then now() + r.wait * interval '1 millisecond' end
    from unnest(${results.map(one => one.emailId)}::uuid[], ${results.map(one => one.claim)}::int[],
      ${results.map(one => one.revision)}::int[], ${results.map(one => one.status)}::text[],
      ${results.map(one => one.attempts)}::int[], ${results.map(one => one.written?.sha256 ?? null)}::text[],
      ${results.map(one => one.written?.renderKey ?? null)}::text[],
      ${results.map(one => one.tried?.sha256 ?? null)}::text[], ${results.map(one => one.tried?.claim ?? null)}::int[],
      ${results.map(one => one.wait)}::int[], ${results.map(() => connection.integrationId)}::uuid[])
      as r (email_id, claim, revision, status, attempts, written, origin, tried_sha256, tried_claim, wait, integration_id)
    where m.workspace_id = ${connection.workspaceId} and m.email_id = r.email_id and m.integration_id = r.integration_id
      and m.claim = r.claim
    returning m.email_id, m.revision = r.revision as is_last`)

/** Whose address it is by now: one that was given up, or changed, may be somebody else's before what was sent to it arrives. */
async function othersAt(
  tx: Db,
  { workspaceId }: PushConnection,
  sent: readonly DeliveryResult[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select e.id from unnest(${sent.map(one => comparisonKey(one.address ?? ''))}::text[], ${sent.map(one => one.emailId)}::uuid[]) as s (key, email_id)
    join emails e on e.workspace_id = ${workspaceId} and e.address_key = s.key and e.deleted_at is null and e.id <> s.email_id`)
  return rows.map(row => row.id)
}

const overwritten = (tx: Db, connection: PushConnection, emailIds: readonly string[]) =>
  tx.query(sql`
    update mailboxes
    set revision = revision + 1, due_at = now(), written_sha256 = null, written_origin = null, is_forced = true,
      tried_sha256 = null
    where ${through(connection)} and email_id = any(${emailIds}::uuid[])`)

type Shown = DeliveryResult & { readonly isLast: boolean }

/**
 * Of the signatures that belong there, and of all others that were there or were to be. When another look was asked for, all that is noted
 * is what has arrived. The mailboxes are locked by now, and nobody asks for anything without locking them.
 */
async function recordInstallations(
  tx: Db,
  connection: PushConnection,
  shown: readonly Shown[],
): Promise<void> {
  if (shown.length === 0) return
  const { workspaceId, integrationId } = connection
  const emailIds = shown.map(one => one.emailId)
  const current = Map.groupBy(
    (await installationsAt(tx, workspaceId, emailIds)).filter(row => row.integration_id === integrationId),
    row => row.email_id,
  )
  const own: (Shown & { readonly id: string })[] = []
  const replaced: string[] = []
  for (const one of shown)
    for (const row of current.get(one.emailId) ?? []) {
      if (row.signature_id === one.signatureId) own.push({ ...one, id: row.id })
      else if (one.isLast && one.status !== 'pending' && row.status !== 'uninstalled') replaced.push(row.id)
    }
  if (own.length > 0) await updateArrivals(tx, connection, own)
  if (replaced.length > 0) await markUninstalled(tx, workspaceId, replaced)
  const known = new Set(own.map(one => one.emailId))
  const fresh = shown.filter(one => one.signatureId !== null && !known.has(one.emailId))
  if (fresh.length === 0) return
  await insertArrivals(tx, connection, fresh)
  // Whoever compares for a change looks at those who have a row: these may have been missed.
  const missed = fresh.map(one => one.emailId)
  await tx.query(enqueueReconcileEmails(workspaceId, missed))
}

const updateArrivals = (
  tx: Db,
  { workspaceId }: PushConnection,
  own: readonly (Shown & { readonly id: string })[],
) =>
  tx.query(sql`
    update installations i
    set status = case when r.is_last then r.status else i.status end,
      attempts = case when r.arrived is not null or (r.is_last and r.status <> 'installed') then r.attempts else i.attempts end,
      html_sha256 = coalesce(r.arrived, i.html_sha256),
      installed_at = case when r.arrived is null then i.installed_at else now() end,
      error_code = case when r.is_last then r.error_code else i.error_code end,
      error_message = case when r.is_last then r.error_message else i.error_message end,
      updated_at = now()
    from unnest(${own.map(one => one.id)}::uuid[], ${own.map(one => one.isLast)}::boolean[],
      ${own.map(one => one.status)}::text[], ${own.map(one => one.attempts)}::int[],
      ${own.map(one => one.arrived)}::text[], ${own.map(one => one.error_code)}::text[],
      ${own.map(one => one.error_message)}::text[])
      as r (id, is_last, status, attempts, arrived, error_code, error_message)
    where i.workspace_id = ${workspaceId} and i.id = r.id`)

/** Those that nobody has asked for yet: the signature has come to win since. One that is deleted is not noted. */
async function insertArrivals(tx: Db, connection: PushConnection, shown: readonly Shown[]): Promise<void> {
  const { workspaceId, channel, integrationId } = connection
  const rows = shown.map(one => ({ ...newRow(), ...one }))
  await tx.query(sql`
    insert into installations (workspace_id, id, signature_id, email_id, channel, integration_id, status, attempts, html_sha256,
      installed_at, error_code, error_message, created_at, updated_at)
    (select s.workspace_id, r.id, s.id, r.email_id, ${channel}, ${integrationId}::uuid, r.status, r.attempts, r.arrived,
        case when r.arrived is null then null else r.at end, r.error_code, r.error_message, r.at, r.at
      from unnest(${rows.map(row => row.id)}::uuid[], ${rows.map(row => row.emailId)}::uuid[],
        ${rows.map(row => row.signatureId)}::uuid[], ${rows.map(row => (row.isLast ? row.status : 'pending'))}::text[],
        ${rows.map(row => row.attempts)}::int[], ${rows.map(row => row.arrived)}::text[],
        ${rows.map(row => row.error_code)}::text[], ${rows.map(row => row.error_message)}::text[],
        ${rows.map(row => row.now)}::timestamptz[])
        as r (id, email_id, signature_id, status, attempts, arrived, error_code, error_message, at)
      join signatures s on s.workspace_id = ${workspaceId} and s.id = r.signature_id
      order by r.email_id
      for key share of s)
    on conflict (workspace_id, email_id, channel, integration_id, signature_id) do nothing`)
}
