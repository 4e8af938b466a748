// The personal page: nothing is pushed. A teammate copies the signature, and the service records the copy.

import type { RenderContext } from '#features/signatures/live-signatures/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { type RenderedAssignment, renderFor } from '../assignments.ts'
import { personalPage } from '../channel.ts'
import { settleFetches } from '../fetches/rules.ts'
import { lockReconcile } from '../reconcile/queries.ts'
import { copiesOf } from './queries.ts'

/** The copies from the page, compared with the signature that the address should have now. */
type CopyState = 'never' | 'outdated' | 'current'

export interface CopyableSignature extends Pick<RenderedAssignment, 'html' | 'text' | 'sha256'> {
  readonly state: CopyState
}

const renderOne = async (
  db: Db,
  context: RenderContext,
  emailId: string,
): Promise<RenderedAssignment | undefined> => (await renderFor(db, context, [emailId])).get(emailId)

/** Null when the address gets no signature. */
export async function copyableSignature(
  db: Db,
  context: RenderContext,
  emailId: string,
): Promise<CopyableSignature | null> {
  const target = await renderOne(db, context, emailId)
  if (!target) return null
  const { html, text, sha256, signatureId } = target
  const copies = await copiesOf(db, context.workspaceId, emailId)
  const isCurrent = copies.some(copy => copy.signature_id === signatureId && copy.html_sha256 === sha256)
  return { html, text, sha256, state: isCurrent ? 'current' : copies.length > 0 ? 'outdated' : 'never' }
}

/**
 * Records that a teammate copied the signature. `sha256` is that of the HTML that the page showed: the result is
 * `outdated` when the address should have different HTML now. Null when the address gets no signature. No reconcile job
 * compares this address meanwhile; the job of a later publication compares with this copy.
 */
export const recordCopy = (
  db: Db,
  context: RenderContext,
  emailId: string,
  sha256?: string,
): Promise<Exclude<CopyState, 'never'> | null> =>
  db.transaction(async tx => {
    await lockReconcile(tx, context.workspaceId, [emailId])
    const target = await renderOne(tx, context, emailId)
    if (!target) return null
    if (sha256 !== undefined && sha256 !== target.sha256) return 'outdated'
    await settleFetches(tx, personalPage(context.workspaceId), [
      { emailId, signatureId: target.signatureId, sha256: target.sha256 },
    ])
    return 'current'
  })
