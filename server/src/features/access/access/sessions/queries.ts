import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { SessionCredential, SessionMembership } from '#kernel/api/session-cookies.ts'
import { day, hour } from '#kernel/base/durations.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { comparisonKey, iso } from '#kernel/db/text.ts'

export interface SessionRow {
  readonly id: string
  readonly accountId: string
  readonly hash: Buffer
  readonly method: string
  readonly ssoWorkspaceId: string | null
  readonly ssoConnectionId: string | null
  readonly isPending: boolean
  readonly hasSecondFactor: boolean
  readonly browser: string
  readonly network: string
  readonly now: Date
  readonly expiresAt: Date
}

export const insertSession = (session: SessionRow): Sql => sql`
  insert into sessions (id, account_id, hash, method, sso_workspace_id, sso_connection_id, pending, has_second_factor,
    workspace_id, browser, network, created_at, last_used_at, expires_at)
  values (${session.id}, ${session.accountId}, ${session.hash}, ${session.method}, ${session.ssoWorkspaceId},
    ${session.ssoConnectionId}, ${session.isPending}, ${session.hasSecondFactor}, ${session.ssoWorkspaceId}, ${session.browser}, ${session.network},
    ${session.now}, ${session.now}, ${session.expiresAt})`

export interface FoundSession extends Omit<SessionCredential, 'memberships'> {
  readonly isVerified: boolean
  readonly originWorkspaceId: string | null
  readonly hasSecondFactor: boolean
  readonly method: string
  readonly lastUsedAt: Date
  readonly members: readonly Omit<SessionMembership, 'refusal'>[]
}

/** Authentication by cookie needs this query, and that of the sign-in policies. */
export const findSession = (db: Db, hash: Buffer) =>
  db.first<FoundSession>(sql`
    select s.id as "sessionId", s.account_id as "accountId", a.email, a.name, s.pending as "isPending",
      s.has_second_factor as "hasSecondFactor", s.method, s.sso_workspace_id as "ssoWorkspaceId",
      s.workspace_id as "lastWorkspaceId", a.verified_at is not null as "isVerified",
      a.origin_workspace_id as "originWorkspaceId", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt",
      coalesce((
        select json_agg(json_build_object('workspaceId', m.workspace_id, 'memberId', m.id, 'role', m.role,
          'email', m.email, 'memberAccess', w.member_access) order by m.id)
        from members m join workspaces w on w.id = m.workspace_id
        where m.account_id = s.account_id and m.status = 'active'
          and (s.sso_workspace_id is null or m.workspace_id = s.sso_workspace_id)), '[]') as members
    from sessions s join accounts a on a.id = s.account_id
    where s.hash = ${hash}`)

export async function isSsoSession(db: Db, id: string): Promise<boolean> {
  const isBound = await db.value<boolean>(
    sql`select sso_workspace_id is not null from sessions where id = ${id}`,
  )
  return isBound ?? true
}

/** True if a session began without single sign-on, or by a connection that the owner can use. */
export const isTrustedWithOwner = (db: Db, id: string) =>
  db.hasRows(sql`
    select from sessions s
    where s.id = ${id} and (s.sso_workspace_id is null or exists (
      select from sso_connections c
      where c.workspace_id = s.sso_workspace_id and c.id = s.sso_connection_id and c.active and c.owner_trusted))`)

export const markSessionUsed = (id: string, now: Date): Sql =>
  sql`update sessions set last_used_at = ${now} where id = ${id}`

export const setSessionWorkspace = (id: string, workspaceId: string): Sql =>
  sql`update sessions set workspace_id = ${workspaceId} where id = ${id}`

/** Time at which the person of a session signed in. */
export const sessionStartedAt = (db: Db, id: string) =>
  db.value<Date>(sql`select created_at from sessions where id = ${id}`)

interface RenewedSession {
  readonly expires_at: Date
  readonly sso_workspace_id: string | null
  readonly was_pending: boolean
}

/** A new token. The old one is refused from now on. */
export const replaceToken = (tx: Db, id: string, hash: Buffer, hasSecondFactor: boolean) =>
  tx.first<RenewedSession>(sql`
    with before as (select id, pending from sessions where id = ${id} for update)
    update sessions s set hash = ${hash}, pending = s.pending and not ${hasSecondFactor},
      has_second_factor = s.has_second_factor or ${hasSecondFactor}
    from before
    where s.id = before.id
    returning s.expires_at, s.sso_workspace_id, before.pending as was_pending`)

