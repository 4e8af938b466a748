// The mails to members: an invitation, and a changed role.
import type { EnqueueAccountMail } from '#features/workspace/account-mails/index.ts'
import { findAccountOfMember, findMemberById, type MemberView } from '#features/workspace/accounts/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'

interface Mails {
  readonly enqueueAccountMail: EnqueueAccountMail
}

export interface InvitationLink {
  readonly url: string
  readonly expiresAt: Date
}

/** Null at the command line. */
async function nameOfCaller(tx: Db, { workspaceId, actorId }: Caller): Promise<string | null> {
  const member = actorId === null ? undefined : await findMemberById(tx, workspaceId, actorId)
  return member?.name ?? null
}

async function readerOf(tx: Db, { workspaceId }: Caller, { id, email, name }: MemberView) {
  const account = await findAccountOfMember(tx, workspaceId, id)
  return { to: email, name, locale: account?.locale ?? null, workspaceId }
}

export async function mailInvitation(
  tx: Db,
  by: Caller,
  member: MemberView,
  link: InvitationLink,
  { enqueueAccountMail }: Mails,
): Promise<void> {
  const data = { ...link, role: member.role, invitedBy: await nameOfCaller(tx, by) }
  await enqueueAccountMail(tx, 'invitation', { ...(await readerOf(tx, by, member)), data })
}

/** A person who has not accepted the invitation has no role yet, and gets no mail. */
export async function mailRoleChange(
  tx: Db,
  by: Caller,
  member: MemberView,
  { enqueueAccountMail }: Mails,
): Promise<void> {
  if (member.status !== 'active') return
  const data = { role: member.role, changedBy: await nameOfCaller(tx, by) }
  await enqueueAccountMail(tx, 'role_changed', { ...(await readerOf(tx, by, member)), data })
}
