import { day } from '#kernel/base/durations.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, databaseNow, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import type { Connection } from '../channel.ts'
import type {
  ClaimedMailbox,
  DeliveryResult,
  LockedMailbox,
  Mailbox,
  MailboxUpdate,
  WrittenState,
} from './states.ts'

/** A connection that the deliver job sends through. */
export type PushConnection = Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>

export const mailboxesOf = (db: Db, workspaceId: string, emailIds: readonly string[]) =>
  db.query<Mailbox>(sql`
    select email_id, integration_id, written_sha256, written_origin, tried_sha256, due_at is not null as is_due,
      claimed_until is not null as is_claimed
    from mailboxes
    where workspace_id = ${workspaceId} and email_id = any(${emailIds}::uuid[])`)

/**
 * Until the transaction ends, no deliver job records the result of a claim on these mailboxes, so that they do not change
 * while the reconcile job compares them. A mailbox that is not due has no deliver job. (One condition: a plan made while
 * there were few mailboxes would read the whole index of due mailboxes.)
 */
export const lockDueMailboxes = (tx: Db, workspaceId: string, emailIds: readonly string[]) =>
  lock(tx, sql`workspace_id = ${workspaceId} and greatest(due_at, claimed_until) is not null`, emailIds)

/** The mailboxes of one connection, while results are recorded. */
export const lockMailboxes = (
  tx: Db,
  connection: PushConnection,
  emailIds: readonly string[],
): Promise<LockedMailbox[]> => lock(tx, ofConnection(connection), emailIds)

/** Always in this order: otherwise two transactions could wait for each other. */
const lock = (tx: Db, condition: Sql, emailIds: readonly string[]) =>
  tx.query<LockedMailbox>(sql`
    select email_id, claim, revision, attempts, is_forced from mailboxes
    where ${condition} and email_id = any(${emailIds}::uuid[])
    order by email_id, integration_id
    for no key update`)

export interface DueRequest {
  readonly emailId: string
  readonly integrationId: string
  /** Deliver even when the mailbox holds the same fingerprint. */
  readonly isForced: boolean
}

/** Leaves out integrations that were disconnected meanwhile. */
export const markDue = (tx: Db, workspaceId: string, requests: readonly DueRequest[]) =>
  tx.query(sql`
    insert into mailboxes as m (workspace_id, email_id, integration_id, is_forced, due_at)
    select ${workspaceId}::uuid, r.email_id, x.id, r.is_forced, now()
    from ${rows('r', requests, {
      email_id: ['uuid', request => request.emailId],
      integration_id: ['uuid', request => request.integrationId],
      is_forced: ['boolean', request => request.isForced],
    })}
    join integrations x on x.workspace_id = ${workspaceId} and x.id = r.integration_id and x.deleted_at is null
    order by r.email_id, x.id
    on conflict (workspace_id, email_id, integration_id) do update
      set revision = m.revision + 1, due_at = excluded.due_at, attempts = 0, is_forced = m.is_forced or excluded.is_forced,
        foreign_writes = 0,
        tried_sha256 = case when excluded.is_forced then null else m.tried_sha256 end`)

export interface RenderKeyChange {
  readonly emailId: string
  readonly integrationId: string
  readonly written: WrittenState
}

/** Inputs changed but the output is identical: stores the new render key, delivers nothing. */
export const saveRenderKeys = (tx: Db, workspaceId: string, changes: readonly RenderKeyChange[]) =>
  tx.query(sql`
    update mailboxes m set written_origin = k.render_key
    from ${rows('k', changes, {
      email_id: ['uuid', change => change.emailId],
      integration_id: ['uuid', change => change.integrationId],
      sha256: ['text', change => change.written.sha256],
      render_key: ['text', change => change.written.renderKey],
    })}
    where m.workspace_id = ${workspaceId} and m.email_id = k.email_id and m.integration_id = k.integration_id
      and m.written_sha256 = k.sha256`)

/** Deletes mailboxes of integrations that are not connected any more. */
export const deleteDisconnected = (tx: Db, workspaceId: string, emailIds: readonly string[]) =>
  tx.query(sql`
    delete from mailboxes m using integrations x
    where m.workspace_id = ${workspaceId} and m.email_id = any(${emailIds}::uuid[])
      and x.workspace_id = m.workspace_id and x.id = m.integration_id and x.deleted_at is not null`)

const ofConnection = ({ workspaceId, integrationId }: PushConnection): Sql =>
  sql`workspace_id = ${workspaceId} and integration_id = ${integrationId}`

