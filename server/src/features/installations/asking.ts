// Installation asked for by people: what is there already is written once more, for whoever has changed it in their mailbox.
import type { Db } from '../../kernel/db.ts'
import { apiError, found } from '../../kernel/errors.ts'
import type { Caller } from '../../kernel/scopes.ts'
import { findSignature, touchSignature } from '../signatures/index.ts'
import { desiredFor, type Place } from './desired.ts'
import { peopleChanged, signatureChanged } from './jobs.ts'
import { auditInstallation, countRecipients, forceAgain, hasWayOut, ownerOf } from './queries.ts'

async function refuseWithoutChannel(tx: Db, workspaceId: string, publicUrl: string): Promise<void> {
  if (await hasWayOut(tx, workspaceId)) return
  const message = 'Connect a channel, or switch the personal page on.'
  throw apiError('installation_unavailable', {
    remediation: { action: 'connect_integration', dashboard_url: publicUrl, message },
  })
}

/** How many addresses get it. */
export async function installSignature(db: Db, by: Caller, id: string, publicUrl: string): Promise<number> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const signature = found(await findSignature(tx, workspaceId, id))
    if (!signature.content) throw apiError('no_signature_to_install')
    await refuseWithoutChannel(tx, workspaceId, publicUrl)
    await touchSignature(tx, by, signature.id, 'signature.install_requested')
    await forceAgain(tx, workspaceId, { signatureId: signature.id })
    await tx.query(signatureChanged(workspaceId, signature.id))
    return countRecipients(tx, workspaceId, signature.id)
  })
}

/** The signature that this address gets; null when it gets none. */
export async function installOne(db: Db, by: Caller, place: Place, emailId: string): Promise<string | null> {
  const { workspaceId } = place
  return db.transaction(async tx => {
    const teammateId = found(await ownerOf(tx, workspaceId, emailId))
    const target = (await desiredFor(tx, place, [emailId.toLowerCase()])).values().next().value
    if (!target) return null
    await refuseWithoutChannel(tx, workspaceId, place.publicUrl)
    await auditInstallation(tx, by, emailId)
    await forceAgain(tx, workspaceId, { signatureId: target.signatureId, emailId })
    await tx.query(peopleChanged(workspaceId, [teammateId]))
    return target.signatureId
  })
}
