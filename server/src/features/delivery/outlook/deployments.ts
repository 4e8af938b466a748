// Finds the integration that a token belongs to. Found tokens are cached for some seconds: a revoked token must stop
// working in every process within 5 s.
import { LRUCache } from 'lru-cache'
import { CredentialCache, roomFor } from '#kernel/base/caches.ts'
import { hour } from '#kernel/base/durations.ts'
import { apiError } from '#kernel/base/errors.ts'
import { RateLimiterMemory, type RateLimiterRes } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import { type Deployment, type FoundDeployment, findDeployment, touchToken } from './tokens/queries.ts'
import { isToken } from './tokens/rules.ts'

/**
 * Per token, network and process: a token that is named in public must not be used up by strangers. 10,000 people who all answer a mail every two
 * minutes send 83 a second.
 */
const requestsPerSecond = 300
/** Limit of unknown tokens per network: a company whose token was revoked keeps asking. */
const failuresPerMinute = 300
const touchMilliseconds = hour

const tooMany = (state: RateLimiterRes): never => {
  throw apiError('rate_limited', { headers: { 'Retry-After': String(Math.ceil(state.msBeforeNext / 1000)) } })
}

export class Deployments {
  readonly #cache: CredentialCache<FoundDeployment>
  readonly #limiter = new RateLimiterMemory({ points: requestsPerSecond * 10, duration: 10 })
  /** Time at which this process last wrote that a token is used. */
  readonly #touched = new LRUCache<string, number>(roomFor(10_000))

  constructor(db: Db) {
    this.#cache = new CredentialCache(hash => findDeployment(db, hash), failuresPerMinute)
  }

  /** Call it after a token was made or revoked here. */
  readonly forget = (): void => this.#cache.forget()

  /** Throws 404 for an unknown token, and 429 when the token is used too often. */
  async find(db: Db, token: string, clientNetwork: string): Promise<Deployment> {
    if (!isToken(token)) throw apiError('not_found')
    const deployment = await this.#cache.find(token, clientNetwork)
    if (!deployment) {
      await this.#cache.countFailure(clientNetwork)
      throw apiError('not_found')
    }
    await this.#limiter.consume(`${deployment.tokenId} ${clientNetwork}`).catch(tooMany)
    await this.#touch(db, deployment)
    return deployment
  }

  /** One write per token, hour and process. */
  async #touch(db: Db, deployment: FoundDeployment): Promise<void> {
    const { tokenId, last_used_at } = deployment
    const last = Math.max(this.#touched.get(tokenId) ?? 0, last_used_at?.getTime() ?? 0)
    if (Date.now() - last < touchMilliseconds) return
    this.#touched.set(tokenId, Date.now())
    await touchToken(db, deployment)
  }
}
