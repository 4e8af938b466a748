import { audited } from '#features/audit-log/index.ts'
import { type Db, type Sql, sql } from '#kernel/db.ts'
import type { Caller } from '#kernel/scopes.ts'
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

/** Removes those of the workspace that were given up. */
export async function insertAttempt(
  db: Db,
  workspaceId: string,
  hash: Buffer,
  { connectionId, browserHash, nonce, codeVerifier, returnTo }: SsoAttempt,
  expiresAt: Date,
): Promise<void> {
  const now = new Date()
  await db.query(sql`delete from sso_attempts where workspace_id = ${workspaceId} and expires_at < ${now}`)
  await db.query(sql`
    insert into sso_attempts (workspace_id, hash, connection_id, browser_hash, nonce, code_verifier, return_to, expires_at)
    values (${workspaceId}, ${hash}, ${connectionId}, ${browserHash}, ${nonce}, ${codeVerifier}, ${returnTo}, ${expiresAt})`)
}

const open = (workspaceId: string, hash: Buffer): Sql =>
  sql`workspace_id = ${workspaceId} and hash = ${hash} and expires_at > ${new Date()}`

/** Of two requests with one state, the second gets nothing. Another browser takes nothing away. */
export async function takeAttempt(
  db: Db,
  workspaceId: string,
  hash: Buffer,
  browserHash: Buffer,
): Promise<SsoAttempt | undefined> {
  const [taken] = await db.query<SsoAttempt>(sql`
    delete from sso_attempts where ${open(workspaceId, hash)} and browser_hash = ${browserHash} and person is null
    returning ${attempt}`)
  return taken
}

/** An attempt that waits for the answer of the provider. */
export async function findAttempt(
  db: Db,
  workspaceId: string,
  hash: Buffer,
): Promise<SsoAttempt | undefined> {
  const [found] = await db.query<SsoAttempt>(sql`
    select ${attempt} from sso_attempts where ${open(workspaceId, hash)} and person is null`)
  return found
}

/** False when another answer came first. */
export async function storeAssertedPerson(
  tx: Db,
  workspaceId: string,
  hash: Buffer,
  person: AssertedPerson,
): Promise<boolean> {
  const stored = await tx.query(sql`
    update sso_attempts set person = ${JSON.stringify(person)}
    where ${open(workspaceId, hash)} and person is null
    returning hash`)
  return stored.length > 0
}

export async function takeAnsweredAttempt(
  tx: Db,
  workspaceId: string,
  hash: Buffer,
  browserHash: Buffer,
): Promise<(SsoAttempt & { readonly person: AssertedPerson }) | undefined> {
  const [taken] = await tx.query<SsoAttempt & { readonly person: AssertedPerson }>(sql`
    delete from sso_attempts where ${open(workspaceId, hash)} and browser_hash = ${browserHash} and person is not null
    returning ${attempt}, person`)
  return taken
}

/** False when it was used before. Removes those that have expired. */
export async function useAssertion(
  tx: Db,
  workspaceId: string,
  hash: Buffer,
  expiresAt: Date,
): Promise<boolean> {
  const now = new Date()
  await tx.query(
    sql`delete from sso_used_assertions where workspace_id = ${workspaceId} and expires_at < ${now}`,
  )
  const inserted = await tx.query(sql`
    insert into sso_used_assertions (workspace_id, hash, expires_at) values (${workspaceId}, ${hash}, ${expiresAt})
    on conflict (workspace_id, hash) do nothing
    returning hash`)
  return inserted.length > 0
}

export interface ProviderSubject {
  readonly workspaceId: string
  readonly kind: string
  readonly issuer: string
  readonly subjectHash: Buffer
}

export async function findLinkedMember(tx: Db, subject: ProviderSubject): Promise<string | undefined> {
  const [row] = await tx.query<{ member_id: string }>(sql`
    update sso_identities set last_used_at = ${new Date()}
    where workspace_id = ${subject.workspaceId} and kind = ${subject.kind} and issuer = ${subject.issuer}
      and subject_hash = ${subject.subjectHash}
    returning member_id`)
  return row?.member_id
}

/** False when the member is another subject of the same provider already. */
export async function linkMember(tx: Db, subject: ProviderSubject, memberId: string): Promise<boolean> {
  const now = new Date()
  const linked = await tx.query(sql`
    insert into sso_identities (workspace_id, kind, issuer, subject_hash, member_id, created_at, last_used_at)
    values (${subject.workspaceId}, ${subject.kind}, ${subject.issuer}, ${subject.subjectHash}, ${memberId}, ${now}, ${now})
    on conflict do nothing
    returning member_id`)
  return linked.length > 0
}

/** Of the account, whichever name and address its member has. */
export async function memberOfAccount(
  tx: Db,
  workspaceId: string,
  accountId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(
    sql`select id from members where workspace_id = ${workspaceId} and account_id = ${accountId}`,
  )
  return row?.id
}

/** The member's next sign-in links again, by the address. Returns how many links there were. */
export async function unlinkMember(db: Db, by: Caller, memberId: string): Promise<number> {
  const remove = sql`
    delete from sso_identities where workspace_id = ${by.workspaceId} and member_id = ${memberId}
    returning member_id as id`
  return (await db.query(audited(by, 'member.sso_unlinked', remove))).length
}
