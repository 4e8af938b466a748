import { Type } from 'typebox'
import {
  type Answer,
  anonymousRoute,
  plainBody,
  publicRoute,
  type RequestClient,
  type Route,
} from '#kernel/api/routes.ts'
import { lowerUuid, uuid } from '#kernel/api/validation.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Log } from '#kernel/base/log.ts'
import { networkOf, RateLimiterMemory, type RateLimiterRes } from '#kernel/base/rate-limits.ts'
import type { SsoRouteDeps } from '../deps.ts'
import { OidcClient } from '../oidc/client.ts'
import { type RefusalCode, refusalCodes, SignInRefused, signInRefusalOf } from '../refusal.ts'
import { serviceProviderMetadata, serviceProviderOf } from '../saml/protocol.ts'
import { SamlVerifier } from '../saml/verifier.ts'
import { beginOidc, finishOidc } from './oidc-steps.ts'
import { refusalPage } from './page.ts'
import type { Redirect, SignInDeps } from './rules.ts'
import { beginSaml, finishSaml, receiveSaml } from './saml-steps.ts'

/** Requests per client network: enough for an office behind one address on a Monday morning. */
const rateLimit = { points: 120, duration: 60 }

const Short = () => Type.Optional(Type.String({ maxLength: 4_000 }))
const BeginQuery = Type.Object({
  connection: Type.Optional(
    Type.String({ format: 'uuid', description: 'One of several connections; default: the oldest.' }),
  ),
  return_to: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'The path to open after the sign-in. Default: `/`.' }),
  ),
})
const CallbackQuery = Type.Object({
  code: Short(),
  state: Short(),
  iss: Short(),
  error: Short(),
  error_description: Short(),
  session_state: Short(),
})
const SamlResponseForm = Type.Object({
  SAMLResponse: Type.String({ minLength: 1, maxLength: 400_000 }),
  RelayState: Type.Optional(Type.String({ maxLength: 2_000 })),
})

/** A browser gets a page, a program the envelope. */
const answers = { 303: null, 403: Type.Unknown(), 404: Type.Unknown(), 503: Type.Unknown() }
const errors = ['sso_refused', 'not_found', 'rate_limited', 'unavailable'] as const

const tooMany = (state: RateLimiterRes): never => {
  throw apiError('rate_limited', { headers: { 'Retry-After': String(Math.ceil(state.msBeforeNext / 1000)) } })
}

const envelopes: Partial<Record<RefusalCode, 'not_found' | 'unavailable'>> = {
  unknown_connection: 'not_found',
  provider_unreachable: 'unavailable',
}

/** The log gets the exact reason, and the person who signs in the text of the code alone. */
function answerRefusal(
  error: unknown,
  { headers, requestId = '' }: RequestClient,
  { log }: SignInRouteDeps,
): Answer {
  const refusal = signInRefusalOf(error)
  if (refusal === undefined) throw error
  const { code, message: reason } = refusal
  log.info({ request_id: requestId, code, reason }, 'single sign-on was refused')
  const refused = apiError(envelopes[code] ?? 'sso_refused', { message: refusalCodes[code] })
  if (!String(headers.accept ?? '').includes('text/html')) throw refused
  const signedInAs = error instanceof SignInRefused ? error.signedInAs : null
  return {
    status: refused.status,
    ...refusalPage({ code, signedInAs }, requestId, headers['accept-language']),
  }
}

const redirect = ({ location, cookie }: Redirect): Answer => ({
  status: 303,
  body: '',
  headers: {
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  },
  ...(cookie !== undefined && { cookies: [cookie] }),
})

const workspaceIn = ({ workspace_id: id = '' }: { readonly workspace_id?: string }): string => {
  if (!uuid.test(id)) throw apiError('not_found')
  return lowerUuid(id)
}

interface SignInRouteDeps extends SsoRouteDeps {
  readonly log: Pick<Log, 'info'>
}

