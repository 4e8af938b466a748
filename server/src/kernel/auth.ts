// API keys: their form, who is behind one, and what that one may do.
import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { apiError } from './errors.ts'
import type { Route } from './routes.ts'
import { allows, type Role, roleGrants } from './scopes.ts'

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

/** Tells a typo or a made-up key without asking the database. */
export function isWellFormed(key: string): boolean {
  if (!/^sgn_[0-9A-Za-z]{46}$/.test(key)) return false
  return timingSafeEqual(Buffer.from(key.slice(44)), Buffer.from(checksum(key.slice(4, 44))))
}

export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

export interface Credential {
  readonly workspaceId: string
  /** The member whom the key was made for. */
  readonly memberId: string
  /** The member who was shown the secret: another one after a rotation by a colleague. */
  readonly actorId: string
  readonly memberEmail: string
  readonly role: Role
  readonly apiKeyId: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
}

export interface Authenticator {
  authenticate(authorization: string | undefined, clientNetwork: string): Promise<Credential>
  /** After a key was changed or revoked here; other processes follow when their memory runs out. */
  forget(): void
}

// Revoking must reach every process within 5 s.
const rememberedFor = 3_000

const failuresPerMinute = 30

export function createAuthenticator(lookUp: (hash: Buffer) => Promise<Credential | null>): Authenticator {
  const known = new LRUCache<string, Promise<Credential | null>>({ max: 10_000, ttl: rememberedFor })
  /** Keys that were good in this process: they are looked up again, however often their address has failed. */
  const wereGood = new LRUCache<string, true>({ max: 10_000 })
  const failures = new RateLimiterMemory({ points: failuresPerMinute, duration: 60 })
  const lookUpsAfterFailures = new RateLimiterMemory({ points: 1, duration: 1 })

  async function find(key: string, clientNetwork: string): Promise<Credential | null> {
    const digest = hashKey(key)
    const name = digest.toString('latin1')
    const remembered = known.get(name)
    if (remembered) return remembered
    if (!wereGood.has(name)) await limitLookUps(clientNetwork)
    const found = lookUp(digest)
    known.set(name, found)
    const drop = () => known.delete(name)
    found.then(credential => (credential ? wereGood.set(name, true) : drop()), drop)
    return found
  }

  /** An address that has failed too often may try one unknown key a second: each costs a look-up in the database. */
  async function limitLookUps(clientNetwork: string): Promise<void> {
    const state = await failures.get(clientNetwork)
    if (state && state.consumedPoints > failuresPerMinute)
      await lookUpsAfterFailures.consume(clientNetwork).catch(() => tooMany(state))
  }

  async function refuse(code: 'invalid_api_key' | 'expired_api_key', clientNetwork: string): Promise<never> {
    await failures.consume(clientNetwork).catch(tooMany)
    throw apiError(code, { headers: { 'WWW-Authenticate': 'Bearer' } })
  }

  return {
    async authenticate(authorization, clientNetwork) {
      if (authorization === undefined || authorization === '') {
        throw apiError('missing_api_key', { headers: { 'WWW-Authenticate': 'Bearer' } })
      }
      const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
      if (key === undefined || !isWellFormed(key)) return refuse('invalid_api_key', clientNetwork)
      const credential = await find(key, clientNetwork)
      if (credential === null) return refuse('invalid_api_key', clientNetwork)
      if (credential.expiresAt !== null && credential.expiresAt.getTime() <= Date.now()) {
        return refuse('expired_api_key', clientNetwork)
      }
      return credential
    },
    forget: () => known.clear(),
  }
}

export function authorize(route: Route, { scopes, role }: Pick<Credential, 'scopes' | 'role'>): void {
  const { access } = route
  if (access === 'public' || access === 'any key') return
  if (!allows(scopes, access)) {
    throw apiError('insufficient_scope', { message: `This API key lacks the scope ${access}.` })
  }
  if (!allows(roleGrants[role], access) && !route.own) {
    throw apiError('insufficient_role', { message: `The role ${role} does not include ${access}.` })
  }
}

const tooMany = (state: RateLimiterRes): never => {
  throw apiError('rate_limited', { headers: { 'Retry-After': String(Math.ceil(state.msBeforeNext / 1000)) } })
}

/** Requests per second and key, counted in this process. */
export function createRateLimit(perSecond: number): (apiKeyId: string) => Promise<Record<string, string>> {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 })
  const headers = (state: RateLimiterRes) => ({
    'RateLimit-Limit': String(perSecond),
    'RateLimit-Remaining': String(Math.max(0, state.remainingPoints)),
    'RateLimit-Reset': String(Math.ceil(state.msBeforeNext / 1000)),
  })
  return async apiKeyId => {
    const state = await limiter.consume(apiKeyId).catch((refused: RateLimiterRes) => {
      const retry = { 'Retry-After': String(Math.ceil(refused.msBeforeNext / 1000)) }
      throw apiError('rate_limited', { headers: { ...headers(refused), ...retry } })
    })
    return headers(state)
  }
}
