import { audited } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'

export interface StoredDeploymentToken {
  readonly id: string
  readonly number: number
  readonly sealed: Buffer
  readonly created_at: string
  readonly last_used_at: string | null
}

/** Those that were not revoked, the newest first. */
export const liveTokens = (db: Db, workspaceId: string, integrationId: string) =>
  db.query<StoredDeploymentToken>(sql`
    select id, number, sealed, ${iso(sql`created_at`)} as created_at, ${iso(sql`last_used_at`)} as last_used_at
    from deployment_tokens
    where workspace_id = ${workspaceId} and integration_id = ${integrationId} and revoked_at is null
    order by number desc`)

const deployment = (workspaceId: string, integrationId: string): Sql => sql`
  select from integrations
  where workspace_id = ${workspaceId} and id = ${integrationId} and kind = 'microsoft_365' and deleted_at is null
    and 'channel' = any(capabilities)`

/** True if the integration is a channel of Outlook. */
export const hasDeployment = (db: Db, workspaceId: string, integrationId: string) =>
  db.hasRows(deployment(workspaceId, integrationId))

/** The same, and locks the integration, so that its tokens are counted and made one at a time. */
export const lockDeployment = (tx: Db, workspaceId: string, integrationId: string) =>
  tx.hasRows(sql`${deployment(workspaceId, integrationId)} for no key update`)

/** The number of the token is the next one of its integration. */
export async function insertDeploymentToken(
  tx: Db,
  by: Caller,
  integrationId: string,
  { id, hash, sealed }: { readonly id: string; readonly hash: Buffer; readonly sealed: Buffer },
): Promise<void> {
  const insert = sql`
    insert into deployment_tokens (workspace_id, id, integration_id, number, hash, sealed, created_at)
    select ${by.workspaceId}::uuid, ${id}::uuid, ${integrationId}::uuid, count(*) + 1, ${hash}::bytea, ${sealed}::bytea,
      ${new Date()}::timestamptz
    from deployment_tokens where workspace_id = ${by.workspaceId} and integration_id = ${integrationId}
    returning integration_id as id`
  await tx.query(audited(by, 'integration.token_created', insert))
}

export const newTokenId = (): string => newRow().id

export async function markRevoked(
  db: Db,
  by: Caller,
  integrationId: string,
  tokenId: string,
): Promise<boolean> {
  const update = sql`
    update deployment_tokens set revoked_at = ${new Date()}, sealed = null
    where workspace_id = ${by.workspaceId} and integration_id = ${integrationId} and id = ${tokenId} and revoked_at is null
    returning integration_id as id`
  return db.hasRows(audited(by, 'integration.token_revoked', update))
}

/** Deletes the tokens of an integration that is disconnected. */
export const revokeTokensOf = (workspaceId: string, integrationId: string): Sql => sql`
  update deployment_tokens set revoked_at = ${new Date()}, sealed = null
  where workspace_id = ${workspaceId} and integration_id = ${integrationId} and revoked_at is null`

/** Deployment that a token gives access to. */
export interface Deployment {
  readonly workspaceId: string
  readonly integrationId: string
  readonly tokenId: string
  /** Id of the token. */
  readonly number: number
  readonly settings: Readonly<Record<string, unknown>>
  /** The name of the workspace. */
  readonly company: string
}

export interface FoundDeployment extends Deployment {
  readonly last_used_at: Date | null
}

export async function findDeployment(db: Db, hash: Buffer): Promise<FoundDeployment | null> {
  const row = await db.first<FoundDeployment>(sql`
    select t.workspace_id as "workspaceId", t.integration_id as "integrationId", t.id as "tokenId", t.number, t.last_used_at,
      i.settings, w.name as company
    from deployment_tokens t
    join integrations i on i.workspace_id = t.workspace_id and i.id = t.integration_id
    join workspaces w on w.id = t.workspace_id
    where t.hash = ${hash} and t.revoked_at is null and i.deleted_at is null and 'channel' = any(i.capabilities)`)
  return row ?? null
}

export const touchToken = (db: Db, { workspaceId, tokenId }: Deployment) =>
  db.query(sql`
    update deployment_tokens set last_used_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = ${tokenId}`)

interface SealedToken {
  readonly workspace_id: string
  readonly id: string
  readonly name: string
  readonly secret: Buffer
}

/** Tokens of all workspaces. */
export const sealedTokens = (db: Db) =>
  db.query<SealedToken>(sql`
    select workspace_id, id, 'deployment token ' || number as name, sealed as secret from deployment_tokens
    where sealed is not null
    order by workspace_id, id`)

/** Changes nothing when the token was revoked meanwhile. */
export const resealToken = (db: Db, workspaceId: string, id: string, before: Buffer, after: Buffer) =>
  db.query(sql`
    update deployment_tokens set sealed = ${after}
    where workspace_id = ${workspaceId} and id = ${id} and sealed = ${before}`)

/** Tokens of integrations where people sign in and the token alone opens nothing: those can be named in public. */
export const openlyNamedTokens = (db: Db, limit: number) =>
  db.query<{ readonly id: string; readonly sealed: Buffer }>(sql`
    select t.id, t.sealed from deployment_tokens t
    join integrations i on i.workspace_id = t.workspace_id and i.id = t.integration_id
    where t.revoked_at is null and i.deleted_at is null and 'channel' = any(i.capabilities)
      and i.settings ->> 'add_in_auth' = 'naa' and coalesce(i.settings ->> 'add_in_token_fallback', 'false') <> 'true'
    order by t.workspace_id, t.id
    limit ${limit}`)
