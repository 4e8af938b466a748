// Mails about publication requests: to the owner and the admins, and to the member who asked.
import type { EnqueueAccountMail } from '#features/workspace/account-mails/index.ts'
import { findAccountOfMember, findMemberById, membersOf } from '#features/workspace/accounts/index.ts'
import { isBelow } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import type { PublicationRequest } from './schemas.ts'

export interface RequestMailDeps {
  readonly enqueueAccountMail: EnqueueAccountMail
}

/** Each mail costs some statements of the transaction. */
const maxReaders = 50

type Member = { readonly id: string; readonly email: string; readonly name: string }

async function readerOf(tx: Db, workspaceId: string, { id, email, name }: Member) {
  const account = await findAccountOfMember(tx, workspaceId, id)
  return { to: email, name, locale: account?.locale ?? null, workspaceId }
}

const subjectOf = ({ signature_name: signature, kind }: PublicationRequest) => ({
  signature,
  variant: kind === 'primary' ? null : kind,
})

/** The members who can decide about the request. */
export async function mailRequest(
  tx: Db,
  workspaceId: string,
  request: PublicationRequest,
  { enqueueAccountMail }: RequestMailDeps,
): Promise<void> {
  const members = await membersOf(tx, workspaceId)
  const deciders = members.filter(({ status, role }) => status === 'active' && !isBelow(role, 'admin'))
  const data = { ...subjectOf(request), requestedBy: request.requested_by.name }
  for (const member of deciders.slice(0, maxReaders))
    await enqueueAccountMail(tx, 'publication_requested', {
      ...(await readerOf(tx, workspaceId, member)),
      data,
    })
}

/** A member who has left gets no mail. */
export async function mailDecision(
  tx: Db,
  workspaceId: string,
  request: PublicationRequest,
  { enqueueAccountMail }: RequestMailDeps,
): Promise<void> {
  const member = await findMemberById(tx, workspaceId, request.requested_by.member_id)
  if (!member) return
  const data = {
    ...subjectOf(request),
    signatureId: request.signature_id,
    isApproved: request.status === 'approved',
    decidedBy: request.decided_by?.name ?? null,
    reason: request.reason,
  }
  await enqueueAccountMail(tx, 'publication_decided', { ...(await readerOf(tx, workspaceId, member)), data })
}