export function ssoSignInRoutes(routeDeps: SignInRouteDeps): readonly Route[] {
  const limiter = new RateLimiterMemory(rateLimit)
  const deps = { ...routeDeps, oidc: new OidcClient(routeDeps.fetchPublic), saml: new SamlVerifier() }
  const follow = async (client: RequestClient, work: () => Promise<Redirect>): Promise<Answer> => {
    await limiter.consume(networkOf(client.address)).catch(tooMany)
    return work().then(redirect, error => answerRefusal(error, client, routeDeps))
  }
  return [
    anonymousRoute({
      name: 'auth.oidc',
      method: 'GET',
      path: '/auth/oidc/{workspace_id}',
      summary: 'Sign in by OpenID Connect: leads to the identity provider',
      description:
        'For browsers. Leads to the identity provider of the workspace, by the authorization code flow with PKCE, state and nonce. The sign-in must be finished in the same browser within 10 minutes.',
      query: BeginQuery,
      errors,
      answers,
      handle: ({ db, params, query, client }) =>
        follow(client, () => beginOidc(db, workspaceIn(params), query, deps)),
    }),
    anonymousRoute({
      name: 'auth.oidcCallback',
      method: 'GET',
      path: '/auth/oidc/callback',
      summary: 'The identity provider leads back here',
      description:
        'For browsers. Exchanges the code, checks the ID token, and leads on with the cookie of a new session. The session is good for the workspace whose identity provider has signed the person in.',
      query: CallbackQuery,
      errors,
      answers,
      handle: ({ db, query, client }) =>
        follow(client, () => finishOidc(db, query as Record<string, string>, client, deps)),
    }),
    ...samlRoutes(deps, follow),
  ]
}

type Follow = (client: RequestClient, work: () => Promise<Redirect>) => Promise<Answer>

const samlRoutes = (deps: SignInDeps, follow: Follow): readonly Route[] => [
  anonymousRoute({
    name: 'auth.saml',
    method: 'GET',
    path: '/auth/saml/{workspace_id}',
    summary: 'Sign in by SAML 2.0: leads to the identity provider',
    description:
      'For browsers. Leads to the identity provider of the workspace, by HTTP-Redirect. The sign-in must be finished in the same browser within 10 minutes.',
    query: BeginQuery,
    errors,
    answers,
    handle: ({ db, params, query, client }) =>
      follow(client, () => beginSaml(db, workspaceIn(params), query, deps)),
  }),
  anonymousRoute({
    name: 'auth.samlResponse',
    method: 'POST',
    path: '/auth/saml/{workspace_id}/acs',
    crossOrigin: true,
    summary: 'The identity provider posts its response here',
    description:
      'For browsers. Checks signature, audience, recipient, times and request of the response, and leads on to `finish`, where the session begins in the browser that has started the sign-in. Each assertion works once.',
    body: plainBody(SamlResponseForm),
    accepts: ['application/x-www-form-urlencoded'],
    bodyLimit: 512 * 1024,
    errors,
    answers,
    handle: ({ db, params, body, client }) =>
      follow(client, () => receiveSaml(db, workspaceIn(params), body, client, deps)),
  }),
  anonymousRoute({
    name: 'auth.samlFinish',
    method: 'GET',
    path: '/auth/saml/{workspace_id}/finish',
    summary: 'Begins the session after a SAML response',
    description:
      'For browsers. The response of the provider arrives without cookies, because the page of another site has sent it. This request of the same browser has the cookie of the sign-in, and gets that of the session.',
    query: Type.Object({ state: Type.String({ maxLength: 200 }) }),
    errors,
    answers,
    handle: ({ db, params, query, client }) =>
      follow(client, () => finishSaml(db, workspaceIn(params), query.state, client, deps)),
  }),
  publicRoute(
    '/auth/saml/{workspace_id}/metadata',
    'The SAML metadata of a workspace, for its identity provider',
    { 200: Type.String(), 404: Type.Unknown() },
    async ({ params }) => ({
      status: 200,
      body: await serviceProviderMetadata(serviceProviderOf(deps.publicUrl, workspaceIn(params))),
      headers: { 'content-type': 'application/samlmetadata+xml; charset=utf-8' },
    }),
  ),
]
