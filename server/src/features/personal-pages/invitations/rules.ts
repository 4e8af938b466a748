import type { Db } from '../../../kernel/db.ts'
import { apiError, found } from '../../../kernel/errors.ts'
import type { Caller } from '../../../kernel/scopes.ts'
import { touchSignature } from '../../signatures/index.ts'
import { queueInvitations } from './jobs.ts'
import { countUninvited, versionOf } from './queries.ts'

/** Mails everybody who gets a signature the link to their page, once per version; how many that are. */
export async function invite(db: Db, by: Caller, signatureId: string, sendsMail: boolean): Promise<number> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const version = found(await versionOf(tx, workspaceId, signatureId))
    if (version.version_number === 0) throw apiError('no_signature_to_install')
    if (!sendsMail)
      throw apiError('unavailable', { message: 'No mail server is configured: set SIGNOFF_SMTP_URL.' })
    await touchSignature(tx, by, version.id, 'signature.invited')
    await tx.query(queueInvitations(workspaceId, version))
    return countUninvited(tx, workspaceId, version)
  })
}
