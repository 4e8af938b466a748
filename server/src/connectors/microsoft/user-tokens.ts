// Verifies access tokens that Microsoft gave to a person for this service.
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import { type MicrosoftCloud, microsoftClouds } from './clouds.ts'

export interface TokenDemands {
  readonly tenantId: string
  readonly clientId: string
  /** One of the words of `scp`. */
  readonly scope: string
  /** Values that `aud` can have, besides the client id. */
  readonly audiences: readonly string[]
  readonly settings: Readonly<Record<string, unknown>>
}

/** The person, as Microsoft names them. */
export interface SignedInPerson {
  readonly objectId: string
  /** The name that the person signs in with; mostly an address. */
  readonly userName: string | null
}

/** Why a token is not accepted: not for users, who can do nothing about it, but for the log. */
export class RefusedAccessToken extends Error {}

export type VerifyAccessToken = (token: string, demands: TokenDemands) => Promise<SignedInPerson>

/** The keys could not be read: no answer in time, another status than 200, or no keys. It says nothing about the token. */
const keyFailures: readonly string[] = ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID']

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function personOf(
  { tid, scp, oid, preferred_username }: JWTPayload,
  { tenantId, scope }: TokenDemands,
): SignedInPerson {
  if (String(tid).toLowerCase() !== tenantId.toLowerCase())
    throw new RefusedAccessToken('it is of another tenant')
  if (
    !String(scp ?? '')
      .split(' ')
      .includes(scope)
  )
    throw new RefusedAccessToken(`it lacks the scope ${scope}`)
  const objectId = textOf(oid)
  if (objectId === null) throw new RefusedAccessToken('it names no person')
  return { objectId, userName: textOf(preferred_username) }
}

/**
 * The keys of a tenant are loaded with its first token, and again for an unknown key, at most every 30 s. They come from the
 * cloud of the tenant, or from the operator's `login_api`; the issuer is the cloud in any case.
 */
export function createTokenVerifier(): VerifyAccessToken {
  const keySets = new LRUCache<string, JWTVerifyGetKey>({ max: 200 })
  return async (token, demands) => {
    // Loaded with the first token: it takes 10 MB, and only add-ins with sign-in send tokens.
    const { createRemoteJWKSet, errors, jwtVerify } = await import('jose')
    const keysAt = (address: string) => {
      const ready = keySets.get(address) ?? createRemoteJWKSet(new URL(address), { timeoutDuration: 3_000 })
      keySets.set(address, ready)
      return ready
    }
    const { tenantId, clientId, audiences, settings } = demands
    const { login } =
      microsoftClouds[(settings.cloud ?? 'global') as MicrosoftCloud] ?? microsoftClouds.global
    const tenant = encodeURIComponent(tenantId)
    const keys = keysAt(`${String(settings.login_api ?? login)}/${tenant}/discovery/v2.0/keys`)
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        issuer: `${login}/${tenantId}/v2.0`,
        audience: [clientId, ...audiences],
        clockTolerance: 60,
        requiredClaims: ['exp', 'aud', 'iss'],
      })
      return personOf(payload, demands)
    } catch (error) {
      if (error instanceof RefusedAccessToken) throw error
      if (!(error instanceof errors.JOSEError) || keyFailures.includes(error.code)) throw error
      throw new RefusedAccessToken(error.message)
    }
  }
}
