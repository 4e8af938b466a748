// Installation asked for by people: what is there already is written once more, for whoever has changed it in their mailbox.

import type { RenderContext } from '#features/live-signatures/index.ts'
import { countChosen, preferredTo } from '#features/recipients/index.ts'
import { findSignature, touchSignature } from '#features/signatures/index.ts'
import type { Db } from '#kernel/db.ts'
import { apiError, invalid, orNotFound } from '#kernel/errors.ts'
import type { Caller } from '#kernel/scopes.ts'
import { renderedFor } from './reconcile/assignments.ts'
import { enqueueReinstallEmail, enqueueReinstallSignature } from './reconcile/enqueue.ts'
import { auditInstallation, hasChannel, hasEmail } from './reconcile/queries.ts'

async function refuseWithoutChannel(tx: Db, workspaceId: string, publicUrl: string): Promise<void> {
  if (await hasChannel(tx, workspaceId)) return
  const message = 'Connect a channel, or switch the personal page on.'
  throw apiError('installation_unavailable', {
    remediation: { action: 'connect_integration', dashboard_url: publicUrl, message },
  })
}

/** How many addresses get it. */
export async function installSignature(db: Db, by: Caller, id: string, publicUrl: string): Promise<number> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const signature = orNotFound(await findSignature(tx, workspaceId, id))
    const preferred = await preferredTo(tx, workspaceId, signature.id)
    if (!preferred) throw apiError('no_signature_to_install')
    await refuseWithoutChannel(tx, workspaceId, publicUrl)
    await touchSignature(tx, by, signature.id, 'signature.install_requested')
    await tx.query(enqueueReinstallSignature(workspaceId, signature.id))
    return countChosen(tx, workspaceId, signature.id, preferred)
  })
}

/** The signature that this address gets, which must be `wanted` when that is told. */
export async function installEmail(
  db: Db,
  by: Caller,
  place: RenderContext,
  emailId: string,
  wanted?: string,
): Promise<string> {
  const { workspaceId } = place
  return db.transaction(async tx => {
    if (!(await hasEmail(tx, workspaceId, emailId))) throw apiError('not_found')
    const target = (await renderedFor(tx, place, [emailId.toLowerCase()])).values().next().value
    if (!target) throw apiError('no_signature_to_install')
    if (wanted !== undefined && wanted.toLowerCase() !== target.signatureId)
      throw invalid('signature_id', 'not_a_recipient', {
        message: 'signature_id is not the signature that this address gets',
      })
    await refuseWithoutChannel(tx, workspaceId, place.publicUrl)
    await auditInstallation(tx, by, emailId)
    await tx.query(enqueueReinstallEmail(workspaceId, emailId.toLowerCase()))
    return target.signatureId
  })
}
