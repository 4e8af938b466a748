// Access tokens of an app or a service account (OAuth 2.0): fetched when they are needed, cached until they expire.
import { LRUCache } from 'lru-cache'
import type { ProviderAnswer, SendProviderRequest } from './json-client.ts'

type TokenAnswer = Pick<ProviderAnswer, 'status' | 'body'>

export interface AccessTokens<Request, Answer> {
  /** Returns the token, or the answer of the provider when it gave none. */
  get(request: Request): Promise<string | Answer>
  /** Drops a cached token: it was refused, or has other permissions than the app has now. */
  forget(request: Request): void
}

interface TokenGrant<Request, Answer> {
  readonly send: (...sent: Parameters<SendProviderRequest>) => Promise<Answer>
  readonly maxTokens: number
  /** Requests with the same key share a token. */
  readonly keyOf: (request: Request) => string
  readonly urlOf: (request: Request) => string
  readonly formOf: (request: Request) => Record<string, string>
}

/** A token is not used in its last minute, so that it does not expire during a request. */
const reserveSeconds = 60

export function createAccessTokens<
  Request extends { readonly signal: AbortSignal },
  Answer extends TokenAnswer,
>({ send, maxTokens, keyOf, urlOf, formOf }: TokenGrant<Request, Answer>): AccessTokens<Request, Answer> {
  const cache = new LRUCache<string, string>({ max: maxTokens })
  return {
    async get(request) {
      const cached = cache.get(keyOf(request))
      if (cached !== undefined) return cached
      const answer = await send(urlOf(request), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(formOf(request)).toString(),
        signal: request.signal,
      })
      const { access_token: token, expires_in: seconds } = answer.body
      if (answer.status !== 200 || typeof token !== 'string') return answer
      const ttl = (Number(seconds) - reserveSeconds) * 1_000
      if (ttl > 0) cache.set(keyOf(request), token, { ttl })
      return token
    },
    forget: request => void cache.delete(keyOf(request)),
  }
}
