// Who makes a request, what that caller is allowed to do, and how many requests it can make.
import type { IncomingHttpHeaders } from 'node:http'
import { type ApiError, apiError } from '#kernel/base/errors.ts'
import { RateLimiterMemory, type RateLimiterRes } from '#kernel/base/rate-limits.ts'
import { isOfAccount, type Route } from './routes.ts'
import { allows, type Caller, grantsOf, isBelow, type Scope } from './scopes.ts'

/** The caller that a credential stands for. */
export interface Identity extends Omit<Caller, 'requestId'> {
  /** The rate limit counts by this: the id of an API key, for example. Memory is counted by workspace. */
  readonly countedBy: string
}

/** The person whom a session stands for, without a workspace. */
export interface AccountIdentity {
  readonly accountId: string
  readonly sessionId: string
  readonly email: string
  readonly name: string
  /** The second factor is still missing: the session opens only routes with the access `pending session`. */
  readonly isPending: boolean
  /**
   * The workspace whose identity provider has signed the person in; null for every other way in. Its administrators
   * can make the provider say anything: the session is worth nothing outside of this workspace.
   */
  readonly ssoWorkspaceId: string | null
  readonly countedBy: string
}

export interface CredentialSource {
  readonly headers: IncomingHttpHeaders
  /** See `networkOf`. */
  readonly clientNetwork: string
}

/** Knows one kind of credential. */
export interface Authenticator {
  /**
   * Null when the request carries no credential of this kind. Rejects with an ApiError when the credential is bad. Null
   * is not a promise, so that a request waits for one authenticator only: the one whose credential it carries.
   */
  authenticate(source: CredentialSource): Promise<Identity> | null
  /** For kinds of credentials that stand for a person: who it is, whichever workspace the request is about. */
  authenticateAccount?(source: CredentialSource): Promise<AccountIdentity> | null
}

/** The first authenticator that finds its kind of credential decides. */
export function authenticate(
  authenticators: readonly Authenticator[],
  source: CredentialSource,
): Promise<Identity> {
  for (const authenticator of authenticators) {
    const identity = authenticator.authenticate(source)
    if (identity !== null) return identity
  }
  throw apiError('missing_api_key', { headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** For routes of people. A request with an API key is one of a program, also when it carries a cookie. */
export async function authenticateAccount(
  authenticators: readonly Authenticator[],
  source: CredentialSource,
): Promise<AccountIdentity> {
  if ((source.headers.authorization ?? '') === '')
    for (const authenticator of authenticators) {
      const account = authenticator.authenticateAccount?.(source)
      if (account) return account
    }
  throw apiError('missing_session', { headers: { 'WWW-Authenticate': 'Bearer' } })
}

export function authorizeAccount(
  { access, admitsSso }: Route,
  { isPending, ssoWorkspaceId }: AccountIdentity,
): void {
  if (ssoWorkspaceId !== null && !admitsSso) throw apiError('own_sign_in_required')
  if (isPending && access !== 'pending session') throw apiError('second_factor_required')
}

type Rights = Pick<Identity, 'scopes' | 'role' | 'memberAccess'>

/** Null when the caller is allowed to use the route. */
function refusalOf({ access, own, alsoAdmits, leastRole }: Route, rights: Rights): ApiError | null {
  const { scopes, role } = rights
  if (access === 'public' || access === 'any key' || access === 'anonymous') return null
  if (isOfAccount(access)) return apiError('missing_session')
  if (!allows(scopes, access))
    return apiError('insufficient_scope', { message: `This API key lacks the scope ${access}.` })
  if (leastRole && isBelow(role, leastRole))
    return apiError('insufficient_role', {
      message: `This needs the role ${leastRole} or above, not ${role}.`,
    })
  if (!allows(grantsOf(rights), access) && !own && alsoAdmits !== role)
    return apiError('insufficient_role', { message: `The role ${role} does not include ${access}.` })
  return null
}

/** For a part of a request that needs a scope besides that of its route. Null when the caller has it. */
export const refusalOfScope = (rights: Rights, scope: Scope): ApiError | null =>
  refusalOf({ access: scope } as Route, rights)

export const isAuthorized = (route: Route, rights: Rights): boolean => refusalOf(route, rights) === null

export function authorize(route: Route, rights: Rights): void {
  const refusal = refusalOf(route, rights)
  if (refusal) throw refusal
}

/** Requests per second and `Identity.countedBy`, counted in this process. Answers the headers for the response. */
export function createRateLimit(perSecond: number): (countedBy: string) => Promise<Record<string, string>> {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 })
  const headers = (state: RateLimiterRes) => ({
    'RateLimit-Limit': String(perSecond),
    'RateLimit-Remaining': String(Math.max(0, state.remainingPoints)),
    'RateLimit-Reset': String(Math.ceil(state.msBeforeNext / 1000)),
  })
  return async countedBy => {
    const state = await limiter.consume(countedBy).catch((refused: RateLimiterRes) => {
      const retry = { 'Retry-After': String(Math.ceil(refused.msBeforeNext / 1000)) }
      throw apiError('rate_limited', { headers: { ...headers(refused), ...retry } })
    })
    return headers(state)
  }
}
