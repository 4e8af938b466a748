// What should be in mailboxes, computed now: who gets which signature, and how it looks for them.
import { hash } from 'node:crypto'
import type { Db } from '../../kernel/db.ts'
import { drawLive, type LiveSignature, type Place } from '../live/index.ts'
import { candidatesForMany, choose, newMail } from '../recipients/index.ts'

export interface Desired extends Omit<LiveSignature, 'variant' | 'warnings' | 'campaignId'> {
  readonly signatureName: string
  readonly sha256: string
}

/** By address; those that get none are left out. */
export async function desiredFor(
  db: Db,
  place: Place,
  emailIds: readonly string[],
): Promise<Map<string, Desired>> {
  const candidates = await candidatesForMany(db, place.workspaceId, emailIds)
  const names = new Map<string, string>()
  const wanted = [...Map.groupBy(candidates, one => one.email_id)].flatMap(([emailId, reaching]) => {
    const { signature } = choose(reaching, newMail)
    if (!signature) return []
    names.set(signature.signature_id, signature.name)
    return [{ emailId, signatureId: signature.signature_id, variant: null }]
  })
  const drawn = await drawLive(db, place, wanted)
  return new Map(
    [...drawn].map(([emailId, { address, primaryAddress, signatureId, html, text }]) => {
      const signatureName = names.get(signatureId) ?? ''
      const sha256 = hash('sha256', html)
      return [emailId, { emailId, address, primaryAddress, signatureId, signatureName, html, text, sha256 }]
    }),
  )
}
