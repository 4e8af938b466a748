// A service account that acts for the users of a domain (domain-wide delegation): its key, and its access tokens.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { isEmailAddress } from '#kernel/api/validation.ts'
import { type AccessTokens, createAccessTokens } from '../http/access-tokens.ts'
import type { GoogleAnswer, SendGoogleRequest } from './request.ts'

/** The token endpoint. The signed JWT always names this address, even when the request goes to a proxy. */
export const googleTokenUri = 'https://oauth2.googleapis.com/token'

export interface ServiceAccount {
  readonly clientEmail: string
  readonly keyId: string | undefined
  readonly key: KeyObject
}

/** Throws an error whose message continues a sentence such as "The key file …". */
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
    // The error is thrown below.
  }
  if (key?.asymmetricKeyType !== 'rsa')
    throw new Error('has a "private_key" that is not an RSA key in PEM form')
  return key
}

const lifetimeSeconds = 3_600

/** The JWT that requests a token (RFC 7523), signed with RS256. */
function signAssertion({ clientEmail, keyId, key }: ServiceAccount, user: string, scope: string): string {
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
  const signingInput = [header, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signingInput}.${sign('sha256', Buffer.from(signingInput), key).toString('base64url')}`
}

export interface GoogleTokenRequest {
  readonly account: ServiceAccount
  readonly user: string
  readonly scopes: readonly string[]
  readonly tokenUri: string
  readonly signal: AbortSignal
}

export type GoogleTokens = AccessTokens<GoogleTokenRequest, GoogleAnswer>

export const createGoogleTokens = (send: SendGoogleRequest): GoogleTokens =>
  createAccessTokens({
    send,
    maxTokens: 2_000, // about 4 MB
    keyOf: ({ account, user, scopes, tokenUri }) =>
      [tokenUri, account.clientEmail, account.keyId, user, ...scopes].join(' '),
    urlOf: ({ tokenUri }) => tokenUri,
    formOf: ({ account, user, scopes }) => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signAssertion(account, user, scopes.join(' ')),
    }),
  })
