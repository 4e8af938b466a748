// Chooses the signature of an address. All features use `choose`, so they agree; it also returns a reason for every
// candidate, because users ask why.
import type { VariantKind } from '#features/signatures/signatures/index.ts'

interface CandidateVariant {
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

/** The kind of mail that the user writes. */
export interface MailKind {
  readonly isReply: boolean
  /** All recipients of the mail are in the workspace's own domains: `isInternalMail` of features/workspace/workspaces decides it. */
  readonly isInternal: boolean
}

/** A new mail: not a reply, not internal. */
export const newMail: MailKind = { isReply: false, isInternal: false }

interface JudgedCandidate<C extends Candidate> {
  readonly candidate: C
  readonly chosen: boolean
  readonly reason_code: ReasonCode
  /** Shown to users. */
  readonly reason: string
}

interface Choice<C extends Candidate> {
  readonly signature: C | null
  /** The variant for this kind of mail; null means the main signature. */
  readonly variant: VariantKind | null
  /** The variant is hidden: this kind of mail gets no signature. */
  readonly isHidden: boolean
  readonly explanations: readonly JudgedCandidate<C>[]
}

/** The lowest priority wins. On a tie the older signature wins; it has the smaller id. */
export const byPrecedence = (a: Candidate, b: Candidate): number =>
  a.priority - b.priority || (a.signature_id < b.signature_id ? -1 : 1)

export function choose<C extends Candidate>(candidates: readonly C[], occasion: MailKind): Choice<C> {
  const [winner = null] = candidates.filter(isEligible).sort(byPrecedence)
  const judged = [...candidates].sort(byPrecedence).map(candidate => {
    const code = reasonCodeFor(candidate, winner)
    return {
      candidate,
      chosen: candidate === winner,
      reason_code: code,
      reason: reasonFor(candidate, winner, code),
    }
  })
  const variant = winner && variantFor(winner, occasion)
  return {
    signature: winner,
    variant,
    isHidden: (variant && winner.variants[variant]?.hidden) ?? false,
    explanations: judged,
  }
}

/**
 * The signatures that win against this one where both reach an address. Each is compared with it alone, which is enough
 * because the order is total. Null when this one is inactive or unpublished, so no address gets it.
 */
export function winnersOver(all: readonly Candidate[], signatureId: string): string[] | null {
  const signature = all.find(candidate => candidate.signature_id === signatureId)
  const occasion = { isReply: false, isInternal: false }
  if (!signature || choose([signature], occasion).signature === null) return null
  return all
    .filter(
      candidate =>
        candidate !== signature && choose([signature, candidate], occasion).signature === candidate,
    )
    .map(candidate => candidate.signature_id)
}

const isEligible = (candidate: Candidate): boolean => candidate.is_activated && candidate.is_published

/** `internal` wins against `reply`. A hidden variant needs no published content. */
function variantFor({ variants }: Candidate, { isReply, isInternal }: MailKind): VariantKind | null {
  const isReady = (kind: VariantKind): boolean => {
    const variant = variants[kind]
    return variant?.activated === true && (variant.hidden || variant.is_published)
  }
  if (isInternal && isReady('internal')) return 'internal'
  return isReply && isReady('reply') ? 'reply' : null
}

export const reasonCodes = ['first', 'same_priority', 'later', 'never_published', 'switched_off'] as const
type ReasonCode = (typeof reasonCodes)[number]

function reasonCodeFor(candidate: Candidate, winner: Candidate | null): ReasonCode {
  if (!candidate.is_published) return 'never_published'
  if (!candidate.is_activated) return 'switched_off'
  if (winner === null || candidate === winner) return 'first'
  return winner.priority === candidate.priority ? 'same_priority' : 'later'
}

function reasonFor({ priority }: Candidate, winner: Candidate | null, code: ReasonCode): string {
  const sentences: Readonly<Record<ReasonCode, string>> = {
    never_published: 'It has never been published.',
    switched_off: 'Its installation is switched off.',
    first: `It has the first place (priority ${priority}) among the signatures that reach this address.`,
    same_priority: `“${winner?.name}” has the same priority (${priority}) and is older.`,
    later: `“${winner?.name}” comes first: its priority ${winner?.priority} is lower than ${priority}.`,
  }
  return sentences[code]
}
