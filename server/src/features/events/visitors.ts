// Who an event is of, and what it teaches of them. Many are told at once: those that have nothing to do with each other are
// written together, in an order that comes to the same as one after the other.
import type { Db } from '#kernel/db.ts'
import type { EventSource } from './event.ts'
import {
  findIdentities,
  mergeTraits,
  saveIdentities,
  type VisitorIdentity,
  type VisitorTraits,
} from './queries.ts'
import type { Submission } from './rules.ts'

/** Written in this order: who they are, then what is known of them. */
interface Round {
  readonly learned: Map<string, VisitorIdentity>
  readonly users: Set<string>
  readonly traits: Map<string, VisitorTraits>
  /** Of what was told of each, in bytes at most. */
  readonly sizes: Map<string, number>
  source: EventSource | null
}

const newRound = (): Round => ({
  learned: new Map(),
  users: new Set(),
  traits: new Map(),
  sizes: new Map(),
  source: null,
})

/** What is told at once of the same visitor is judged together. */
const mostTogether = 32_768

export interface Visitors {
  /** Whom the event is put down to; null is nobody. */
  meet(submission: Submission): string | null
  keep(now: Date): Promise<void>
}

export async function visitorsOf(
  tx: Db,
  workspaceId: string,
  submissions: readonly Submission[],
): Promise<Visitors> {
  const anonymous = new Set(submissions.flatMap(({ told }) => told.anonymous_id ?? []))
  const identities =
    anonymous.size === 0
      ? new Map<string, VisitorIdentity>()
      : await findIdentities(tx, workspaceId, [...anonymous])
  let round = newRound()
  const rounds = [round]

  function another(): void {
    round = newRound()
    rounds.push(round)
  }

  function learn(anonymousId: string, identity: VisitorIdentity): void {
    const known = identities.get(anonymousId)
    if (known?.userId === identity.userId && known.source === identity.source) return
    if (known?.source === 'api' && identity.source === 'beacon') return
    identities.set(anonymousId, identity)
    const { userId } = identity
    const { learned, users, traits } = round
    if ([anonymousId, userId].some(id => learned.has(id) || users.has(id) || traits.has(id))) another()
    round.learned.set(anonymousId, identity)
    round.users.add(userId)
  }

  function describe(person: string, source: EventSource, told: VisitorTraits): void {
    const size = Buffer.byteLength(JSON.stringify(told.traits))
    const isMuch = (round.sizes.get(person) ?? 0) + size > mostTogether
    if (isMuch || (round.source !== null && round.source !== source)) another()
    round.source = source
    const before = round.traits.get(person)
    const isUser = told.isUser || (before?.isUser ?? false)
    round.traits.set(person, { traits: { ...before?.traits, ...told.traits }, isUser })
    round.sizes.set(person, (round.sizes.get(person) ?? 0) + size)
  }

  return {
    meet({ told: { user_id: userId, anonymous_id: anonymousId, traits }, source, outcome }) {
      const known = anonymousId ? identities.get(anonymousId)?.userId : undefined
      const user = userId ?? known
      const person = user ?? anonymousId ?? null
      if (outcome !== 'counted') return person
      if (userId && anonymousId) learn(anonymousId, { userId, source })
      if (person && traits) describe(person, source, { traits, isUser: user !== undefined })
      return person
    },
    async keep(now) {
      for (const { learned, traits, source } of rounds) {
        if (learned.size > 0) await saveIdentities(tx, workspaceId, learned, now)
        if (source) await mergeTraits(tx, workspaceId, source, traits, now)
      }
    },
  }
}
