import { signaturesWinningOver } from '#features/signatures/recipients/index.ts'
import { touchSignature } from '#features/signatures/signatures/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, noMailServer, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { refuseWithoutPage } from '../rules.ts'
import { enqueueInvitations } from './jobs.ts'
import { countUninvited, versionOf } from './queries.ts'

export interface InviteDeps {
  readonly publicUrl: string
  /** True if a mail server is configured. */
  readonly sendsMail: boolean
}

/** Enqueues a mail with the page link to each address that gets the signature, once per version. Returns their number. */
export async function invite(
  db: Db,
  by: Caller,
  signatureId: string,
  { publicUrl, sendsMail }: InviteDeps,
): Promise<number> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const version = orNotFound(await versionOf(tx, workspaceId, signatureId))
    const preferred = await signaturesWinningOver(tx, workspaceId, version.id)
    if (!preferred) throw apiError('no_signature_to_install')
    await refuseWithoutPage(tx, workspaceId, publicUrl)
    if (!sendsMail) throw noMailServer()
    await touchSignature(tx, by, version.id, 'signature.invited')
    await tx.query(enqueueInvitations(workspaceId, version))
    return countUninvited(tx, workspaceId, version, preferred)
  })
}
