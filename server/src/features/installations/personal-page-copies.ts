// The personal page: there is nobody to push to. People fetch their signature, and we note that they did.

import type { RenderContext } from '#features/live-signatures/index.ts'
import type { Db } from '#kernel/db.ts'
import { type RenderedAssignment, renderedFor } from './reconcile/assignments.ts'
import { copiedBy, lockReconcile, saveCopy } from './reconcile/queries.ts'

/** How what somebody copied last stands to what they should have. */
export type CopyState = 'never' | 'outdated' | 'current'

export interface CopyableSignature extends Pick<RenderedAssignment, 'html' | 'text' | 'sha256'> {
  readonly state: CopyState
}

const desiredAt = async (
  db: Db,
  place: RenderContext,
  emailId: string,
): Promise<RenderedAssignment | undefined> => (await renderedFor(db, place, [emailId])).get(emailId)

/** Null when no signature reaches this address. */
export async function copyableSignature(
  db: Db,
  place: RenderContext,
  emailId: string,
): Promise<CopyableSignature | null> {
  const target = await desiredAt(db, place, emailId)
  if (!target) return null
  const { html, text, sha256, signatureId } = target
  const copied = await copiedBy(db, place.workspaceId, emailId)
  const isCurrent = copied.some(one => one.signature_id === signatureId && one.html_sha256 === sha256)
  return { html, text, sha256, state: isCurrent ? 'current' : copied.length > 0 ? 'outdated' : 'never' }
}

/**
 * Somebody copied what the page showed them: `sha256` tells what that was, and `outdated` is the answer when it is not
 * what they should have now. Null when no signature reaches this address. Nobody compares meanwhile: whatever is published
 * since we looked is compared with what we note.
 */
export async function recordCopy(
  db: Db,
  place: RenderContext,
  emailId: string,
  sha256?: string,
): Promise<Exclude<CopyState, 'never'> | null> {
  return db.transaction(async tx => {
    await lockReconcile(tx, place.workspaceId, [emailId])
    const target = await desiredAt(tx, place, emailId)
    if (!target) return null
    if (sha256 !== undefined && sha256 !== target.sha256) return 'outdated'
    await saveCopy(tx, place.workspaceId, target)
    return 'current'
  })
}
