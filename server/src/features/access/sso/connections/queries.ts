import type { GivenRole } from '#features/access/members/index.ts'
import { audited, auditedEach, auditedInsert } from '#features/workspace/audit-log/index.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { minute } from '#kernel/base/durations.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'
import { iso } from '#kernel/db/text.ts'
import { type Refusal, refusalCodes } from '../refusal.ts'

/** The fields of a connection, besides its secret. */
export interface ConnectionSettings {
  readonly kind: 'oidc' | 'saml'
  readonly name: string
  readonly active: boolean
  readonly issuer: string
  readonly client_id: string | null
  readonly scopes: readonly string[]
  readonly sso_url: string | null
  readonly certificates: readonly string[]
  readonly metadata_url: string | null
  readonly idp_initiated: boolean
  readonly email_claim: string | null
  readonly group_claim: string | null
  readonly group_roles: readonly { readonly group: string; readonly role: GivenRole }[]
  readonly default_role: GivenRole | null
  readonly allowed_domains: readonly string[]
  readonly trust_email: boolean
  readonly just_in_time: boolean
  /** The owner or the operator has set it up: only then can the owner sign in through it. */
  readonly owner_trusted: boolean
}

export interface StoredConnection extends ConnectionSettings {
  readonly workspace_id: string
  readonly id: string
  /** Sealed. */
  readonly client_secret: Buffer | null
  readonly updated_at: Date
}

const settings = sql`
  kind, name, active, issuer, client_id, scopes, sso_url, certificates, metadata_url, idp_initiated, email_claim,
  group_claim, group_roles, default_role, allowed_domains, trust_email, just_in_time,
  owner_trusted`

const stored = sql`workspace_id, id, client_secret, updated_at, ${settings}`

/** The texts of the codes are few and short: with them, a statement can build a list as JSON. */
const refusalText = sql`coalesce(last_refusal_message, ${JSON.stringify(refusalCodes)}::jsonb ->> last_refusal_code)`

const view = (publicUrl: string): Sql => sql`
  id, ${settings}, client_secret is not null as has_client_secret,
  ${publicUrl}::text || '/auth/' || kind || '/' || workspace_id || '?connection=' || id as sign_in_url,
  ${publicUrl}::text || case kind when 'oidc' then '/auth/oidc/callback'
    else '/auth/saml/' || workspace_id || '/acs' end as callback_url,
  case kind when 'saml' then ${publicUrl}::text || '/auth/saml/' || workspace_id || '/metadata' end as entity_id,
  ${iso(sql`tested_at`)} as tested_at, ${iso(sql`last_sign_in_at`)} as last_sign_in_at,
  case when last_refusal_code is not null then json_build_object('code', last_refusal_code, 'message', ${refusalText},
    'at', ${iso(sql`last_refusal_at`)}) end as last_refusal,
  ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`

export const listConnections = (
  db: Db,
  workspaceId: string,
  publicUrl: string,
  page: PageQuery,
): Promise<ListResult> =>
  listRows(db, page, view(publicUrl), sql`from sso_connections where workspace_id = ${workspaceId}`)

export interface ConnectionView extends ConnectionSettings {
  readonly id: string
  readonly sign_in_url: string
  readonly tested_at: string | null
  readonly last_sign_in_at: string | null
  readonly last_refusal: object | null
}

export const findConnectionView = (db: Db, workspaceId: string, id: string, publicUrl: string) =>
  db.first<ConnectionView>(sql`
    select ${view(publicUrl)} from sso_connections where workspace_id = ${workspaceId} and id = ${id}`)

export const findConnection = (db: Db, workspaceId: string, id: string) =>
  db.first<StoredConnection>(sql`
    select ${stored} from sso_connections where workspace_id = ${workspaceId} and id = ${id}`)

export const lockConnection = (tx: Db, workspaceId: string, id: string) =>
  tx.first<StoredConnection>(sql`
    select ${stored} from sso_connections where workspace_id = ${workspaceId} and id = ${id} for no key update`)

/** The oldest first. */
export const activeConnections = (db: Db, workspaceId: string, kind: 'oidc' | 'saml') =>
  db.query<StoredConnection>(sql`
    select ${stored} from sso_connections
    where workspace_id = ${workspaceId} and kind = ${kind} and active order by id`)

/** A connection on the sign-in page. */
export interface ConnectionChoice {
  readonly name: string
  /** The path that leads to the provider. */
  readonly path: string
}

