// The OpenID Connect side of a sign-in: authorization code flow with PKCE, state and nonce.
import { LRUCache } from 'lru-cache'
import type * as Library from 'openid-client'
import { minute } from '#kernel/base/durations.ts'
import { isSecureAddress, type ProviderFetch, ProviderUnreachable, requestLimits } from '../outgoing.ts'
import { SignInRefused } from '../refusal.ts'

export interface OidcSettings {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string | null
  readonly scopes: readonly string[]
}

export interface OidcAttempt {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export type Claims = Readonly<Record<string, unknown>>

/** Loaded on first use: most processes see no sign-in by OIDC. */
const loadLibrary = (): Promise<typeof Library> => import('openid-client')

/** Seconds by which the clocks of the provider and of this machine can differ. */
const clockTolerance = 60

/** An ID token that says it was issued later than this from now is refused. */
const maxSecondsAhead = 300

/**
 * A visitor can start sign-ins without an account: within this time each costs the provider no request. Keys are not
 * cached, so that a new key works at once.
 */
const cacheMilliseconds = minute

export class OidcClient {
  readonly #fetch: ProviderFetch
  readonly #metadata = new LRUCache<string, Promise<Library.ServerMetadata>>({
    max: 1_000,
    ttl: cacheMilliseconds,
  })

  constructor(fetch: ProviderFetch) {
    this.#fetch = fetch
  }

  /** The address of the provider that the browser opens. */
  async begin(settings: OidcSettings, attempt: OidcAttempt): Promise<string> {
    const library = await loadLibrary()
    const config = await this.#configure(settings)
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: attempt.redirectUri,
      response_type: 'code',
      scope: settings.scopes.join(' '),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    })
    return url.href
  }

  /** The claims of the person. `answer` holds the parameters of the callback. */
  async finish(
    settings: OidcSettings,
    attempt: OidcAttempt,
    answer: Readonly<Record<string, string>>,
    needs: (claims: Claims) => boolean,
  ): Promise<Claims> {
    const library = await loadLibrary()
    const config = await this.#configure(settings)
    // Without it, the signature of an ID token that comes from the token endpoint would not be checked.
    library.enableNonRepudiationChecks(config)
    const callback = new URL(attempt.redirectUri)
    callback.search = new URLSearchParams(answer).toString()
    try {
      const tokens = await library.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: attempt.codeVerifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims() as Claims & { readonly sub: string }
      checkIssuedAt(claims)
      if (!needs(claims) || config.serverMetadata().userinfo_endpoint === undefined) return claims
      const more = await library.fetchUserInfo(config, tokens.access_token, claims.sub)
      return joinClaims(claims, more)
    } catch (error) {
      throw refusalOfLibrary(error)
    }
  }

  /** Forgets what was read of the provider. */
  forget(issuer: string): void {
    this.#metadata.delete(issuer)
  }

  async #configure(settings: OidcSettings): Promise<Library.Configuration> {
    const library = await loadLibrary()
    const metadata = await this.#discover(settings.issuer)
    const config = new library.Configuration(
      metadata,
      settings.client_id,
      { [library.clockTolerance]: clockTolerance },
      clientAuthentication(library, settings.client_secret, metadata),
    )
    config[library.customFetch] = this.#request
    if (settings.issuer.startsWith('http:')) library.allowInsecureRequests(config)
    return config
  }

  #discover(issuer: string): Promise<Library.ServerMetadata> {
    const cached = this.#metadata.get(issuer)
    if (cached) return cached
    const metadata = discover(issuer, this.#request)
    this.#metadata.set(issuer, metadata)
    metadata.catch(() => this.#metadata.delete(issuer))
    return metadata
  }

  /** As the library calls `fetch`. The content type is not checked: the library parses JSON and nothing else. */
  readonly #request: Library.CustomFetch = async (url, { method, headers, body }) => {
    // The library sends forms and nothing else.
    const text = body === null || body === undefined ? {} : { body: String(body) }
    const answer = await this.#fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...text,
      redirects: 0,
      ...requestLimits,
    })
    if (!answer.ok) throw new ProviderUnreachable(`The address ${url} ${answer.problem}.`)
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answer.bytes), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    })
  }
}

async function discover(issuer: string, request: Library.CustomFetch): Promise<Library.ServerMetadata> {
  if (!isSecureAddress(issuer)) throw new ProviderUnreachable(`The issuer ${issuer} is not an https address.`)
  const library = await loadLibrary()
  try {
    const config = await library.discovery(new URL(issuer), 'unused', undefined, library.None(), {
      [library.customFetch]: request,
      ...(issuer.startsWith('http:') && { execute: [library.allowInsecureRequests] }),
    })
    return config.serverMetadata()
  } catch (error) {
    throw refusalOfLibrary(error)
  }
}

/** The library checks when the token ends, and that it says when it began. */
function checkIssuedAt({ iat }: Claims): void {
  if (Number(iat) > Date.now() / 1_000 + maxSecondsAhead)
    throw new SignInRefused('invalid_answer', 'The ID token was issued in the future: compare the clocks.')
}

/**
 * The ID token counts before the user-info endpoint. `email_verified` speaks about the address beside it: both come from
 * the same source.
 */
function joinClaims(token: Claims, userInfo: Claims): Claims {
  const { email, email_verified } = token.email === undefined ? userInfo : token
  return { ...userInfo, ...token, email, email_verified }
}

/** As the provider says it takes it; the default of the standard is `client_secret_basic`. */
export function clientAuthentication(
  library: typeof Library,
  secret: string | null,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: Library.ServerMetadata,
): Library.ClientAuth {
  if (secret === null) return library.None()
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? library.ClientSecretBasic(secret)
    : library.ClientSecretPost(secret)
}

/** The deepest message says what is wrong; the outer ones say where. */
function messageOf(error: unknown): string {
  const texts: string[] = []
  for (let at = error; at instanceof Error && texts.length < 5; at = at.cause) texts.push(at.message)
  return [...new Set(texts)].join(': ').slice(0, 500)
}

/** Errors of the network, of the provider, and of answers that do not match the standard. */
export function refusalOfLibrary(error: unknown): Error {
  if (error instanceof SignInRefused) return error
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProviderUnreachable) return at
  const { error: code } = error as { readonly error?: unknown }
  return typeof code === 'string'
    ? new SignInRefused('provider_refused', `The provider answered ${code}.`)
    : new SignInRefused('invalid_answer', messageOf(error))
}