/**
 * No other deliver job claims these mailboxes until the claim runs out, by the clock of the database. After a lost claim it
 * is not known what the mailbox holds, so the delivery is forced. (An array: a plan for a join that was made while there
 * were few mailboxes reads all of them.)
 */
export const claimDue = (db: Db, connection: PushConnection, count: number, milliseconds: number) =>
  db.query<ClaimedMailbox>(sql`
    update mailboxes
    set claim = claim + 1, claimed_until = now() + ${milliseconds}::int * interval '1 millisecond',
      is_forced = is_forced or claimed_until is not null,
      tried_sha256 = case when claimed_until is null then tried_sha256 end
    where ${ofConnection(connection)} and email_id = any(array(
      select email_id from mailboxes
      where ${ofConnection(connection)} and exists (
          select from integrations x
          where x.workspace_id = ${connection.workspaceId} and x.id = ${connection.integrationId} and x.deleted_at is null)
        and due_at <= now() and (claimed_until is null or claimed_until <= now())
      order by due_at
      limit ${count}
      for update skip locked))
    returning email_id, claim, revision, attempts, written_sha256, written_origin, is_forced,
      found_sha256 is not null as is_drifted, tried_sha256, tried_claim`)

/**
 * Time at which the next mailbox is due, but not before `soonest` milliseconds from now; null when none is due. A claimed
 * mailbox counts from the end of its claim.
 */
export async function nextDue(db: Db, connection: PushConnection, soonest: number): Promise<Date | null> {
  const time = await db.value<Date | null>(sql`
    select greatest(min(greatest(due_at, coalesce(claimed_until, due_at))),
      case when count(*) > 0 then now() + ${soonest}::int * interval '1 millisecond' end) as at
    from mailboxes where ${ofConnection(connection)} and due_at is not null`)
  return time ?? null
}

/** By the clock of the database. */
export async function databaseTimeIn(db: Db, milliseconds: number): Promise<Date> {
  const time = await db.value<Date>(sql`select now() + ${milliseconds}::int * interval '1 millisecond'`)
  return time ?? new Date(Date.now() + milliseconds)
}

/** For the rest of the transaction. */
export const allowSlowLocks = (tx: Db) =>
  tx.query(sql`select set_config('statement_timeout', '300000', true)`)

/**
 * Ends the claims. The first check after a write comes at a random time of the next day, so that the checks of many
 * mailboxes that were written together are spread. The times are values, by the clock of the database: Citus refuses
 * now() inside CASE. (The integration is a column of the list: with a constant, PostgreSQL without statistics would
 * assume that few mailboxes match, and read all mailboxes of the integration.)
 */
export async function updateMailboxes(
  tx: Db,
  connection: PushConnection,
  updates: readonly MailboxUpdate[],
): Promise<void> {
  const now = (await databaseNow(tx)).getTime()
  const timeIn = (milliseconds: number) => new Date(now + milliseconds)
  await tx.query(sql`
    update mailboxes m
    set claimed_until = null, written_sha256 = r.written_sha256, written_origin = r.render_key,
      tried_sha256 = r.tried_sha256, tried_claim = r.tried_claim, is_forced = r.is_forced, attempts = r.attempts,
      kept_sha256 = case when r.written_sha256 is not null then coalesce(r.kept_sha256, m.kept_sha256) end,
      kept_user = case when r.written_sha256 is not null then coalesce(r.kept_user, m.kept_user) end,
      kept_address = case when r.written_sha256 is not null then coalesce(r.kept_address, m.kept_address) end,
      check_at = case when r.kept_sha256 is not null then r.check_at
        when r.written_sha256 is not null then m.check_at end,
      found_sha256 = case when r.written_sha256 is not null and r.kept_sha256 is null then m.found_sha256 end,
      due_at = case when r.keeps_due then m.due_at else r.due_at end
    from ${rows('r', updates, {
      email_id: ['uuid', update => update.emailId],
      integration_id: ['uuid', () => connection.integrationId],
      written_sha256: ['text', update => update.written?.sha256 ?? null],
      render_key: ['text', update => update.written?.renderKey ?? null],
      kept_sha256: ['text', update => update.storedState?.sha256 ?? null],
      kept_user: ['text', update => update.storedState?.user ?? null],
      kept_address: ['text', update => update.storedState?.address ?? null],
      tried_sha256: ['text', update => update.tried?.sha256 ?? null],
      tried_claim: ['int', update => update.tried?.claim ?? null],
      is_forced: ['boolean', update => update.isForced],
      attempts: ['int', update => update.attempts],
      keeps_due: ['boolean', update => update.dueIn === 'keep'],
      due_at: ['timestamptz', ({ dueIn }) => (typeof dueIn === 'number' ? timeIn(dueIn) : null)],
      check_at: ['timestamptz', () => timeIn(Math.random() * day)],
    })}
    where m.workspace_id = ${connection.workspaceId} and m.email_id = r.email_id and m.integration_id = r.integration_id`)
}