const choice = sql`name, '/auth/' || kind || '/' || workspace_id || '?connection=' || id as path`

export const connectionChoices = (db: Db, workspaceId: string) =>
  db.query<ConnectionChoice>(sql`
    select ${choice} from sso_connections where workspace_id = ${workspaceId} and active order by id`)

/** True if any workspace has an active connection. */
export const hasActiveConnections = (db: Db) =>
  db.hasRows(sql`select from sso_connections where active limit 1`)

/**
 * The connections for the domain of an address. They are chosen by the domain alone, so that the page does not tell
 * whether the address has an account. Every workspace can list every domain: a connection counts once it has signed in a
 * member of this domain, and none is offered when there are several such workspaces. The name of the workspace is shown
 * too, because the admins of a workspace choose the name of the connection.
 */
export const connectionChoicesFor = (db: Db, email: string): Promise<ConnectionChoice[]> => {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return db.query(sql`
    with claims as (
      select c.workspace_id, c.id, c.kind, c.name from sso_connections c
      where c.active and c.allowed_domains @> array[${domain}] and c.last_sign_in_at is not null and exists (
        select from sso_identities i
        join members m on m.workspace_id = i.workspace_id and m.id = i.member_id and m.status = 'active'
        where i.workspace_id = c.workspace_id and i.kind = c.kind and i.issuer = c.issuer
          and right(m.email_key, ${domain.length + 1}) = ${`@${domain}`})
    )
    select c.name || ' (' || w.name || ')' as name,
      '/auth/' || c.kind || '/' || c.workspace_id || '?connection=' || c.id as path
    from claims c join workspaces w on w.id = c.workspace_id
    where (select count(distinct workspace_id) from claims) = 1
    order by c.id limit 10`)
}

/**
 * True if an account can sign in through an identity provider of one of its workspaces that the person has joined by an
 * invitation, or was added to. A workspace that took the person in by itself can also shut the person out: an account
 * must not give its own ways in up for it.
 */
export const hasSingleSignOn = (db: Db, accountId: string) =>
  db.hasRows(sql`
    select from members m
    join sso_identities i on i.workspace_id = m.workspace_id and i.member_id = m.id
    join sso_connections c on c.workspace_id = i.workspace_id and c.kind = i.kind and c.issuer = i.issuer and c.active
    where m.account_id = ${accountId} and m.status = 'active' and not i.just_in_time limit 1`)

