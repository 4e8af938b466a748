// Installation on request: the deliver job writes the signature again although the mailbox holds it, for example
// because the user has edited it there.

import { hasEmail, type RenderContext } from '#features/signatures/live-signatures/index.ts'
import { countChosen, signaturesWinningOver } from '#features/signatures/recipients/index.ts'
import { findSignature, touchSignature } from '#features/signatures/signatures/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { renderFor } from './assignments.ts'
import { auditInstallation, hasChannel } from './queries.ts'
import { enqueueReinstallEmail, enqueueReinstallSignature } from './reconcile/enqueue.ts'

async function refuseWithoutChannel(tx: Db, workspaceId: string, publicUrl: string): Promise<void> {
  if (await hasChannel(tx, workspaceId)) return
  const message = 'Connect a channel, or switch the personal page on.'
  throw apiError('installation_unavailable', {
    remediation: { action: 'connect_integration', dashboard_url: `${publicUrl}/integrations`, message },
  })
}

/** Returns the number of addresses that get the signature. */
export async function installSignature(db: Db, by: Caller, id: string, publicUrl: string): Promise<number> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const signature = orNotFound(await findSignature(tx, workspaceId, id))
    const preferred = await signaturesWinningOver(tx, workspaceId, signature.id)
    if (!preferred) throw apiError('no_signature_to_install')
    await refuseWithoutChannel(tx, workspaceId, publicUrl)
    await touchSignature(tx, by, signature.id, 'signature.install_requested')
    await tx.query(enqueueReinstallSignature(workspaceId, signature.id))
    return countChosen(tx, workspaceId, signature.id, preferred)
  })
}

/** Returns the id of the signature that this address gets. It must be `expectedId` when that is given. */
export async function installEmail(
  db: Db,
  by: Caller,
  context: RenderContext,
  emailId: string,
  expectedId?: string,
): Promise<string> {
  const { workspaceId } = context
  return db.transaction(async tx => {
    if (!(await hasEmail(tx, workspaceId, emailId))) throw apiError('not_found')
    const target = (await renderFor(tx, context, [emailId.toLowerCase()])).values().next().value
    if (!target) throw apiError('no_signature_to_install')
    if (expectedId !== undefined && expectedId.toLowerCase() !== target.signatureId)
      throw invalid('signature_id', 'not_a_recipient', {
        message: 'signature_id is not the signature that this address gets',
      })
    await refuseWithoutChannel(tx, workspaceId, context.publicUrl)
    await auditInstallation(tx, by, emailId)
    await tx.query(enqueueReinstallEmail(workspaceId, emailId.toLowerCase()))
    return target.signatureId
  })
}
