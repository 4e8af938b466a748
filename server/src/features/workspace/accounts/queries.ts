import { auditedInsert } from '#features/workspace/audit-log/index.ts'
import { type Caller, operator, type Role } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'

/** A person who can sign in, known to the whole installation. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly email: string
  /** The language of mails and pages; null follows the browser. */
  readonly locale: 'en' | 'de' | null
  readonly hasPassword: boolean
  /** The person has proved to read the mailbox of the address, or the operator has vouched for the account. */
  readonly isVerified: boolean
  /** Workspace to which the ways in of an account that is not verified lead; null: nowhere. */
  readonly originWorkspaceId: string | null
}

const shape: Sql = sql`id, name, email, locale, password_hash is not null as "hasPassword",
  verified_at is not null as "isVerified", origin_workspace_id as "originWorkspaceId"`

export const findAccount = (db: Db, id: string) =>
  db.first<Account>(sql`select ${shape} from accounts where id = ${id}`)

export const findAccountByEmail = (db: Db, email: string) =>
  db.first<Account>(sql`select ${shape} from accounts where email_key = ${comparisonKey(email)}`)

export const listAccounts = (db: Db) =>
  db.query<Account>(sql`select ${shape} from accounts order by email_key`)

/** Held until the end of the transaction: changes of one account happen one after the other. */
export const lockAccount = (tx: Db, id: string) =>
  tx.first<Account>(sql`select ${shape} from accounts where id = ${id} for update`)

/** Null for an account without a password. */
export async function findPasswordHash(db: Db, accountId: string): Promise<string | null> {
  const hash = await db.value<string | null>(sql`select password_hash from accounts where id = ${accountId}`)
  return hash ?? null
}

interface NewAccount {
  readonly email: string
  readonly name: string
}

/** Inserts an account. One that has this address already is returned as it is. */
export async function insertAccount(tx: Db, { email, name }: NewAccount): Promise<Account> {
  const { id, now } = newRow()
  const account = await tx.first<Account>(sql`
    insert into accounts (id, email, email_key, name, created_at, updated_at)
    values (${id}, ${email.trim()}, ${comparisonKey(email)}, ${name}, ${now}, ${now})
    on conflict (email_key) do update set email_key = excluded.email_key
    returning ${shape}`)
  return account as Account
}

export async function updatePasswordHash(tx: Db, accountId: string, hash: string | null): Promise<void> {
  const now = new Date()
  await tx.query(sql`
    update accounts set password_hash = ${hash}, password_changed_at = ${now}, updated_at = ${now}
    where id = ${accountId}`)
}

export const markVerified = (accountId: string): Sql =>
  sql`update accounts set verified_at = ${new Date()} where id = ${accountId} and verified_at is null`

/** Marks an account whose password was chosen with an invitation that members of the workspace were shown. */
export const setOrigin = (accountId: string, workspaceId: string): Sql =>
  sql`update accounts set origin_workspace_id = ${workspaceId}, verified_at = null where id = ${accountId}`

/**
 * Changes the address and the name of an account, and their copies in its members. A workspace that has only invited the
 * person does not learn the name.
 */
export async function updateAccount(
  tx: Db,
  id: string,
  { email, name }: NewAccount,
): Promise<Account | undefined> {
  const now = new Date()
  const account = await tx.first<Account>(sql`
    update accounts set email = ${email.trim()}, email_key = ${comparisonKey(email)}, name = ${name}, updated_at = ${now}
    where id = ${id}
    returning ${shape}`)
  await tx.query(sql`
    update members set email = ${email.trim()}, email_key = ${comparisonKey(email)}, updated_at = ${now},
      name = case when status = 'active' then ${name} else name end
    where account_id = ${id}`)
  return account
}

/** Membership of an account in a workspace. */
export interface Member {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  /** Invited: the person has not accepted yet. */
  readonly status: 'active' | 'invited'
}

