import { hour } from '#kernel/base/durations.ts'
import { type Db, databaseNow, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import type { PushConnection } from '../mailboxes/queries.ts'
import type { DriftCode, DriftState } from './decide.ts'
import { driftCodes } from './decide.ts'

/** A mailbox that is read back, as it was before. */
export interface CheckedMailbox extends DriftState {
  readonly emailId: string
  readonly user: string
  readonly address: string
  /** Both change with every delivery: a check that a delivery has overtaken counts for nothing. */
  readonly claim: number
  readonly revision: number
}

const ofConnection = ({ workspaceId, integrationId }: PushConnection): Sql =>
  sql`workspace_id = ${workspaceId} and integration_id = ${integrationId}`

/** True if a deliver job has work now, or works. */
export const hasDueMailbox = (db: Db, connection: PushConnection) =>
  db.hasRows(sql`
    select from mailboxes where ${ofConnection(connection)} and due_at <= now() limit 1`)

/** Mailboxes that hold a signature and whose check is due. */
export const mailboxesToCheck = (db: Db, connection: PushConnection, count: number) =>
  db.query<CheckedMailbox>(sql`
    select email_id as "emailId", kept_user as user, kept_address as address, claim, revision, kept_sha256 as written,
      found_sha256 as foreign, foreign_writes as "foreignWrites",
      coalesce(restored_at > now() - interval '1 day', false) as "wasRestoredToday"
    from mailboxes
    where ${ofConnection(connection)} and check_at <= now() and due_at is null and claimed_until is null
      and written_sha256 is not null and kept_user is not null and kept_address is not null
    order by check_at
    limit ${count}`)

/** In the order of the other locks on mailboxes. */
export const lockChecked = (tx: Db, connection: PushConnection, emailIds: readonly string[]) =>
  tx.query<{ readonly emailId: string; readonly claim: number; readonly revision: number }>(sql`
    select email_id as "emailId", claim, revision from mailboxes
    where ${ofConnection(connection)} and email_id = any(${emailIds}::uuid[]) and due_at is null and claimed_until is null
    order by email_id, integration_id
    for no key update`)

/** State of a mailbox after a check. */
export interface MailboxCheck {
  readonly emailId: string
  readonly written: string | null
  readonly foreign: string | null
  readonly foreignWrites: number
  /** The mailbox is written again. */
  readonly isRestored: boolean
  /** Until the next check. */
  readonly nextHours: number
}

/**
 * The next check comes up to two hours early: mailboxes that are checked together spread over the day again. The times
 * are values, by the clock of the database: Citus refuses now() inside CASE, and random().
 */
export async function saveChecks(
  tx: Db,
  connection: PushConnection,
  results: readonly MailboxCheck[],
): Promise<void> {
  const now = await databaseNow(tx)
  await tx.query(sql`
    update mailboxes m
    set kept_sha256 = r.kept, found_sha256 = r.found, foreign_writes = r.foreign_writes,
      check_at = r.check_at,
      restored_at = case when r.is_restored then ${now}::timestamptz else m.restored_at end,
      revision = case when r.is_restored then m.revision + 1 else m.revision end,
      due_at = case when r.is_restored then ${now}::timestamptz end,
      attempts = case when r.is_restored then 0 else m.attempts end,
      is_forced = m.is_forced or r.is_restored
    from ${rows('r', results, {
      email_id: ['uuid', result => result.emailId],
      integration_id: ['uuid', () => connection.integrationId],
      kept: ['text', result => result.written],
      found: ['text', result => result.foreign],
      foreign_writes: ['int', result => result.foreignWrites],
      is_restored: ['boolean', result => result.isRestored],
      check_at: [
        'timestamptz',
        result => new Date(now.getTime() + (result.nextHours - 2 * Math.random()) * hour),
      ],
    })}
    where m.workspace_id = ${connection.workspaceId} and m.email_id = r.email_id and m.integration_id = r.integration_id`)
}

/** Without a change of the rest: the mailbox could not be read. */
export async function postponeChecks(
  db: Db,
  connection: PushConnection,
  emailIds: readonly string[],
  hours: number,
): Promise<void> {
  const now = (await databaseNow(db)).getTime()
  await db.query(sql`
    update mailboxes m set check_at = r.check_at
    from ${rows('r', emailIds, {
      email_id: ['uuid', id => id],
      integration_id: ['uuid', () => connection.integrationId],
      check_at: ['timestamptz', () => new Date(now + (hours - Math.random() / 2) * hour)],
    })}
    where m.workspace_id = ${connection.workspaceId} and m.email_id = r.email_id
      and m.integration_id = r.integration_id and m.check_at is not null`)
}

interface DriftedInstallation {
  readonly id: string
  readonly code: DriftCode
}

export const markDrifted = (tx: Db, workspaceId: string, drifted: readonly DriftedInstallation[]) =>
  tx.query(sql`
    update installations i
    set status = 'drifted', error_code = d.code, error_message = d.message, updated_at = now()
    from ${rows('d', drifted, {
      id: ['uuid', entry => entry.id],
      code: ['text', entry => entry.code],
      message: ['text', entry => driftCodes[entry.code]],
    })}
    where i.workspace_id = ${workspaceId} and i.id = d.id
      and (i.status, i.error_code) is distinct from ('drifted', d.code)`)

/** The mailbox holds the signature again. */
export const markIntact = (tx: Db, workspaceId: string, ids: readonly string[]) =>
  tx.query(sql`
    update installations set status = 'installed', error_code = null, error_message = null, updated_at = now()
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and status = 'drifted'`)

/** The mailboxes are not read back any more. Some of them, at most; returns their number. */
export async function forgetDrift(tx: Db, connection: PushConnection, count: number): Promise<number> {
  const forgotten = await tx.column<string>(sql`
    update installations set status = 'installed', error_code = null, error_message = null, updated_at = now()
    where workspace_id = ${connection.workspaceId} and id = any(array(
      select id from installations
      where ${ofConnection(connection)} and status = 'drifted' order by id limit ${count}))
    returning email_id`)
  await tx.query(sql`
    update mailboxes set found_sha256 = null, foreign_writes = 0
    where ${ofConnection(connection)} and email_id = any(${forgotten}::uuid[])`)
  return forgotten.length
}
