// What should be in mailboxes, computed now: who gets which signature, and how it looks for them.
import { hash } from 'node:crypto'
import {
  type LiveDrawing,
  type LiveSignature,
  openDrawing,
  type Place,
} from '#features/live-signatures/index.ts'
import { candidatesForMany, choose, newMail } from '#features/recipients/index.ts'
import type { Db } from '#kernel/db.ts'

/** Whose mail carries which signature. */
export interface Chosen extends Pick<LiveSignature, 'emailId' | 'signatureId'> {
  readonly signatureName: string
}

export interface Desired extends Chosen, Pick<LiveSignature, 'address' | 'primaryAddress' | 'html' | 'text'> {
  readonly sha256: string
  /** What it was drawn from. Asked for by those who note it alone: it takes all campaigns of the workspace. */
  readonly origin: () => Promise<string>
}

/** By address; those that get none are left out. */
export async function chosenFor(
  db: Db,
  { workspaceId }: Place,
  emailIds: readonly string[],
): Promise<Map<string, Chosen>> {
  const candidates = await candidatesForMany(db, workspaceId, emailIds)
  const chosen = new Map<string, Chosen>()
  for (const [emailId, reaching] of candidates) {
    const { signature } = choose(reaching, newMail)
    if (signature)
      chosen.set(emailId, { emailId, signatureId: signature.signature_id, signatureName: signature.name })
  }
  return chosen
}

/** As new mail carries it. */
export const wantedOf = ({ emailId, signatureId }: Chosen) => ({ emailId, signatureId, variant: null })

/** By address; where nothing is published any more, or the address is gone, there is none. */
export async function drawChosen(
  drawing: LiveDrawing,
  chosen: readonly Chosen[],
): Promise<Map<string, Desired>> {
  const drawn = await drawing.draw(chosen.map(wantedOf))
  const desired = new Map<string, Desired>()
  for (const one of chosen) {
    const live = drawn.get(one.emailId)
    if (!live) continue
    const { address, primaryAddress, html, text } = live
    const sha256 = hash('sha256', html)
    desired.set(one.emailId, { ...one, address, primaryAddress, html, text, sha256, origin: live.origin })
  }
  return desired
}

/** What these should have, to be drawn for some of them at a time. */
export async function openDesired(
  db: Db,
  place: Place,
  emailIds: readonly string[],
): Promise<(some: readonly string[]) => Promise<Map<string, Desired>>> {
  const chosen = await chosenFor(db, place, emailIds)
  if (chosen.size === 0) return async () => new Map()
  const drawing = await openDrawing(db, place)
  return some =>
    drawChosen(
      drawing,
      some.flatMap(emailId => chosen.get(emailId) ?? []),
    )
}

export const desiredFor = async (
  db: Db,
  place: Place,
  emailIds: readonly string[],
): Promise<Map<string, Desired>> => (await openDesired(db, place, emailIds))(emailIds)