/** An address and the key that it is compared by. */
interface SentAddress {
  readonly emailId: string
  readonly addressKey: string
}

/** Other emails that have these addresses now: an address can get another owner while a delivery to it is under way. */
export const emailsNowAt = (tx: Db, { workspaceId }: PushConnection, sent: readonly SentAddress[]) =>
  tx.column<string>(sql`
    select e.id
    from ${rows('s', sent, {
      key: ['text', address => address.addressKey],
      email_id: ['uuid', address => address.emailId],
    })}
    join emails e on e.workspace_id = ${workspaceId} and e.address_key = s.key and e.deleted_at is null and e.id <> s.email_id`)

/** Another delivery wrote to these mailboxes: they are due now, and the next delivery is forced. */
export const markOverwritten = (tx: Db, connection: PushConnection, emailIds: readonly string[]) =>
  tx.query(sql`
    update mailboxes
    set revision = revision + 1, due_at = now(), written_sha256 = null, written_origin = null, is_forced = true,
      tried_sha256 = null
    where ${ofConnection(connection)} and email_id = any(${emailIds}::uuid[])`)

/** `isNewest`: the reconcile job has not asked for another delivery since the claim. */
export type RecordedResult = DeliveryResult & { readonly isNewest: boolean }

export const updateInstallations = (
  tx: Db,
  { workspaceId }: PushConnection,
  results: readonly (RecordedResult & { readonly installationId: string })[],
) => {
  const now = new Date()
  return tx.query(sql`
    update installations i
    set status = case when r.is_newest then r.status else i.status end,
      attempts = case when r.arrived is not null or (r.is_newest and r.status <> 'installed') then r.attempts else i.attempts end,
      html_sha256 = coalesce(r.arrived, i.html_sha256),
      installed_at = case when r.arrived is null then i.installed_at else ${now}::timestamptz end,
      error_code = case when r.is_newest then r.error_code else i.error_code end,
      error_message = case when r.is_newest then r.error_message else i.error_message end,
      updated_at = ${now}
    from ${rows('r', results, {
      id: ['uuid', result => result.installationId],
      is_newest: ['boolean', result => result.isNewest],
      status: ['text', result => result.status],
      attempts: ['int', result => result.attempts],
      arrived: ['text', result => result.arrivedHtmlSha256],
      error_code: ['text', result => result.error_code],
      error_message: ['text', result => result.error_message],
    })}
    where i.workspace_id = ${workspaceId} and i.id = r.id`)
}

/** Skips signatures that are deleted by now, and installations that exist. Returns the inserted ones. */
export async function insertInstallations(
  tx: Db,
  { workspaceId, channel, integrationId }: PushConnection,
  results: readonly RecordedResult[],
): Promise<readonly (RecordedResult & { readonly installationId: string })[]> {
  const installations = results.map(result => ({ ...newRow(), ...result }))
  const inserted = await tx.column<string>(sql`
    insert into installations (workspace_id, id, signature_id, email_id, channel, integration_id, status, attempts, html_sha256,
      installed_at, error_code, error_message, created_at, updated_at)
    (select s.workspace_id, r.id, s.id, r.email_id, ${channel}, ${integrationId}::uuid, r.status, r.attempts, r.arrived,
        case when r.arrived is null then null else r.at end, r.error_code, r.error_message, r.at, r.at
      from ${rows('r', installations, {
        id: ['uuid', row => row.id],
        email_id: ['uuid', row => row.emailId],
        signature_id: ['uuid', row => row.signatureId],
        status: ['text', row => (row.isNewest ? row.status : 'pending')],
        attempts: ['int', row => row.attempts],
        arrived: ['text', row => row.arrivedHtmlSha256],
        error_code: ['text', row => row.error_code],
        error_message: ['text', row => row.error_message],
        at: ['timestamptz', row => row.now],
      })}
      join signatures s on s.workspace_id = ${workspaceId} and s.id = r.signature_id
      order by r.email_id
      for key share of s)
    on conflict (workspace_id, email_id, channel, integration_id, signature_id) do nothing
    returning id`)
  const insertedIds = new Set(inserted)
  return installations.filter(row => insertedIds.has(row.id)).map(row => ({ ...row, installationId: row.id }))
}
