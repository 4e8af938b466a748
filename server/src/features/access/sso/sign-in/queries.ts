import type { OpenInvitation } from '#features/workspace/accounts/index.ts'
import { auditedEach } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import type { AssertedPerson } from '../person.ts'

export interface SsoAttempt {
  readonly connectionId: string
  readonly browserHash: Buffer
  /** OIDC: the nonce. SAML: the id of our request. */
  readonly nonce: string
  readonly codeVerifier: string | null
  readonly returnTo: string
}

const attempt = sql`
  connection_id as "connectionId", browser_hash as "browserHash", nonce, code_verifier as "codeVerifier",
  return_to as "returnTo"`

export const insertAttempt = (
  db: Db,
  workspaceId: string,
  hash: Buffer,
  { connectionId, browserHash, nonce, codeVerifier, returnTo }: SsoAttempt,
  expiresAt: Date,
) =>
  db.query(sql`
    insert into sso_attempts (workspace_id, hash, connection_id, browser_hash, nonce, code_verifier, return_to, expires_at)
    values (${workspaceId}, ${hash}, ${connectionId}, ${browserHash}, ${nonce}, ${codeVerifier}, ${returnTo}, ${expiresAt})`)

const open = (workspaceId: string, hash: Buffer): Sql =>
  sql`workspace_id = ${workspaceId} and hash = ${hash} and expires_at > ${new Date()}`

/** Ends and returns an attempt: a second request with its state gets nothing. Another browser cannot end it. */
export const takeAttempt = (db: Db, workspaceId: string, hash: Buffer, browserHash: Buffer) =>
  db.first<SsoAttempt>(sql`
    delete from sso_attempts where ${open(workspaceId, hash)} and browser_hash = ${browserHash} and person is null
    returning ${attempt}`)

/** An attempt that waits for the answer of the provider. */
export const findAttempt = (db: Db, workspaceId: string, hash: Buffer) =>
  db.first<SsoAttempt>(sql`
    select ${attempt} from sso_attempts where ${open(workspaceId, hash)} and person is null`)

/** Ends an attempt that waits for the answer of the provider. False when it was answered or ended before. */
export const dropAttempt = (db: Db, workspaceId: string, hash: Buffer) =>
  db.hasRows(sql`
    delete from sso_attempts where ${open(workspaceId, hash)} and person is null returning hash`)

/** Also those with an answer: it was checked by settings that have changed. */
export const dropAttempts = (tx: Db, workspaceId: string, connectionId: string): Promise<unknown> =>
  tx.query(
    sql`delete from sso_attempts where workspace_id = ${workspaceId} and connection_id = ${connectionId}`,
  )

export const deleteExpired = (now: Date): readonly Sql[] => [
  sql`delete from sso_attempts where expires_at < ${now}`,
  sql`delete from sso_used_assertions where expires_at < ${now}`,
]

/** False when another answer came first. */
export const storeAssertedPerson = (tx: Db, workspaceId: string, hash: Buffer, person: AssertedPerson) =>
  tx.hasRows(sql`
    update sso_attempts set person = ${JSON.stringify(person)}
    where ${open(workspaceId, hash)} and person is null
    returning hash`)

export const takeAnsweredAttempt = (tx: Db, workspaceId: string, hash: Buffer, browserHash: Buffer) =>
  tx.first<SsoAttempt & { readonly person: AssertedPerson }>(sql`
    delete from sso_attempts where ${open(workspaceId, hash)} and browser_hash = ${browserHash} and person is not null
    returning ${attempt}, person`)

/** False when it was used before. */
export const useAssertion = (tx: Db, workspaceId: string, hash: Buffer, expiresAt: Date) =>
  tx.hasRows(sql`
    insert into sso_used_assertions (workspace_id, hash, expires_at) values (${workspaceId}, ${hash}, ${expiresAt})
    on conflict (workspace_id, hash) do nothing
    returning hash`)

export type MemberInvitation = Pick<OpenInvitation, 'role' | 'invited_by' | 'inviter_role'>

export interface ProviderSubject {
  readonly workspaceId: string
  readonly kind: string
  readonly issuer: string
  readonly subjectHash: Buffer
}

export const findLinkedMember = (tx: Db, subject: ProviderSubject) =>
  tx.value<string>(sql`
    update sso_identities set last_used_at = ${new Date()}
    where workspace_id = ${subject.workspaceId} and kind = ${subject.kind} and issuer = ${subject.issuer}
      and subject_hash = ${subject.subjectHash}
    returning member_id`)

/** False when the member is another subject of the same provider already. */
export async function linkMember(
  tx: Db,
  subject: ProviderSubject,
  memberId: string,
  isJustInTime: boolean,
): Promise<boolean> {
  const now = new Date()
  return tx.hasRows(sql`
    insert into sso_identities (workspace_id, kind, issuer, subject_hash, member_id, just_in_time, created_at, last_used_at)
    values (${subject.workspaceId}, ${subject.kind}, ${subject.issuer}, ${subject.subjectHash}, ${memberId},
      ${isJustInTime}, ${now}, ${now})
    on conflict do nothing
    returning member_id`)
}

/** Marks a member whose invitation did not count any more. */
export const markJustInTime = (tx: Db, workspaceId: string, memberId: string): Promise<unknown> =>
  tx.query(sql`
    update sso_identities set just_in_time = true where workspace_id = ${workspaceId} and member_id = ${memberId}`)

/** The member id of an account. The name and the address of the member do not matter. */
export const memberOfAccount = (tx: Db, workspaceId: string, accountId: string) =>
  tx.value<string>(
    sql`select id from members where workspace_id = ${workspaceId} and account_id = ${accountId}`,
  )

/** The invitation of a member who has not joined; undefined when it has expired. */
export const findInvitation = (tx: Db, workspaceId: string, memberId: string) =>
  tx.first<MemberInvitation>(sql`
    select m.role, m.invited_by, i.role as inviter_role
    from members m left join members i on i.workspace_id = m.workspace_id and i.id = m.invited_by
    where m.workspace_id = ${workspaceId} and m.id = ${memberId} and m.invitation_expires_at > ${new Date()}`)

/** Their next sign-ins link again, by the address. Returns how many links there were. */
async function unlink(tx: Db, by: Caller, condition: Sql): Promise<number> {
  const removed = await tx.column<string>(sql`
    delete from sso_identities where workspace_id = ${by.workspaceId} and ${condition} returning member_id`)
  const members = [...new Set(removed)]
  if (members.length > 0) await tx.query(auditedEach(by, 'member.sso_unlinked', members))
  return removed.length
}

export const unlinkProvider = (
  tx: Db,
  by: Caller,
  { kind, issuer }: Pick<ProviderSubject, 'kind' | 'issuer'>,
): Promise<number> => unlink(tx, by, sql`kind = ${kind} and issuer = ${issuer}`)

export const unlinkMember = (db: Db, by: Caller, memberId: string): Promise<number> =>
  db.transaction(tx => unlink(tx, by, sql`member_id = ${memberId}`))
