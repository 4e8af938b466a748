// Access tokens of an app registration, for Microsoft Graph (OAuth 2.0 client credentials).
import { type AccessTokens, createAccessTokens } from '../http/access-tokens.ts'
import type { MicrosoftEndpoints } from './clouds.ts'
import { type ClientCredential, credentialFields, credentialId } from './credentials.ts'
import type { MicrosoftAnswer, SendMicrosoftRequest } from './request.ts'

export interface GraphTokenRequest {
  readonly endpoints: MicrosoftEndpoints
  readonly clientId: string
  readonly credential: ClientCredential
  readonly signal: AbortSignal
}

export type GraphTokens = AccessTokens<GraphTokenRequest, MicrosoftAnswer>

export const createGraphTokens = (send: SendMicrosoftRequest): GraphTokens =>
  createAccessTokens({
    send,
    maxTokens: 1_000, // about 3 MB
    keyOf: ({ endpoints, clientId, credential }) =>
      [endpoints.tokenUrl, endpoints.graphName, clientId, credentialId(credential)].join(' '),
    urlOf: ({ endpoints }) => endpoints.tokenUrl,
    formOf: ({ endpoints, clientId, credential }) => ({
      grant_type: 'client_credentials',
      client_id: clientId,
      scope: `${endpoints.graphName}/.default`,
      ...credentialFields(credential, clientId, endpoints.tokenAudience),
    }),
  })