/** A session of single sign-on reaches only those of the same workspace; any other reaches all. */
const reachableFrom = (ssoWorkspaceId: string | null): Sql =>
  ssoWorkspaceId === null ? empty : sql`and sso_workspace_id = ${ssoWorkspaceId}`

export const deleteSession = (tx: Db, accountId: string, id: string, ssoWorkspaceId: string | null) =>
  tx.query<{ id: string }>(sql`
    delete from sessions where account_id = ${accountId} and id = ${id} ${reachableFrom(ssoWorkspaceId)} returning id`)

export const deleteSessionByHash = (tx: Db, hash: Buffer) =>
  tx.first<Pick<FoundSession, 'sessionId' | 'accountId' | 'ssoWorkspaceId'>>(sql`
    delete from sessions where hash = ${hash}
    returning id as "sessionId", account_id as "accountId", sso_workspace_id as "ssoWorkspaceId"`)

export const deleteSessionsOf = (
  tx: Db,
  accountId: string,
  exceptId: string | null,
  ssoWorkspaceId: string | null,
) =>
  tx.query<{ id: string }>(sql`
    delete from sessions where account_id = ${accountId} and (${exceptId}::uuid is null or id <> ${exceptId}::uuid)
      ${reachableFrom(ssoWorkspaceId)}
    returning id`)

/** The sessions that the identity providers of a workspace have begun, of all accounts. */
export const deleteSsoSessions = (tx: Db, workspaceId: string, method: 'oidc' | 'saml') =>
  tx.query<{ id: string }>(
    sql`delete from sessions where sso_workspace_id = ${workspaceId} and method = ${method} returning id`,
  )

const idleMilliseconds = 12 * hour

/** End of a session by the time of its last request, unless another request comes. */
export const idleEnd = (lastUsed: Date): Date => new Date(lastUsed.getTime() + idleMilliseconds)

export const deleteOldSessions = (now: Date): readonly Sql[] => [
  sql`delete from sessions where expires_at < ${now} or last_used_at < ${new Date(now.getTime() - idleMilliseconds)}`,
  sql`delete from known_browsers where last_used_at < ${new Date(now.getTime() - 365 * day)}`,
]

export function listSessions(
  db: Db,
  accountId: string,
  { sessionId, ssoWorkspaceId }: { readonly sessionId: string; readonly ssoWorkspaceId: string | null },
  page: PageQuery,
): Promise<ListResult> {
  const now = new Date()
  const columns = sql`
    id, method, browser, network, id = ${sessionId} as current, ${iso(sql`created_at`)} as created_at,
    ${iso(sql`last_used_at`)} as last_used_at, ${iso(sql`expires_at`)} as expires_at`
  const active = sql`
    from sessions where account_id = ${accountId} and not pending and expires_at > ${now}
      and last_used_at > ${new Date(now.getTime() - idleMilliseconds)} ${reachableFrom(ssoWorkspaceId)}`
  return listRows(db, page, columns, active)
}

export const forgetBrowsersOf = (accountId: string): Sql =>
  sql`delete from known_browsers where account_id = ${accountId}`

/**
 * Stores the browser of a sign-in. Returns if it is new for the account, and if it is the account's first. Sign-ins by
 * single sign-on do not make a browser known for the person's own sign-ins.
 */
export async function rememberBrowser(
  tx: Db,
  accountId: string,
  hash: Buffer,
  isOwnSignIn: boolean,
): Promise<{ readonly isNew: boolean; readonly isFirst: boolean }> {
  const row = await tx.first<{ isNew: boolean; isFirst: boolean }>(sql`
    with before as (
      select count(*) as n, coalesce(bool_or(hash = ${hash} and not own_sign_in), false) as by_sso
      from known_browsers where account_id = ${accountId}
    ),
    stored as (
      insert into known_browsers as b (account_id, hash, own_sign_in, last_used_at)
      values (${accountId}, ${hash}, ${isOwnSignIn}, ${new Date()})
      on conflict (account_id, hash) do update set last_used_at = excluded.last_used_at,
        own_sign_in = b.own_sign_in or excluded.own_sign_in
      returning xmax = 0 as inserted, own_sign_in
    )
    select stored.inserted or (before.by_sso and stored.own_sign_in) as "isNew", before.n = 0 as "isFirst"
    from stored, before`)
  return row ?? { isNew: false, isFirst: false }
}

/** True if the person of this address has signed in from this browser, other than by single sign-on. */
export const isOwnBrowser = (db: Db, email: string, hash: Buffer) =>
  db.hasRows(sql`
    select from known_browsers b join accounts a on a.id = b.account_id
    where a.email_key = ${comparisonKey(email)} and b.hash = ${hash} and b.own_sign_in`)