/** Held until the end of the transaction: connections and the sign-in policy of a workspace change one at a time. */
export const lockSso = (tx: Db, workspaceId: string): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(${namedLock(locks.sso, workspaceId)})`)

export const hasConnectionTo = (tx: Db, workspaceId: string, kind: string, issuer: string) =>
  tx.hasRows(sql`
    select from sso_connections where workspace_id = ${workspaceId} and kind = ${kind} and issuer = ${issuer} limit 1`)

export const countConnections = (tx: Db, workspaceId: string) =>
  tx.number(sql`select count(*)::int as n from sso_connections where workspace_id = ${workspaceId}`)

/** True if an active connection was tested without a failure, or has signed a member in, and is open to the owner. */
export const hasWorkingConnection = (tx: Db, workspaceId: string) =>
  tx.hasRows(sql`
    select from sso_connections
    where workspace_id = ${workspaceId} and active and owner_trusted
      and (tested_at is not null or last_sign_in_at is not null) limit 1`)

export async function insertConnection(
  tx: Db,
  by: Caller,
  { id, now }: { readonly id: string; readonly now: Date },
  connection: ConnectionSettings,
  secret: Buffer | null,
): Promise<void> {
  const c = connection
  const insert = sql`
    insert into sso_connections (workspace_id, id, client_secret, ${settings}, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${secret}, ${c.kind}, ${c.name}, ${c.active}, ${c.issuer}, ${c.client_id},
      ${c.scopes}, ${c.sso_url}, ${c.certificates}, ${c.metadata_url}, ${c.idp_initiated}, ${c.email_claim},
      ${c.group_claim}, ${JSON.stringify(c.group_roles)}, ${c.default_role}, ${c.allowed_domains}, ${c.trust_email},
      ${c.just_in_time}, ${c.owner_trusted}, ${now}, ${now})`
  await tx.query(auditedInsert(by, 'sso_connection.created', id, insert))
}

/** `isUntested`: neither the last test nor the last sign-in says that it works as it is now. */
export async function updateConnection(
  tx: Db,
  by: Caller,
  id: string,
  connection: ConnectionSettings,
  secret: Buffer | null,
  isUntested: boolean,
): Promise<void> {
  const c = connection
  const update = sql`
    update sso_connections set client_secret = ${secret}, name = ${c.name}, active = ${c.active}, issuer = ${c.issuer},
      client_id = ${c.client_id}, scopes = ${c.scopes}, sso_url = ${c.sso_url}, certificates = ${c.certificates},
      metadata_url = ${c.metadata_url}, idp_initiated = ${c.idp_initiated}, email_claim = ${c.email_claim},
      group_claim = ${c.group_claim}, group_roles = ${JSON.stringify(c.group_roles)}, default_role = ${c.default_role},
      allowed_domains = ${c.allowed_domains}, trust_email = ${c.trust_email}, just_in_time = ${c.just_in_time},
      owner_trusted = ${c.owner_trusted},
      tested_at = case when ${isUntested} then null else tested_at end,
      last_sign_in_at = case when ${isUntested} then null else last_sign_in_at end,
      updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = ${id}
    returning id`
  await tx.query(audited(by, 'sso_connection.updated', update))
}

export async function removeConnection(tx: Db, by: Caller, id: string): Promise<void> {
  const remove = sql`
    delete from sso_connections where workspace_id = ${by.workspaceId} and id = ${id} returning id`
  await tx.query(audited(by, 'sso_connection.deleted', remove))
}

/** False when the connection has changed since it was read: then nothing is stored. */
export async function storeCheck(
  db: Db,
  by: Caller,
  { id, updated_at }: Pick<StoredConnection, 'id' | 'updated_at'>,
  isOk: boolean,
): Promise<boolean> {
  const update = sql`
    update sso_connections set tested_at = ${isOk ? new Date() : null}
    where workspace_id = ${by.workspaceId} and id = ${id} and updated_at = ${updated_at}
    returning id`
  return db.hasRows(audited(by, 'sso_connection.tested', update))
}

export const storeSignIn = (tx: Db, workspaceId: string, id: string): Promise<unknown> =>
  tx.query(sql`
    update sso_connections set last_sign_in_at = ${new Date()} where workspace_id = ${workspaceId} and id = ${id}`)

const refusalSet = ({ code, message }: Refusal, at: Date): Sql =>
  sql`last_refusal_code = ${code}, last_refusal_message = ${message}, last_refusal_at = ${at}`

/** Only for a sign-in that was begun here: otherwise strangers could write the log as often as they want. */
export async function storeRefusal(db: Db, by: Caller, id: string, refusal: Refusal): Promise<void> {
  await db.query(sql`
    update sso_connections set ${refusalSet(refusal, new Date())}
    where workspace_id = ${by.workspaceId} and id = ${id}`)
  await db.query(auditedEach(by, 'sso_connection.sign_in_refused', [id], refusal.message))
}

/** For a response without a sign-in, at most once a minute: a stranger can send them as often as wanted. */
export async function storeUnaskedRefusal(db: Db, by: Caller, id: string, refusal: Refusal): Promise<void> {
  const now = new Date()
  const stored = await db.query(sql`
    update sso_connections set ${refusalSet(refusal, now)}
    where workspace_id = ${by.workspaceId} and id = ${id}
      and (last_refusal_at is null or last_refusal_at < ${new Date(now.getTime() - minute)})
    returning id`)
  if (stored.length > 0)
    await db.query(auditedEach(by, 'sso_connection.sign_in_refused', [id], refusal.message))
}

export interface SealedClientSecret {
  readonly workspace_id: string
  readonly id: string
  readonly name: string
  readonly secret: Buffer
}

/** The encrypted secrets of all workspaces. */
export const sealedClientSecrets = (db: Db) =>
  db.query<SealedClientSecret>(sql`
    select workspace_id, id, name, client_secret as secret from sso_connections
    where client_secret is not null order by workspace_id, id`)

/** Changes nothing when the secret was replaced meanwhile. */
export const resealClientSecret = (db: Db, workspaceId: string, id: string, before: Buffer, after: Buffer) =>
  db.query(sql`
    update sso_connections set client_secret = ${after}
    where workspace_id = ${workspaceId} and id = ${id} and client_secret = ${before}`)
