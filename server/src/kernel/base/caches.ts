import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { apiError } from './errors.ts'
import { RateLimiterMemory, type RateLimiterRes } from './rate-limits.ts'

/**
 * Options of an LRU cache for many entries. With `max`, lru-cache allocates the room of all entries at once: 100,000 take
 * 17 ms and 5 MB when the process starts, used or not. With sizes, an entry takes room when it is stored.
 */
export const roomFor = (entries: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
})

// A revoked credential must stop working in every process within 5 s.
const cachedMilliseconds = 3_000

export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Credentials that were looked up in the database a moment ago: API keys and sessions share this class. */
export class CredentialCache<Credential> {
  readonly #lookUp: (hash: Buffer) => Promise<Credential | null>
  readonly #failuresPerMinute: number
  readonly #cached = new LRUCache<string, Promise<Credential | null>>({
    ...roomFor(10_000),
    ttl: cachedMilliseconds,
  })
  /** Secrets that were valid in this process. They are always looked up again, however often their network has failed. */
  readonly #validBefore = new LRUCache<string, true>(roomFor(10_000))
  readonly #failures: RateLimiterMemory
  readonly #lookUpsAfterFailures = new RateLimiterMemory({ points: 1, duration: 1 })

  constructor(lookUp: (hash: Buffer) => Promise<Credential | null>, failuresPerMinute: number) {
    this.#lookUp = lookUp
    this.#failuresPerMinute = failuresPerMinute
    this.#failures = new RateLimiterMemory({ points: failuresPerMinute, duration: 60 })
  }

  /** Call it after a credential was changed or revoked here. Other processes follow when their cache expires. */
  forget(): void {
    this.#cached.clear()
  }

  async find(secret: string, clientNetwork: string): Promise<Credential | null> {
    const digest = hashSecret(secret)
    const name = digest.toString('latin1')
    const cached = this.#cached.get(name)
    if (cached) return cached
    if (!this.#validBefore.has(name)) await this.#limitLookUps(clientNetwork)
    const lookup = this.#lookUp(digest)
    this.#cached.set(name, lookup)
    const drop = () => this.#cached.delete(name)
    lookup.then(credential => (credential ? this.#validBefore.set(name, true) : drop()), drop)
    return lookup
  }

  /** Counts a refused credential. Throws 429 when the network has had too many of them. */
  async countFailure(clientNetwork: string): Promise<void> {
    await this.#failures.consume(clientNetwork).catch(tooMany)
  }

  /** A network that has failed too often can try one unknown secret a second: each costs a look-up in the database. */
  async #limitLookUps(clientNetwork: string): Promise<void> {
    const state = await this.#failures.get(clientNetwork)
    if (state && state.consumedPoints > this.#failuresPerMinute)
      await this.#lookUpsAfterFailures.consume(clientNetwork).catch(() => tooMany(state))
  }
}

const tooMany = (state: RateLimiterRes): never => {
  throw apiError('rate_limited', { headers: { 'Retry-After': String(Math.ceil(state.msBeforeNext / 1000)) } })
}