/** Inserts a member, and an account for its address unless there is one. */
export async function insertMember(
  tx: Db,
  workspaceId: string,
  member: Omit<Member, 'id' | 'status'> & { readonly isJustInTime?: boolean },
  by: Caller = operator(workspaceId),
  { id, now } = newRow(),
): Promise<string> {
  const account = await insertAccount(tx, member)
  const insert = sql`
    insert into members (workspace_id, id, account_id, name, email, email_key, role, just_in_time, created_at,
      updated_at)
    values (${workspaceId}, ${id}, ${account.id}, ${member.name}, ${member.email}, ${comparisonKey(member.email)},
      ${member.role}, ${member.isJustInTime ?? false}, ${now}, ${now})`
  await tx.query(auditedInsert(by, 'member.added', id, insert))
  return id
}

export const membersOf = (db: Db, workspaceId: string) =>
  db.query<Member>(
    sql`select id, name, email, role, status from members where workspace_id = ${workspaceId} order by id`,
  )

/** By address; without an address, the owner. */
export async function findMember(db: Db, workspaceId: string, email?: string): Promise<Member | undefined> {
  const condition = email === undefined ? sql`role = 'owner'` : sql`email_key = ${comparisonKey(email)}`
  return db.first<Member>(
    sql`select id, name, email, role, status from members where workspace_id = ${workspaceId} and ${condition}`,
  )
}

export const findAccountOfMember = (db: Db, workspaceId: string, memberId: string) =>
  db.first<Account>(sql`
    select ${shape} from accounts
    where id = (select account_id from members where workspace_id = ${workspaceId} and id = ${memberId})`)

/** A workspace of an account, with the role that it has there. */
export interface Membership {
  readonly workspaceId: string
  readonly memberId: string
  readonly role: Role
}

/** In the order in which the account got them. Invitations that are not accepted do not count. */
export const membershipsOf = (db: Db, accountId: string) =>
  db.query<Membership>(sql`
    select workspace_id as "workspaceId", id as "memberId", role from members
    where account_id = ${accountId} and status = 'active' order by id`)

/** Memberships that single sign-on alone has made do not count. */
export const hasOwnMembership = (db: Db, accountId: string) =>
  db.hasRows(sql`
    select from members where account_id = ${accountId} and status = 'active' and not just_in_time limit 1`)

export const hasOpenInvitation = (db: Db, accountId: string) =>
  db.hasRows(sql`
    select from members
    where account_id = ${accountId} and status = 'invited' and invitation_expires_at > ${new Date()} limit 1`)

/** The workspace that the account used last, or its only one; null for an account that has used none of several. */
export async function lastWorkspaceOf(db: Db, accountId: string): Promise<string | null> {
  const [first, second] = await db.query<{ workspace_id: string; last_seen_at: Date | null }>(sql`
    select workspace_id, last_seen_at from members
    where account_id = ${accountId} and status = 'active' order by last_seen_at desc nulls last, id limit 2`)
  return first && (!second || first.last_seen_at !== null) ? first.workspace_id : null
}

export const markSeen = (workspaceId: string, accountId: string, now: Date): Sql => sql`
  update members set last_seen_at = ${now} where workspace_id = ${workspaceId} and account_id = ${accountId}`

/** The owner of the oldest workspace, whose account the set-up link completes. */
export const findFirstOwner = (db: Db) =>
  db.first<Account>(sql`
    select ${shape} from accounts where id = (
      select m.account_id from members m where m.role = 'owner' order by m.workspace_id limit 1)`)

export interface ProfileChange {
  readonly name: string
  readonly locale: Account['locale']
}

/**
 * Changes what a person says about itself: the name, with its copies in the members, and the language. An account that
 * is not verified changes nothing in other workspaces than its own.
 */
export async function updateProfile(
  tx: Db,
  id: string,
  { name, locale }: ProfileChange,
): Promise<Account | undefined> {
  const now = new Date()
  const account = await tx.first<Account>(sql`
    update accounts set name = ${name}, locale = ${locale}, updated_at = ${now} where id = ${id} returning ${shape}`)
  await tx.query(
    sql`update members m set name = ${name}, updated_at = ${now} from accounts a
      where m.account_id = ${id} and a.id = ${id} and m.status = 'active' and m.name <> ${name}
        and (a.verified_at is not null or m.workspace_id = a.origin_workspace_id)`,
  )
  return account
}
