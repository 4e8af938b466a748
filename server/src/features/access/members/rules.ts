import type { Static } from 'typebox'
import {
  type AccessDeps,
  checkActsForOwner,
  endSessionsOfMember,
  limitInvitationMails,
  newToken,
  renewToken,
} from '#features/access/access/index.ts'
import type { EnqueueAccountMail } from '#features/workspace/account-mails/index.ts'
import {
  deleteUnusedAccount,
  findAccount,
  insertAccount,
  insertInvited,
  type LockedMember,
  lockAccount,
  lockMember,
  lockOwnerAnd,
  lockRole,
  type MemberView,
  membershipsOf,
  moveToFormerMembers,
  refuseLookAlike,
  renewInvitation,
  updateMember,
} from '#features/workspace/accounts/index.ts'
import { endKeysOf } from '#features/workspace/api-keys/index.ts'
import type { Caller, Role } from '#kernel/api/scopes.ts'
import { day } from '#kernel/base/durations.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import { type InvitationLink, mailInvitation, mailRoleChange } from './mails.ts'
import { checkCanChange, checkCanGive, checkIsOwner } from './permissions.ts'
import type { MemberInput } from './schemas.ts'

export interface MemberDeps {
  readonly access: AccessDeps
  readonly enqueueAccountMail: EnqueueAccountMail
}

const invitationMilliseconds = 7 * day

export type NewInvitation = Static<typeof MemberInput>

/** With the link while no mail server is set: then the caller passes it on. */
export type Invited = MemberView & { readonly invitation_url?: string }

type MintedInvitation = InvitationLink & { readonly hash: Buffer; readonly isMailed: boolean }

function mintInvitation({ publicUrl, sendsMail }: AccessDeps): MintedInvitation {
  const { token, hash } = newToken()
  const expiresAt = new Date(Date.now() + invitationMilliseconds)
  return { hash, expiresAt, isMailed: sendsMail, url: `${publicUrl}/invitation#${token}` }
}

/**
 * The caller with the role that it has now. The authenticator's answer can be some seconds old: a member who was just
 * demoted or removed must not undo that.
 */
async function withCurrentRole(tx: Db, by: Caller): Promise<Caller> {
  if (by.memberId === null) return by
  const role = await lockRole(tx, by.workspaceId, by.memberId)
  if (!role) throw apiError('insufficient_role', { message: 'You were removed from this workspace.' })
  return { ...by, role }
}

const alreadyMember = (email: string) =>
  apiError('already_member', { message: `${email} is a member of this workspace already` })

export async function inviteMember(
  db: Db,
  by: Caller,
  { email, name, role }: NewInvitation,
  deps: MemberDeps,
): Promise<Invited> {
  refuseLookAlike('email', email)
  const invitation = mintInvitation(deps.access)
  return db.transaction(async tx => {
    checkCanGive(await withCurrentRole(tx, by), role)
    // Not the name of an account that exists: the caller must not learn that it does.
    const shownName = name ?? email.slice(0, email.indexOf('@'))
    const account = await insertAccount(tx, { email, name: shownName })
    const row = { ...invitation, accountId: account.id, name: shownName, email, role }
    const member = await insertUnlessMember(tx, by, row)
    return handOut(tx, by, member, invitation, deps)
  })
}

async function insertUnlessMember(
  tx: Db,
  by: Caller,
  row: Parameters<typeof insertInvited>[2],
): Promise<MemberView> {
  try {
    return await tx.transaction(inner => insertInvited(inner, by, row))
  } catch (error) {
    const isMember = isViolation(error, 'members_email') || isViolation(error, 'members_account')
    throw isMember ? alreadyMember(row.email) : error
  }
}

/** By mail, or to the caller. */
async function handOut(
  tx: Db,
  by: Caller,
  member: MemberView,
  { url, expiresAt }: InvitationLink,
  deps: MemberDeps,
): Promise<Invited> {
  if (!deps.access.sendsMail) return { ...member, invitation_url: url }
  await limitInvitationMails(tx, member.email)
  await mailInvitation(tx, by, member, { url, expiresAt }, deps)
  return member
}

/** Makes a new link; the old one stops working. The invitation is the caller's from now on. */
export async function resendInvitation(db: Db, by: Caller, id: string, deps: MemberDeps): Promise<Invited> {
  const invitation = mintInvitation(deps.access)
  return db.transaction(async tx => {
    const member = orNotFound(await lockMember(tx, by.workspaceId, id))
    checkCanGive(await withCurrentRole(tx, by), member.role)
    if (member.status !== 'invited') throw alreadyMember(member.email)
    await renewInvitation(tx, by, id, invitation)
    return handOut(tx, by, viewOf(member), invitation, deps)
  })
}

export interface MemberChange {
  readonly name?: string
  readonly role?: Exclude<Role, 'owner'>
}

/** A member after a change. */
export interface ChangedMember {
  readonly member: MemberView
  /** The Set-Cookie header with the new token, where the rights of the caller's own session have changed. */
  readonly cookie: string | null
}

