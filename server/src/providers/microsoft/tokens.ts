// Access tokens of an app registration, for Microsoft Graph (OAuth 2.0 client credentials).
import { LRUCache } from 'lru-cache'
import type { MicrosoftEndpoints } from './clouds.ts'
import { type ClientCredential, credentialFields, credentialId } from './credentials.ts'
import type { MicrosoftAnswer, SendMicrosoftRequest } from './request.ts'

export interface GraphTokenRequest {
  readonly endpoints: MicrosoftEndpoints
  readonly clientId: string
  readonly credential: ClientCredential
  readonly signal: AbortSignal
}

export interface GraphTokens {
  /** Returns the token, or Microsoft's answer when it gave none. */
  get(request: GraphTokenRequest): Promise<string | MicrosoftAnswer>
  /** Drops a cached token: Graph has refused it, or it has other permissions than the app has now. */
  forget(request: GraphTokenRequest): void
}

/** A token is not used in its last minute, so that it does not expire during a request. */
const reserveSeconds = 60

export function createGraphTokens(send: SendMicrosoftRequest): GraphTokens {
  const cache = new LRUCache<string, string>({ max: 1_000 }) // about 3 MB
  const keyOf = ({ endpoints, clientId, credential }: GraphTokenRequest) =>
    [endpoints.tokenUrl, endpoints.graphName, clientId, credentialId(credential)].join(' ')
  return {
    async get(request) {
      const cached = cache.get(keyOf(request))
      if (cached !== undefined) return cached
      const { endpoints, clientId, credential, signal } = request
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        scope: `${endpoints.graphName}/.default`,
        ...credentialFields(credential, clientId, endpoints.tokenAudience),
      })
      const answer = await send(endpoints.tokenUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        signal,
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
