import type { InstallationStatus } from '#features/signatures/recipients/index.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import type { SettledInstallation } from '../announce.ts'
import type { Connection } from '../channel.ts'

/** A channel that signatures are fetched through. */
export type FetchConnection = Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>

/** A signature that an address has fetched. */
export interface FetchedSignature {
  readonly emailId: string
  readonly signatureId: string
  /** SHA-256 of the HTML for new mail, in hex: the version that the reconcile job compares with. */
  readonly sha256: string
  /** Render key of the same rendering, where it is known: then it need not be rendered again. */
  readonly renderKey?: string | undefined
}

export interface StoredFetch {
  readonly id: string
  readonly email_id: string
  readonly signature_id: string
  readonly status: InstallationStatus
  readonly html_sha256: string | null
  readonly last_fetched_at: Date | null
}

export const storedFetches = (
  db: Db,
  { workspaceId, channel, integrationId }: FetchConnection,
  emailIds: readonly string[],
) =>
  db.query<StoredFetch>(sql`
    select id, email_id, signature_id, status, html_sha256, last_fetched_at from installations
    where workspace_id = ${workspaceId} and email_id = any(${emailIds}::uuid[]) and channel = ${channel}
      and integration_id is not distinct from ${integrationId}::uuid`)

/** Leaves `updated_at` alone: clients that ask for changed installations would get all of them every hour. */
export const touchFetches = (db: Db, { workspaceId }: FetchConnection, ids: readonly string[]) =>
  db.query(sql`
    update installations set last_fetched_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`)

/**
 * Idempotent. Leaves out signatures that are being deleted, and integrations that are no connected channel any more.
 * Returns the installations that became `installed`, or hold another version now.
 */
export async function saveFetches(
  tx: Db,
  { workspaceId, channel, integrationId }: FetchConnection,
  fetches: readonly FetchedSignature[],
): Promise<SettledInstallation[]> {
  if (fetches.length === 0) return []
  const now = new Date()
  const list = fetches.map(fetch => ({ ...fetch, id: newRow().id }))
  return tx.query<SettledInstallation>(sql`
    insert into installations as i (workspace_id, id, signature_id, email_id, channel, integration_id, status, html_sha256,
      installed_at, first_fetched_at, last_fetched_at, created_at, updated_at)
    (select s.workspace_id, f.id, s.id, f.email_id, ${channel}, ${integrationId}::uuid, 'installed', f.sha256,
        f.at, f.at, f.at, f.at, f.at
      from ${rows('f', list, {
        id: ['uuid', row => row.id],
        signature_id: ['uuid', row => row.signatureId],
        email_id: ['uuid', row => row.emailId],
        sha256: ['text', row => row.sha256],
        at: ['timestamptz', () => now],
      })}
      join signatures s on s.workspace_id = ${workspaceId} and s.id = f.signature_id
      where ${integrationId}::uuid is null or exists (
        select from integrations x
        where x.workspace_id = ${workspaceId} and x.id = ${integrationId}::uuid and x.deleted_at is null
          and 'channel' = any(x.capabilities))
      order by f.email_id
      for key share of s)
    on conflict (workspace_id, email_id, channel, integration_id, signature_id) do update
      set status = 'installed', html_sha256 = excluded.html_sha256, installed_at = excluded.installed_at,
        first_fetched_at = coalesce(i.first_fetched_at, excluded.first_fetched_at), last_fetched_at = excluded.last_fetched_at,
        error_code = null, error_message = null, updated_at = excluded.updated_at
      where i.status <> 'installed' or i.html_sha256 is distinct from excluded.html_sha256
    returning id, signature_id, email_id, channel, integration_id, null as error_code`)
}
