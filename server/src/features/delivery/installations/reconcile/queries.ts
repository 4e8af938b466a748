import type { InstallationStatus } from '#features/signatures/recipients/index.ts'
import { newRow } from '#kernel/base/ids.ts'
import { composed, type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'
import { rows } from '#kernel/db/rows.ts'
import type { SettledInstallation } from '../announce.ts'
import type { ChannelName } from '../channel.ts'

/** Addresses are divided into so many parts, which reconcile jobs compare at the same time. */
export const emailParts = 2

const partOf = (emailId: string): number => Number.parseInt(emailId.slice(-1), 16) % emailParts

/**
 * One reconcile job at a time compares an address, from before it reads until it commits. Every change enqueues a reconcile
 * job after it, so the last job has seen all changes. The lock covers all parts that these addresses belong to.
 */
export async function lockReconcile(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> {
  // Always in this order: otherwise two jobs could wait for each other.
  for (const part of [...new Set(emailIds.map(partOf))].sort())
    await tx.query(sql`select pg_advisory_xact_lock(${namedLock(locks.reconcile, `${workspaceId} ${part}`)})`)
}

/** An installation as the reconcile job reads it. */
export interface InstallationRow {
  readonly id: string
  readonly signature_id: string
  readonly email_id: string
  readonly channel: ChannelName
  /** Null: the personal page. */
  readonly integration_id: string | null
  readonly status: InstallationStatus
  readonly html_sha256: string | null
}

export const installationsAt = (db: Db, workspaceId: string, emailIds: readonly string[]) =>
  db.query<InstallationRow>(sql`
    select id, signature_id, email_id, channel, integration_id, status, html_sha256
    from installations
    where workspace_id = ${workspaceId} and email_id = any(${emailIds}::uuid[])`)

export interface NewInstallation {
  readonly signatureId: string
  readonly emailId: string
  readonly channel: ChannelName
  readonly integrationId: string | null
}

/**
 * Inserts pending installations. An existing installation becomes pending again, and keeps what it says about the last
 * arrival until the next attempt. A deleted signature or a disconnected channel gets none.
 */
export async function savePending(
  tx: Db,
  workspaceId: string,
  installations: readonly NewInstallation[],
): Promise<void> {
  if (installations.length === 0) return
  const list = installations.map(installation => ({ ...newRow(), ...installation }))
  await tx.query(sql`
    insert into installations as i (workspace_id, id, signature_id, email_id, channel, integration_id, status, created_at, updated_at)
    (select s.workspace_id, w.id, s.id, w.email_id, w.channel, w.integration_id, 'pending', w.at, w.at
      from ${rows('w', list, {
        id: ['uuid', row => row.id],
        signature_id: ['uuid', row => row.signatureId],
        email_id: ['uuid', row => row.emailId],
        channel: ['text', row => row.channel],
        integration_id: ['uuid', row => row.integrationId],
        at: ['timestamptz', row => row.now],
      })}
      join signatures s on s.workspace_id = ${workspaceId} and s.id = w.signature_id
      where case when w.integration_id is null
        then exists (select from workspaces p where p.id = ${workspaceId} and p.personal_page)
        else w.integration_id in (select x.id from integrations x where x.workspace_id = ${workspaceId} and x.deleted_at is null) end
      order by w.email_id
      for key share of s)
    on conflict (workspace_id, email_id, channel, integration_id, signature_id) do update
      set status = 'pending', error_code = null, error_message = null, updated_at = excluded.updated_at,
        attempts = case when i.status in ('failed', 'uninstalled') then 0 else i.attempts end`)
}

/** For installations that were replaced: another signature belongs there now, or none. */
export const markUninstalled = (tx: Db, workspaceId: string, ids: readonly string[]) =>
  tx.query(sql`
    update installations
    set status = 'uninstalled', html_sha256 = null, error_code = null, error_message = null, updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and status <> 'uninstalled'`)

/** Returns those that were pending. */
export const markInstalled = (tx: Db, workspaceId: string, ids: readonly string[]) =>
  tx.query<SettledInstallation>(sql`
    update installations set status = 'installed', updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and status = 'pending'
    returning id, signature_id, email_id, channel, integration_id, null as error_code`)

/** Installations of integrations that are no connected channel any more, and of personal pages that are switched off. */
export const markDisconnectedUninstalled = (tx: Db, workspaceId: string, emailIds: readonly string[]) =>
  tx.query(sql`
    update installations i
    set status = 'uninstalled', html_sha256 = null, error_code = null, error_message = null, updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and email_id = any(${emailIds}::uuid[]) and status <> 'uninstalled'
      and case when channel = 'personal_page'
        then not exists (select from workspaces w where w.id = ${workspaceId} and w.personal_page)
        else integration_id in (
          select x.id from integrations x
          where x.workspace_id = ${workspaceId} and (x.deleted_at is not null or not 'channel' = any(x.capabilities))) end`)

/** A page of addresses, by id. */
interface EmailBatch {
  /** Null: all parts. */
  readonly part: number | null
  readonly after: string
  readonly count: number
}

const within = ({ part, after, count }: EmailBatch, emailId: Sql): Sql => sql`
  and ${emailId} > ${after} ${part === null ? empty : sql`and get_byte(uuid_send(${emailId}), 15) % ${emailParts} = ${part}`}
  order by ${emailId} limit ${count}`

const ofSignature = (signatureId: string | null, column: Sql): Sql =>
  signatureId === null ? empty : sql`and ${column} = ${signatureId}`

/** The addresses that this signature reaches, in order of their ids; without one, the addresses that any signature reaches. */
export const emailsReachedBy = (db: Db, workspaceId: string, signatureId: string | null, batch: EmailBatch) =>
  db.column<string>(sql`
    select distinct r.email_id from recipients r
    where r.workspace_id = ${workspaceId} ${ofSignature(signatureId, sql`r.signature_id`)} ${within(batch, sql`r.email_id`)}`)

/**
 * The addresses that have this signature although it does not reach them any more, in order of their ids. (By `except`: a
 * plan for `not exists` that was made while there were few rows reads all of them for each address.)
 */
export const emailsLosing = (db: Db, workspaceId: string, signatureId: string | null, batch: EmailBatch) =>
  db.column<string>(sql`
    select distinct gone.email_id from (
      select i.signature_id, i.email_id from installations i
      where i.workspace_id = ${workspaceId} ${ofSignature(signatureId, sql`i.signature_id`)} and i.status <> 'uninstalled'
      except
      select r.signature_id, r.email_id from recipients r
      where r.workspace_id = ${workspaceId} ${ofSignature(signatureId, sql`r.signature_id`)}) gone
    where true ${within(batch, sql`gone.email_id`)}`)

/** Planned anew for each execution (`composed`), as `addressesOf` is. */
export const emailsOfTeammates = (db: Db, workspaceId: string, teammateIds: readonly string[]) =>
  db.column<string>(
    composed(sql`
      select id from emails
      where workspace_id = ${workspaceId} and teammate_id = any(${teammateIds}::uuid[]) and deleted_at is null
      union all
      select id from emails
      where workspace_id = ${workspaceId} and teammate_id = any(${teammateIds}::uuid[]) and deleted_at is not null
      order by id`),
  )
