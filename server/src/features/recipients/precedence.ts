// Who gets which signature: the one function that everything asks. It explains itself, because people will.
import type { VariantKind } from '#features/signatures/index.ts'

export interface CandidateVariant {
  readonly activated: boolean
  readonly hidden: boolean
  readonly is_published: boolean
}

/** A signature that reaches an address. */
export interface Candidate {
  readonly signature_id: string
  readonly name: string
  readonly priority: number
  readonly is_activated: boolean
  readonly is_published: boolean
  readonly variants: Readonly<Partial<Record<VariantKind, CandidateVariant>>>
}

/** The kind of mail that is being written. */
export interface Occasion {
  readonly isReply: boolean
  /** All its recipients are in the workspace's own domains. */
  readonly isInternal: boolean
}

/** Mail that begins anew. */
export const newMail: Occasion = { isReply: false, isInternal: false }

export interface JudgedCandidate<C extends Candidate> {
  readonly candidate: C
  readonly chosen: boolean
  /** For people. */
  readonly reason: string
}

export interface Choice<C extends Candidate> {
  readonly signature: C | null
  /** The variant that this kind of mail gets; null is the signature itself. */
  readonly variant: VariantKind | null
  /** The variant says that this kind of mail carries no signature. */
  readonly isHidden: boolean
  readonly judged: readonly JudgedCandidate<C>[]
}

/** The lowest priority wins; on a tie the older one, which has the smaller id. */
const before = (a: Candidate, b: Candidate): number =>
  a.priority - b.priority || (a.signature_id < b.signature_id ? -1 : 1)

export function choose<C extends Candidate>(candidates: readonly C[], occasion: Occasion): Choice<C> {
  const [winner = null] = candidates.filter(isEligible).sort(before)
  const judged = [...candidates].sort(before).map(candidate => ({
    candidate,
    chosen: candidate === winner,
    reason: reasonFor(candidate, winner),
  }))
  const variant = winner && variantFor(winner, occasion)
  return {
    signature: winner,
    variant,
    isHidden: (variant && winner.variants[variant]?.hidden) ?? false,
    judged,
  }
}

/**
 * The signatures that an address gets rather than this one, where both reach it: each is held against it alone, because all stand in
 * one row. Null when nobody gets this one.
 */
export function preferredAmong(all: readonly Candidate[], signatureId: string): string[] | null {
  const own = all.find(one => one.signature_id === signatureId)
  const occasion = { isReply: false, isInternal: false }
  if (!own || choose([own], occasion).signature === null) return null
  return all
    .filter(one => one !== own && choose([own, one], occasion).signature === one)
    .map(one => one.signature_id)
}

const isEligible = (candidate: Candidate): boolean => candidate.is_activated && candidate.is_published

/** Internal before reply. One that shows nothing on purpose needs no content. */
function variantFor({ variants }: Candidate, { isReply, isInternal }: Occasion): VariantKind | null {
  const isReady = (kind: VariantKind): boolean => {
    const variant = variants[kind]
    return variant?.activated === true && (variant.hidden || variant.is_published)
  }
  if (isInternal && isReady('internal')) return 'internal'
  return isReply && isReady('reply') ? 'reply' : null
}

function reasonFor(candidate: Candidate, winner: Candidate | null): string {
  const { priority } = candidate
  if (!candidate.is_published) return 'It has never been published.'
  if (!candidate.is_activated) return 'Its installation is switched off.'
  if (winner === null || candidate === winner)
    return `It has the first place (priority ${priority}) among the signatures that reach this address.`
  if (winner.priority === priority)
    return `“${winner.name}” has the same priority (${priority}) and is older.`
  return `“${winner.name}” comes first: its priority ${winner.priority} is lower than ${priority}.`
}
