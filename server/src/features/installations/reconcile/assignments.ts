// What should be in mailboxes, computed now: who gets which signature, and how it looks for them.
import { hash } from 'node:crypto'
import {
  type LiveRenderer,
  type LiveSignature,
  openRenderer,
  type RenderContext,
} from '#features/live-signatures/index.ts'
import { candidatesForMany, choose, newMail } from '#features/recipients/index.ts'
import type { Db } from '#kernel/db.ts'

/** Whose mail carries which signature. */
export interface Assignment extends Pick<LiveSignature, 'emailId' | 'signatureId'> {
  readonly signatureName: string
}

export interface RenderedAssignment
  extends Assignment,
    Pick<LiveSignature, 'address' | 'primaryAddress' | 'html' | 'text'> {
  readonly sha256: string
  /** What it was drawn from. Asked for by those who note it alone: it takes all campaigns of the workspace. */
  readonly renderKey: () => Promise<string>
}

/** By address; those that get none are left out. */
export async function assignmentsFor(
  db: Db,
  { workspaceId }: RenderContext,
  emailIds: readonly string[],
): Promise<Map<string, Assignment>> {
  const candidates = await candidatesForMany(db, workspaceId, emailIds)
  const chosen = new Map<string, Assignment>()
  for (const [emailId, reaching] of candidates) {
    const { signature } = choose(reaching, newMail)
    if (signature)
      chosen.set(emailId, { emailId, signatureId: signature.signature_id, signatureName: signature.name })
  }
  return chosen
}

/** As new mail carries it. */
export const renderRequestOf = ({ emailId, signatureId }: Assignment) => ({
  emailId,
  signatureId,
  variant: null,
})

/** By address; where nothing is published any more, or the address is gone, there is none. */
export async function renderAssignments(
  drawing: LiveRenderer,
  chosen: readonly Assignment[],
): Promise<Map<string, RenderedAssignment>> {
  const drawn = await drawing.render(chosen.map(renderRequestOf))
  const desired = new Map<string, RenderedAssignment>()
  for (const one of chosen) {
    const live = drawn.get(one.emailId)
    if (!live) continue
    const { address, primaryAddress, html, text } = live
    const sha256 = hash('sha256', html)
    desired.set(one.emailId, {
      ...one,
      address,
      primaryAddress,
      html,
      text,
      sha256,
      renderKey: live.renderKey,
    })
  }
  return desired
}

/** What these should have, to be drawn for some of them at a time. */
export async function openAssignments(
  db: Db,
  place: RenderContext,
  emailIds: readonly string[],
): Promise<(some: readonly string[]) => Promise<Map<string, RenderedAssignment>>> {
  const chosen = await assignmentsFor(db, place, emailIds)
  if (chosen.size === 0) return async () => new Map()
  const drawing = await openRenderer(db, place)
  return some =>
    renderAssignments(
      drawing,
      some.flatMap(emailId => chosen.get(emailId) ?? []),
    )
}

export const renderedFor = async (
  db: Db,
  place: RenderContext,
  emailIds: readonly string[],
): Promise<Map<string, RenderedAssignment>> => (await openAssignments(db, place, emailIds))(emailIds)
