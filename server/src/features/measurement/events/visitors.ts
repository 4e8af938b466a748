// Whose event it is, and what the event says about that visitor. The changes of a batch of submissions are collected
// into rounds: changes that do not depend on each other are written together, with the same result as one after the
// other.
import type { Db } from '#kernel/db/db.ts'
import type { EventSource } from './event.ts'
import {
  findIdentities,
  mergeTraits,
  saveIdentities,
  type VisitorIdentity,
  type VisitorTraits,
} from './queries.ts'
import type { Submission } from './rules.ts'

/** Changes that are written together: first the identities, then the traits. */
interface Round {
  /** By anonymous id. */
  readonly identities: Map<string, VisitorIdentity>
  readonly users: Set<string>
  /** By distinct id. */
  readonly traits: Map<string, VisitorTraits>
  /** Bytes of the traits of each visitor, at most. */
  readonly sizes: Map<string, number>
  /** Source of the traits; null while there are none. */
  source: EventSource | null
}

const newRound = (): Round => ({
  identities: new Map(),
  users: new Set(),
  traits: new Map(),
  sizes: new Map(),
  source: null,
})

/** Bytes of traits of one visitor in one round: PostgreSQL accepts or refuses the traits of a round together. */
const maxRoundTraitBytes = 32_768

class Visitors {
  readonly #tx: Db
  readonly #workspaceId: string
  /** By anonymous id, with the changes of earlier submissions of this batch. */
  readonly #identities: Map<string, VisitorIdentity>
  #round = newRound()
  readonly #rounds = [this.#round]

  constructor(tx: Db, workspaceId: string, identities: Map<string, VisitorIdentity>) {
    this.#tx = tx
    this.#workspaceId = workspaceId
    this.#identities = identities
  }

  /** The distinct id of the event; null without a visitor. */
  resolveVisitor({ input, source, outcome }: Submission): string | null {
    const { user_id: userId, anonymous_id: anonymousId, traits } = input
    const identified = anonymousId ? this.#identities.get(anonymousId)?.userId : undefined
    const user = userId ?? identified
    const distinctId = user ?? anonymousId ?? null
    if (outcome !== 'counted') return distinctId
    if (userId && anonymousId) this.#addIdentity(anonymousId, { userId, source })
    if (distinctId && traits) this.#addTraits(distinctId, source, { traits, isUser: user !== undefined })
    return distinctId
  }

  async flush(now: Date): Promise<void> {
    for (const { identities, traits, source } of this.#rounds) {
      if (identities.size > 0) await saveIdentities(this.#tx, this.#workspaceId, identities, now)
      if (source) await mergeTraits(this.#tx, this.#workspaceId, source, traits, now)
    }
  }

  #addIdentity(anonymousId: string, identity: VisitorIdentity): void {
    const current = this.#identities.get(anonymousId)
    if (current?.userId === identity.userId && current.source === identity.source) return
    if (current?.source === 'api' && identity.source === 'beacon') return
    this.#identities.set(anonymousId, identity)
    const { userId } = identity
    const { identities, users, traits } = this.#round
    if ([anonymousId, userId].some(id => identities.has(id) || users.has(id) || traits.has(id)))
      this.#beginRound()
    this.#round.identities.set(anonymousId, identity)
    this.#round.users.add(userId)
  }

  #addTraits(distinctId: string, source: EventSource, added: VisitorTraits): void {
    const size = Buffer.byteLength(JSON.stringify(added.traits))
    const isTooLarge = (this.#round.sizes.get(distinctId) ?? 0) + size > maxRoundTraitBytes
    if (isTooLarge || (this.#round.source !== null && this.#round.source !== source)) this.#beginRound()
    const round = this.#round
    round.source = source
    const before = round.traits.get(distinctId)
    const isUser = added.isUser || (before?.isUser ?? false)
    round.traits.set(distinctId, { traits: { ...before?.traits, ...added.traits }, isUser })
    round.sizes.set(distinctId, (round.sizes.get(distinctId) ?? 0) + size)
  }

  #beginRound(): void {
    this.#round = newRound()
    this.#rounds.push(this.#round)
  }
}

/** Reads the identities of the anonymous visitors of these submissions. */
export async function loadVisitors(
  tx: Db,
  workspaceId: string,
  submissions: readonly Submission[],
): Promise<Visitors> {
  const anonymousIds = new Set(submissions.flatMap(({ input }) => input.anonymous_id ?? []))
  const identities =
    anonymousIds.size === 0
      ? new Map<string, VisitorIdentity>()
      : await findIdentities(tx, workspaceId, [...anonymousIds])
  return new Visitors(tx, workspaceId, identities)
}
