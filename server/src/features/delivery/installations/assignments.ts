// Computes which signature each address should have now, and renders it.
import { hash } from 'node:crypto'
import {
  type LiveRenderer,
  type LiveSignature,
  openRenderer,
  type RenderContext,
} from '#features/signatures/live-signatures/index.ts'
import { candidatesForMany, choose, newMail } from '#features/signatures/recipients/index.ts'
import type { Db } from '#kernel/db/db.ts'

/** The signature that an address should have. */
export interface Assignment extends Pick<LiveSignature, 'emailId' | 'signatureId'> {
  readonly signatureName: string
}

export interface RenderedAssignment
  extends Assignment,
    Pick<LiveSignature, 'address' | 'primaryAddress' | 'html' | 'text'> {
  readonly sha256: string
  /** Identifies the inputs of the rendering. Computed on demand, because it needs all campaigns of the workspace. */
  readonly renderKey: () => Promise<string>
}

/** By email id; an address that gets no signature is left out. */
export async function assignmentsFor(
  db: Db,
  { workspaceId }: RenderContext,
  emailIds: readonly string[],
): Promise<Map<string, Assignment>> {
  const candidatesByEmail = await candidatesForMany(db, workspaceId, emailIds)
  const assignments = new Map<string, Assignment>()
  for (const [emailId, candidates] of candidatesByEmail) {
    const { signature } = choose(candidates, newMail)
    if (signature)
      assignments.set(emailId, {
        emailId,
        signatureId: signature.signature_id,
        signatureName: signature.name,
      })
  }
  return assignments
}

/** The signature for new mail, not a variant. */
export const renderRequestOf = ({ emailId, signatureId }: Assignment) => ({
  emailId,
  signatureId,
  variant: null,
})

/** By email id; deleted addresses and signatures that are not published any more are left out. */
export async function renderAssignments(
  renderer: LiveRenderer,
  assignments: readonly Assignment[],
): Promise<Map<string, RenderedAssignment>> {
  const live = await renderer.render(assignments.map(renderRequestOf))
  const rendered = new Map<string, RenderedAssignment>()
  for (const assignment of assignments) {
    const signature = live.get(assignment.emailId)
    if (!signature) continue
    const { address, primaryAddress, html, text } = signature
    const sha256 = hash('sha256', html)
    rendered.set(assignment.emailId, {
      ...assignment,
      address,
      primaryAddress,
      html,
      text,
      sha256,
      renderKey: signature.renderKey,
    })
  }
  return rendered
}

/** Reads the assignments of these addresses. The returned function renders some of them at a time. */
export async function openAssignments(
  db: Db,
  context: RenderContext,
  emailIds: readonly string[],
): Promise<(part: readonly string[]) => Promise<Map<string, RenderedAssignment>>> {
  const assignments = await assignmentsFor(db, context, emailIds)
  if (assignments.size === 0) return async () => new Map()
  const renderer = await openRenderer(db, context)
  return part =>
    renderAssignments(
      renderer,
      part.flatMap(emailId => assignments.get(emailId) ?? []),
    )
}

export const renderFor = async (
  db: Db,
  context: RenderContext,
  emailIds: readonly string[],
): Promise<Map<string, RenderedAssignment>> => (await openAssignments(db, context, emailIds))(emailIds)

/** Two signatures with the same fingerprint are the same in a mailbox. */
export const fingerprintOf = ({
  address,
  primaryAddress,
  signatureId,
  sha256,
  text,
}: RenderedAssignment): string =>
  hash('sha256', [address, primaryAddress, signatureId, sha256, text].join('\n'))
