import type { Db } from '../../kernel/db.ts'
import { apiError, found, invalid } from '../../kernel/errors.ts'
import { type Drawn, drawn } from '../content/index.ts'
import { hasSignature } from '../signatures/index.ts'
import { drawLiveOne, type Place } from './draw.ts'
import { isRecipient } from './queries.ts'

/** What this address gets of this signature. */
export async function signatureFor(
  db: Db,
  place: Place,
  signatureId: string,
  emailId: string | undefined,
): Promise<Drawn> {
  const { workspaceId } = place
  if (!(await hasSignature(db, workspaceId, signatureId))) throw apiError('not_found')
  if (emailId === undefined) throw invalid('email_id', 'missing', { missing: ['email_id'] })
  if (!found(await isRecipient(db, workspaceId, signatureId, emailId)))
    throw invalid('email_id', 'not_a_recipient')
  const live = await drawLiveOne(db, place, { emailId, signatureId, variant: null })
  if (!live) throw apiError('no_signature_to_install')
  return drawn(live)
}
