// Where a workspace wants it, managers ask to publish, and an owner or admin decides. A request keeps the content that
// was asked for; an approval publishes that content or nothing.
import type { Content } from '@signoff/render'
import { announce } from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { hour } from '#kernel/base/durations.ts'
import { apiError, orNotFound, staleConflict } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { needsApproval } from '../approval.ts'
import type { CheckResult } from '../check/rules.ts'
import { type Published, type PublishOptions, publishSignature, withCheckedSignature } from '../publish.ts'
import type { Signature } from '../schemas.ts'
import type { StoredVariant } from '../variants/queries.ts'
import {
  publishVariant,
  type VariantDeps,
  type VariantPublishOptions,
  withCheckedVariant,
} from '../variants/rules.ts'
import type { VariantKind } from '../variants/schemas.ts'
import { mailDecision, mailRequest, type RequestMailDeps } from './mails.ts'
import {
  findPendingRequest,
  findRequest,
  insertRequest,
  type LockedRequest,
  lockRequest,
  peekRequest,
  replacePending,
  settleRequest,
} from './queries.ts'
import type { PublicationKind, PublicationRequest } from './schemas.ts'

export interface ApprovalDeps extends VariantDeps, RequestMailDeps {}

/** A publish that waits for an approval. */
export interface Requested {
  readonly request: PublicationRequest
  readonly warnings: CheckResult['problems']
}

/** Publishes the draft, or asks for its publication. */
export async function publishOrRequest(
  db: Db,
  by: Caller,
  id: string,
  deps: ApprovalDeps,
  options: PublishOptions,
): Promise<Published<Signature> | Requested> {
  if (!(await needsApproval(db, by))) return publishSignature(db, by, id, deps, options)
  const { force } = options
  return withCheckedSignature(db, by, id, { deps, force }, async (tx, before, warnings) => {
    const content = (before.draft_content ?? before.content) as Content
    const publication = { signatureId: before.id, kind: 'primary', content, force, activated: null } as const
    return { request: await request(tx, by, publication, deps), warnings }
  })
}

export async function publishOrRequestVariant(
  db: Db,
  by: Caller,
  id: string,
  kind: VariantKind,
  deps: ApprovalDeps,
  options: VariantPublishOptions,
): Promise<Published<StoredVariant> | Requested> {
  if (!(await needsApproval(db, by))) return publishVariant(db, by, id, kind, deps, options)
  return withCheckedVariant(db, by, { id, kind }, { deps, options }, async (tx, checked) => {
    const { signatureId, variant, warnings } = checked
    const content = (variant.draft_content ?? variant.content) as Content
    const { force, activated = null } = options
    const publication = { signatureId, kind, content, force, activated }
    return { request: await request(tx, by, publication, deps), warnings }
  })
}

interface RequestedPublication {
  readonly signatureId: string
  readonly kind: PublicationKind
  readonly content: Content
  readonly force: boolean | undefined
  readonly activated: boolean | null
}

/** A manager who publishes again and again does not fill the mailboxes of the admins. */
const mailMilliseconds = hour

/** Replaces the pending request of the same kind. The same publication, asked for by the same member, leaves it as it is. */
async function request(
  tx: Db,
  by: Caller,
  { signatureId, kind, content, force = false, activated }: RequestedPublication,
  deps: ApprovalDeps,
): Promise<PublicationRequest> {
  const { workspaceId, memberId, actorId } = by
  if (memberId === null || actorId === null) throw apiError('insufficient_role')
  const pending = await findPendingRequest(tx, workspaceId, signatureId, kind)
  const isSame =
    pending?.is_current &&
    pending.requested_by === memberId &&
    pending.force === force &&
    pending.activated === activated
  if (isSame) return orNotFound(await findRequest(tx, workspaceId, pending.id))
  if (pending) await replacePending(tx, by, signatureId, kind)
  const now = new Date()
  const isMailDue = !pending || now.getTime() - pending.mailed_at.getTime() > mailMilliseconds
  const mailedAt = isMailDue ? now : pending.mailed_at
  const row = { signatureId, kind, content, force, activated, memberId, actorId, mailedAt }
  const created = orNotFound(await findRequest(tx, workspaceId, await insertRequest(tx, by, row)))
  const { id, signature_name, requested_by } = created
  await announce(tx, workspaceId, 'publication.requested', [
    { id, signature_id: signatureId, signature_name, kind, requested_by: requested_by.email },
  ])
  if (isMailDue) await mailRequest(tx, workspaceId, created, deps)
  return created
}

/** Also the holder of an API key that acts for another member. */
function refuseOwn(by: Caller, { requested_by, requested_actor }: LockedRequest): void {
  const requesters = [requested_by, requested_actor]
  if ([by.memberId, by.actorId].some(id => id !== null && requesters.includes(id)))
    throw apiError('own_request')
}

function refuseUndecidable(by: Caller, request: LockedRequest): void {
  refuseOwn(by, request)
  if (request.status !== 'pending')
    throw apiError('already_decided', { message: `This request is ${request.status} already.` })
}

const stale = () =>
  staleConflict(
    'The draft has changed since this request was made. Ask for a new request, or reject this one.',
  )

/** Publishes the content of the request, unless the draft has changed since. */
export async function approveRequest(
  db: Db,
  by: Caller,
  id: string,
  deps: ApprovalDeps,
  { force = false }: PublishOptions,
): Promise<PublicationRequest> {
  const { workspaceId } = by
  const before = orNotFound(await peekRequest(db, workspaceId, id))
  refuseUndecidable(by, before)
  if (!before.is_current) throw stale()
  // The signature is locked from here on: of two approvals, the second sees the status that the first has set.
  const beforePublish = async (tx: Db) => {
    const request = orNotFound(await lockRequest(tx, workspaceId, id))
    refuseUndecidable(by, request)
    if (!request.is_current) throw stale()
    await settleRequest(tx, by, id, 'approved', null)
    await mailDecision(tx, workspaceId, orNotFound(await findRequest(tx, workspaceId, id)), deps)
  }
  const { signature_id: signatureId, kind, activated } = before
  const options = { force: force || before.force, beforePublish }
  if (kind === 'primary') await publishSignature(db, by, signatureId, deps, options)
  else
    await publishVariant(db, by, signatureId, kind, deps, {
      ...options,
      ...(activated !== null && { activated }),
    })
  return orNotFound(await findRequest(db, workspaceId, id))
}

export async function rejectRequest(
  db: Db,
  by: Caller,
  id: string,
  reason: string | null,
  deps: RequestMailDeps,
): Promise<PublicationRequest> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    refuseUndecidable(by, orNotFound(await lockRequest(tx, workspaceId, id)))
    await settleRequest(tx, by, id, 'rejected', reason)
    const rejected = orNotFound(await findRequest(tx, workspaceId, id))
    await mailDecision(tx, workspaceId, rejected, deps)
    return rejected
  })
}
