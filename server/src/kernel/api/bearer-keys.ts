// API keys (`Authorization: Bearer sgn_…`): their form, and the authenticator that looks them up.
import { randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { CredentialCache, hashSecret } from '#kernel/base/caches.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Authenticator, CredentialSource, Identity } from './auth.ts'

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

export const hashKey = hashSecret

/** An API key as the database has it. */
export interface ApiKeyCredential extends Omit<Identity, 'countedBy' | 'via'> {
  /** The member for whom the key was made. */
  readonly memberId: string
  /** The member who was shown the secret: a different one after a colleague rotated the key. */
  readonly actorId: string
  readonly memberEmail: string
  readonly apiKeyId: string
}

const failuresPerMinute = 30

export class BearerAuthenticator implements Authenticator {
  readonly #identities: CredentialCache<Identity>

  constructor(lookUp: (hash: Buffer) => Promise<ApiKeyCredential | null>) {
    const identify = async (digest: Buffer): Promise<Identity | null> => {
      const credential = await lookUp(digest)
      return credential && { ...credential, countedBy: credential.apiKeyId, via: null }
    }
    this.#identities = new CredentialCache(identify, failuresPerMinute)
  }

  /** Every Authorization header counts as a credential of this kind: another scheme is refused as an invalid key. */
  authenticate({ headers: { authorization }, clientNetwork }: CredentialSource): Promise<Identity> | null {
    if (authorization === undefined || authorization === '') return null
    return this.#identify(authorization, clientNetwork)
  }

  /** Call it after a key was changed or revoked here. Other processes follow when their cache expires. */
  forget(): void {
    this.#identities.forget()
  }

  async #identify(authorization: string, clientNetwork: string): Promise<Identity> {
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (key === undefined || !isWellFormedKey(key)) return this.#refuse('invalid_api_key', clientNetwork)
    const identity = await this.#identities.find(key, clientNetwork)
    if (identity === null) return this.#refuse('invalid_api_key', clientNetwork)
    if (identity.expiresAt !== null && identity.expiresAt.getTime() <= Date.now()) {
      return this.#refuse('expired_api_key', clientNetwork)
    }
    return identity
  }

  async #refuse(code: 'invalid_api_key' | 'expired_api_key', clientNetwork: string): Promise<never> {
    await this.#identities.countFailure(clientNetwork)
    throw apiError(code, { headers: { 'WWW-Authenticate': 'Bearer' } })
  }
}