const unchanged = (member: LockedMember): ChangedMember => ({ member: viewOf(member), cookie: null })

/** The new token of the caller's session when the caller's own role has changed. */
const renewIfOwn = async (
  tx: Db,
  { memberId, sessionId }: Caller,
  id: string,
  { access }: MemberDeps,
): Promise<string | null> =>
  sessionId !== null && memberId === id ? renewToken(tx, sessionId, access) : null

export const changeMember = (
  db: Db,
  by: Caller,
  id: string,
  patch: MemberChange,
  deps: MemberDeps,
): Promise<ChangedMember> =>
  db.transaction(async tx => {
    const member = orNotFound(await lockMember(tx, by.workspaceId, id))
    const role = patch.role ?? member.role
    const name = patch.name ?? member.name
    if (role === member.role && name === member.name) return unchanged(member)
    const caller = await withCurrentRole(tx, by)
    if (role !== member.role) {
      if (member.role === 'owner') throw apiError('owner')
      checkCanGive(caller, role)
    }
    checkCanChange(caller, member.role)
    const action = role === member.role ? 'member.updated' : 'member.role_changed'
    const changed = orNotFound(await updateMember(tx, by, id, action, { name, role }))
    if (role === member.role) return { member: changed, cookie: null }
    await mailRoleChange(tx, by, changed, deps)
    return { member: changed, cookie: await renewIfOwn(tx, by, id, deps) }
  })

const viewOf = ({ account_id: _, ...view }: LockedMember): MemberView => view

/** The member's keys are refused and the sessions end, in every process within 5 s. */
export const removeMember = (db: Db, by: Caller, id: string, { access }: MemberDeps): Promise<void> =>
  db.transaction(async tx => {
    const member = orNotFound(await lockMember(tx, by.workspaceId, id))
    if (member.role === 'owner') throw apiError('owner')
    checkCanChange(await withCurrentRole(tx, by), member.role)
    await endKeysOf(tx, by, id)
    await moveToFormerMembers(tx, by, id)
    // Other sessions of an account with other workspaces lose this one: each look-up reads the members.
    const others = await membershipsOf(tx, member.account_id)
    await endSessionsOfMember(tx, by, member.account_id, others.length === 0 ? 'account' : 'workspace')
    if (member.status === 'invited') await forgetUnused(tx, member.account_id, access)
  })

/** The address of a person who never joined is not kept. */
async function forgetUnused(tx: Db, accountId: string, { secondFactorsOf }: AccessDeps): Promise<void> {
  await lockAccount(tx, accountId)
  if ((await secondFactorsOf(tx, accountId)).length === 0) await deleteUnusedAccount(tx, accountId)
}

/** The old owner becomes an admin. The new owner signs in again: a session that was stolen does not become an owner's. */
export async function makeOwner(db: Db, by: Caller, id: string, deps: MemberDeps): Promise<ChangedMember> {
  checkIsOwner(by)
  checkCanGive(by, 'owner')
  return db.transaction(async tx => {
    const locked = await lockOwnerAnd(tx, by.workspaceId, id)
    const member = orNotFound(locked.find(row => row.id === id))
    const owner = orNotFound(locked.find(({ role }) => role === 'owner'))
    checkIsOwner(await withCurrentRole(tx, by))
    await checkActsForOwner(tx, by)
    if (member.id === owner.id) return unchanged(member)
    await refuseWithoutWayIn(tx, owner, member, deps)
    const demoted = await updateMember(tx, by, owner.id, 'member.role_changed', { ...owner, role: 'admin' })
    const promoted = await updateMember(tx, by, id, 'member.made_owner', { ...member, role: 'owner' })
    for (const changed of [demoted, promoted]) if (changed) await mailRoleChange(tx, by, changed, deps)
    await endSessionsOfMember(tx, by, member.account_id, 'account')
    return { member: orNotFound(promoted), cookie: await renewIfOwn(tx, by, owner.id, deps) }
  })
}

/** A password, a passkey, or links by mail. */
async function hasWayIn(tx: Db, { account_id: id }: LockedMember, access: AccessDeps): Promise<boolean> {
  if (access.sendsMail || (await findAccount(tx, id))?.hasPassword) return true
  return (await access.secondFactorsOf(tx, id)).includes('passkey')
}

/** A workspace whose owner signs in must not get an owner who cannot. */
async function refuseWithoutWayIn(
  tx: Db,
  owner: LockedMember,
  next: LockedMember,
  { access }: MemberDeps,
): Promise<void> {
  if (next.status === 'invited')
    throw apiError('last_way_in', {
      message: `${next.email} has not accepted the invitation yet and could not sign in as the owner.`,
    })
  if ((await hasWayIn(tx, next, access)) || !(await hasWayIn(tx, owner, access))) return
  throw apiError('last_way_in', {
    message: `${next.email} has no way to sign in yet; the workspace would have an owner who cannot.`,
  })
}
