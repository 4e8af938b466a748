// Publications that a manager of the demo asked for: one waits for an approval, one was rejected.
import type { Content } from '@signoff/render'
import {
  changeSignature,
  findSignature,
  listRequests,
  publishOrRequest,
  rejectRequest,
  signatureIdsByName,
} from '#features/signatures/signatures/index.ts'
import { findMember } from '#features/workspace/accounts/index.ts'
import { changeWorkspace } from '#features/workspace/workspaces/index.ts'
import { type Caller, roleGrants } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'
import { colleagues } from './members.ts'

/** A colleague of the demo, as the API sees a member who is signed in. */
async function asColleague(db: Db, by: Caller, role: 'admin' | 'manager'): Promise<Caller> {
  const { email } = colleagues[role]
  const { id } = orNotFound(await findMember(db, by.workspaceId, email))
  return { ...by, memberId: id, actorId: id, memberEmail: email, role, scopes: roleGrants[role] }
}

const withFairNote = (content: Content): Content => ({
  ...content,
  children: [
    ...(content.children ?? []),
    {
      type: 'text',
      displayName: 'Fair',
      tokens: [{ value: 'Meet us at the winter coffee fair in Hamburg' }],
    },
  ],
})

/** Idempotent. The workspace wants approvals from then on, unless it has requests already. */
export async function fillPublications(
  db: Db,
  by: Caller,
  { signatures, rendering, workspaces }: Parts,
): Promise<void> {
  const { workspaceId } = by
  const { pagination } = await listRequests(db, workspaceId, { page: 1, limit: 1 }, {})
  if (pagination.total_count > 0) return
  await changeWorkspace(db, by, { publish_approval: 'required' }, workspaces)
  const [manager, admin] = [await asColleague(db, by, 'manager'), await asColleague(db, by, 'admin')]
  // The people of the demo have no mailboxes.
  const deps = { ...rendering, ...signatures, enqueueAccountMail: async () => undefined }
  const ids = await signatureIdsByName(db, workspaceId)
  const redesign = ids.get('Winter redesign')
  if (redesign) {
    const outcome = await publishOrRequest(db, manager, redesign, deps, { force: true })
    if ('request' in outcome)
      await rejectRequest(db, admin, outcome.request.id, 'Please wait for the new photos.', deps)
  }
  const marketing = ids.get('Marketing with campaign')
  const live = marketing && (await findSignature(db, workspaceId, marketing))?.content
  if (!marketing || !live) return
  await changeSignature(db, manager, marketing, { draft_content: withFairNote(live) }, signatures.onChange)
  await publishOrRequest(db, manager, marketing, deps, {})
}
