import { audited } from '#features/workspace/audit-log/index.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller, Role } from '#kernel/api/scopes.ts'
import { alphabetical, orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'
import { comparisonKey, iso } from '#kernel/db/text.ts'

/** A member as the API shows it. */
export interface MemberView {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly status: 'active' | 'invited'
  readonly last_seen_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

const shape = sql`
  id, name, email, role, status, ${iso(sql`last_seen_at`)} as last_seen_at,
  ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`

/** The columns of `shape`, for RETURNING: `iso` is not allowed there in a cluster. */
const shapeColumns = sql`id, name, email, role, status, last_seen_at, created_at, updated_at`
const changedMember = sql`select ${shape} from changed`

export const memberSorts = {
  name: alphabetical(sql`name`),
  email: sql`email_key`,
  role: sql`array_position(array['owner', 'admin', 'manager', 'member'], role)`,
  status: sql`status`,
  last_seen_at: { nullable: sql`members.last_seen_at` },
  created_at: null,
} satisfies SortColumns

export const listMembers = (
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { sort }: SortQuery,
): Promise<ListResult> =>
  listRows(
    db,
    page,
    shape,
    sql`from members where workspace_id = ${workspaceId}`,
    orderBy(sort, memberSorts, sql`id`),
  )

export const findMemberById = (db: Db, workspaceId: string, id: string) =>
  db.first<MemberView>(sql`select ${shape} from members where workspace_id = ${workspaceId} and id = ${id}`)

/** A member whose row no other transaction can change before this one ends. */
export interface LockedMember extends MemberView {
  readonly account_id: string
}

export const lockMember = (tx: Db, workspaceId: string, id: string) =>
  tx.first<LockedMember>(sql`
    select ${shape}, account_id from members
    where workspace_id = ${workspaceId} and id = ${id} for update`)

/** The role of a member, which no other transaction can change before this one ends. */
export const lockRole = (tx: Db, workspaceId: string, id: string) =>
  tx.value<Role>(sql`select role from members where workspace_id = ${workspaceId} and id = ${id} for share`)

/** The owner and one other member. Of two changes of the owner, the second begins when the first has ended. */
export async function lockOwnerAnd(tx: Db, workspaceId: string, id: string): Promise<LockedMember[]> {
  await tx.query(sql`select pg_advisory_xact_lock(${namedLock(locks.ownership, workspaceId)})`)
  return tx.query(sql`
    select ${shape}, account_id from members
    where workspace_id = ${workspaceId} and (id = ${id} or role = 'owner') order by id for update`)
}

interface InvitedRow {
  readonly accountId: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly hash: Buffer
  readonly expiresAt: Date
  /** Otherwise the caller sees the link. */
  readonly isMailed: boolean
}

export async function insertInvited(tx: Db, by: Caller, row: InvitedRow): Promise<MemberView> {
  const { id, now } = newRow()
  const insert = sql`
    insert into members (workspace_id, id, account_id, name, email, email_key, role, status, invited_by,
      invitation_hash, invitation_expires_at, invitation_mailed, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${row.accountId}, ${row.name}, ${row.email}, ${comparisonKey(row.email)},
      ${row.role}, 'invited', ${by.memberId}, ${row.hash}, ${row.expiresAt}, ${row.isMailed}, ${now}, ${now})
    returning ${shapeColumns}`
  const member = await tx.first<MemberView>(audited(by, 'member.invited', insert, undefined, changedMember))
  return member as MemberView
}

/** The old link stops working. From now on the invitation is the caller's. */
export async function renewInvitation(
  tx: Db,
  by: Caller,
  id: string,
  { hash, expiresAt, isMailed }: Pick<InvitedRow, 'hash' | 'expiresAt' | 'isMailed'>,
): Promise<void> {
  const update = sql`
    update members set invitation_hash = ${hash}, invitation_expires_at = ${expiresAt}, invitation_mailed = ${isMailed},
      invited_by = ${by.memberId}
    where workspace_id = ${by.workspaceId} and id = ${id} and status = 'invited'
    returning id`
  await tx.query(audited(by, 'member.invitation_resent', update))
}

export async function updateMember(
  tx: Db,
  by: Caller,
  id: string,
  action: 'member.updated' | 'member.role_changed' | 'member.made_owner',
  { name, role }: Pick<MemberView, 'name' | 'role'>,
): Promise<MemberView | undefined> {
  const update = sql`
    update members set name = ${name}, role = ${role}, updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = ${id}
    returning ${shapeColumns}`
  return tx.first<MemberView>(audited(by, action, update, undefined, changedMember))
}

/** Moves the row to the former members, whom the audit log goes on naming. */
export async function moveToFormerMembers(tx: Db, by: Caller, id: string): Promise<void> {
  const remove = sql`
    delete from members where workspace_id = ${by.workspaceId} and id = ${id} returning id, account_id, name, email`
  const removed = await tx.first<Pick<LockedMember, 'account_id' | 'name' | 'email'>>(
    audited(by, 'member.removed', remove, undefined, sql`select * from changed`),
  )
  if (!removed) return
  await tx.query(sql`
    insert into former_members (workspace_id, id, account_id, name, email, email_key, removed_at)
    values (${by.workspaceId}, ${id}, ${removed.account_id}, ${removed.name}, ${removed.email},
      ${comparisonKey(removed.email)}, ${new Date()})`)
}

/** True if the workspace has removed a member with this account or this address. */
export const wasRemoved = (
  db: Db,
  workspaceId: string,
  { email, accountId }: { readonly email: string; readonly accountId: string | null },
) =>
  db.hasRows(sql`
    select from former_members
    where workspace_id = ${workspaceId} and (email_key = ${comparisonKey(email)} or account_id = ${accountId}) limit 1`)

/** Deletes a locked account unless it has a password, a member or an invitation. */
export const deleteUnusedAccount = (tx: Db, id: string) =>
  tx.query(sql`
    delete from accounts where id = ${id} and password_hash is null
      and not exists (select from members where account_id = ${id})`)

/** An invitation that can be accepted now. */
export interface OpenInvitation {
  readonly workspace_id: string
  readonly member_id: string
  readonly account_id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly invited_by: string | null
  /** Null when the inviter has left, or the command line invited. */
  readonly inviter_name: string | null
  readonly inviter_role: Role | null
  /** The holder of the token reads the mailbox of the address. */
  readonly is_mailed: boolean
}

/** Locks the row: of two requests with one token the second finds no invitation any more. */
export const lockInvitation = (tx: Db, hash: Buffer, now: Date) =>
  tx.first<OpenInvitation>(sql`
    select m.workspace_id, m.id as member_id, m.account_id, m.name, m.email, m.role,
      m.invited_by, i.name as inviter_name, i.role as inviter_role, m.invitation_mailed as is_mailed
    from members m
    left join members i on i.workspace_id = m.workspace_id and i.id = m.invited_by
    where m.invitation_hash = ${hash} and m.status = 'invited' and m.invitation_expires_at > ${now}
    for update of m`)

/** `by` is the member who joins. */
export async function joinWorkspace(tx: Db, by: Caller, id: string, name: string): Promise<void> {
  const update = sql`
    update members set status = 'active', name = ${name}, invitation_hash = null, invitation_expires_at = null,
      updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = ${id} and status = 'invited'
    returning id`
  await tx.query(audited(by, 'member.joined', update))
}

/** An expression for a `NamedMember`: the row of a member, who can have left. */
export const namedMemberAt = (workspaceId: string, memberId: Sql): Sql => sql`(
  select json_build_object('member_id', ${memberId}, 'name', max(p.name), 'email', max(p.email)) from (
    select name, email from members where workspace_id = ${workspaceId} and id = ${memberId}
    union all select name, email from former_members where workspace_id = ${workspaceId} and id = ${memberId}) p)`
