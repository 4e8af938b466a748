// API keys (`Authorization: Bearer sgn_…`): their form, and the authenticator that looks them up.
import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Authenticator, CredentialSource, Identity } from './auth.ts'
import { apiError } from './errors.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (; rest > 0; rest = Math.floor(rest / 62)) text = base62.charAt(rest % 62) + text
  return text.padStart(6, '0')
}

export function mintKey(): string {
  const random = Array.from({ length: 40 }, () => base62.charAt(randomInt(62))).join('')
  return `sgn_${random}${checksum(random)}`
}

/** Finds a typo or an invented key without a query to the database. */
export function isWellFormedKey(key: string): boolean {
  if (!/^sgn_[0-9A-Za-z]{46}$/.test(key)) return false
  return timingSafeEqual(Buffer.from(key.slice(44)), Buffer.from(checksum(key.slice(4, 44))))
}

export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** What the database knows about an API key. */
export interface ApiKeyCredential extends Omit<Identity, 'countedBy' | 'via'> {
  /** The member for whom the key was made. */
  readonly memberId: string
  /** The member who was shown the secret: a different one after a colleague rotated the key. */
  readonly actorId: string
  readonly memberEmail: string
  readonly apiKeyId: string
}

// A revoked key must stop working in every process within 5 s.
const cachedMilliseconds = 3_000

const failuresPerMinute = 30

export class BearerAuthenticator implements Authenticator {
  readonly #lookUp: (hash: Buffer) => Promise<ApiKeyCredential | null>
  readonly #identities = new LRUCache<string, Promise<Identity | null>>({
    max: 10_000,
    ttl: cachedMilliseconds,
  })
  /** Keys that were valid in this process. They are always looked up again, however often their network has failed. */
  readonly #validBefore = new LRUCache<string, true>({ max: 10_000 })
  readonly #failures = new RateLimiterMemory({ points: failuresPerMinute, duration: 60 })
  readonly #lookUpsAfterFailures = new RateLimiterMemory({ points: 1, duration: 1 })

  constructor(lookUp: (hash: Buffer) => Promise<ApiKeyCredential | null>) {
    this.#lookUp = lookUp
  }

  /** Every Authorization header counts as a credential of this kind: another scheme is refused as an invalid key. */
  authenticate({ headers: { authorization }, clientNetwork }: CredentialSource): Promise<Identity> | null {
    if (authorization === undefined || authorization === '') return null
    return this.#identify(authorization, clientNetwork)
  }

  /** Call it after a key was changed or revoked here. Other processes follow when their cache expires. */
  forget(): void {
    this.#identities.clear()
  }

  async #identify(authorization: string, clientNetwork: string): Promise<Identity> {
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (key === undefined || !isWellFormedKey(key)) return this.#refuse('invalid_api_key', clientNetwork)
    const identity = await this.#find(key, clientNetwork)
    if (identity === null) return this.#refuse('invalid_api_key', clientNetwork)
    if (identity.expiresAt !== null && identity.expiresAt.getTime() <= Date.now()) {
      return this.#refuse('expired_api_key', clientNetwork)
    }
    return identity
  }

  async #find(key: string, clientNetwork: string): Promise<Identity | null> {
    const digest = hashKey(key)
    const name = digest.toString('latin1')
    const cached = this.#identities.get(name)
    if (cached) return cached
    if (!this.#validBefore.has(name)) await this.#limitLookUps(clientNetwork)
    const found = this.#lookUp(digest).then(
      credential => credential && { ...credential, countedBy: credential.apiKeyId, via: null },
    )
    this.#identities.set(name, found)
    const drop = () => this.#identities.delete(name)
    found.then(identity => (identity ? this.#validBefore.set(name, true) : drop()), drop)
    return found
  }

  /** A network that has failed too often can try one unknown key a second: each costs a look-up in the database. */
  async #limitLookUps(clientNetwork: string): Promise<void> {
    const state = await this.#failures.get(clientNetwork)
    if (state && state.consumedPoints > failuresPerMinute)
      await this.#lookUpsAfterFailures.consume(clientNetwork).catch(() => tooMany(state))
  }

  async #refuse(code: 'invalid_api_key' | 'expired_api_key', clientNetwork: string): Promise<never> {
    await this.#failures.consume(clientNetwork).catch(tooMany)
    throw apiError(code, { headers: { 'WWW-Authenticate': 'Bearer' } })
  }
}

const tooMany = (state: RateLimiterRes): never => {
  throw apiError('rate_limited', { headers: { 'Retry-After': String(Math.ceil(state.msBeforeNext / 1000)) } })
}
