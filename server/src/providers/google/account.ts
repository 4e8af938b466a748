// A service account that acts for people of a domain (domain-wide delegation): its key, and access tokens got with it.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isEmailAddress } from '#kernel/validation.ts'
import type { GoogleAnswer, SendGoogleRequest } from './request.ts'

/** Where tokens come from. What is signed always names Google's own address, whichever way the request takes. */
export const googleTokenUri = 'https://oauth2.googleapis.com/token'

export interface ServiceAccount {
  readonly clientEmail: string
  readonly keyId: string | undefined
  readonly key: KeyObject
}

/** Throws an error that says, in words that go after "the key file …", what is wrong. */
export function readServiceAccount(text: string): ServiceAccount {
  let json: Record<string, unknown> | null
  try {
    json = JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
  if (typeof json !== 'object' || json === null || json.type !== 'service_account')
    throw new Error('is not the key of a service account ("type" must be "service_account")')
  const { client_email: clientEmail, private_key: pem, private_key_id: keyId } = json
  if (typeof clientEmail !== 'string' || !isEmailAddress(clientEmail))
    throw new Error('has no "client_email"')
  if (typeof pem !== 'string') throw new Error('has no "private_key"')
  return { clientEmail, keyId: typeof keyId === 'string' ? keyId : undefined, key: readKey(pem) }
}

function readKey(pem: string): KeyObject {
  let key: KeyObject | undefined
  try {
    key = createPrivateKey(pem)
  } catch {
    // said below
  }
  if (key?.asymmetricKeyType !== 'rsa')
    throw new Error('has a "private_key" that is not an RSA key in PEM form')
  return key
}

const lifetimeSeconds = 3_600

/** What asks for a token (RFC 7523), signed with RS256. */
function assertion({ clientEmail, keyId, key }: ServiceAccount, user: string, scope: string): string {
  const now = Math.floor(Date.now() / 1_000)
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) }
  const claims = {
    iss: clientEmail,
    sub: user,
    scope,
    aud: googleTokenUri,
    iat: now,
    exp: now + lifetimeSeconds,
  }
  const signed = [header, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

export interface TokenRequest {
  readonly account: ServiceAccount
  readonly user: string
  readonly scopes: readonly string[]
  readonly tokenUri: string
  readonly signal: AbortSignal
}

export interface AccessTokens {
  /** The token, or the answer that refused it. */
  get(wish: TokenRequest): Promise<string | GoogleAnswer>
  /** One that is no good any more. */
  forget(wish: TokenRequest): void
}

/** Used no more in their last minute, so that none runs out on its way. */
const reserveSeconds = 60

export function createAccessTokens(ask: SendGoogleRequest): AccessTokens {
  const kept = new LRUCache<string, string>({ max: 2_000 }) // about 4 MB
  const keyOf = ({ account, user, scopes, tokenUri }: TokenRequest) =>
    [tokenUri, account.clientEmail, account.keyId, user, ...scopes].join(' ')
  return {
    async get(wish) {
      const found = kept.get(keyOf(wish))
      if (found !== undefined) return found
      const form = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: assertion(wish.account, wish.user, wish.scopes.join(' ')),
      })
      const answer = await ask(wish.tokenUri, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        signal: wish.signal,
      })
      const { access_token: token, expires_in: seconds } = answer.body
      if (answer.status !== 200 || typeof token !== 'string') return answer
      const ttl = (Number(seconds) - reserveSeconds) * 1_000
      if (ttl > 0) kept.set(keyOf(wish), token, { ttl })
      return token
    },
    forget: wish => void kept.delete(keyOf(wish)),
  }
}
