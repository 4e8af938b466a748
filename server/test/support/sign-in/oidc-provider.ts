// Identity providers for OpenID Connect: a certified one in this process, and one that forges whatever a test asks for.
import { createHash, createSign, type KeyObject, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import Provider from 'oidc-provider'
import { listenLocally } from '../listen.ts'
import { nextRsaKeys } from './rsa-keys.ts'

export const testClient = { client_id: 'signoff', client_secret: 'a secret of the client & more' }

/** The person who signs in at the certified provider; tests change it. */
export interface TestPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

/** Signs the person in without a form. */
export async function certifiedProvider(redirectUri: string, person: TestPerson): Promise<string> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined
  const issuer = await listenLocally(createServer((request, response) => void handle(request, response)))
  const provider = new Provider(issuer, {
    clients: [{ ...testClient, redirect_uris: [redirectUri], grant_types: ['authorization_code'] }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['test'] },
    findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ ...person, sub: id }) }),
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    loadExistingGrant: async context => {
      const { oidc } = context
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  })
  const serve = provider.callback()
  handle = (request, response) =>
    request.url?.startsWith('/interaction/')
      ? provider.interactionFinished(request, response, { login: { accountId: person.sub } })
      : serve(request, response)
  return issuer
}

/** Opens an address as a browser does, until it leads to `until`. Returns that address. */
export async function browseTo(start: string, until: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = start
  for (let hop = 0; hop < 10; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    await answer.arrayBuffer()
    for (const text of answer.headers.getSetCookie()) {
      const [pair = ''] = text.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${url} answers ${answer.status}`)
    url = new URL(location, url).href
    if (url.startsWith(until)) return new URL(url)
  }
  throw new Error('too many redirects')
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export interface Forgery {
  /** Changes of the claims; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  /** `none`: no signature. `other`: of a key that the provider does not publish. */
  readonly signature?: 'right' | 'none' | 'other' | 'secret'
  readonly userInfo?: Readonly<Record<string, unknown>>
  /** The token endpoint answers this error. */
  readonly error?: string
}

/** A provider that answers every code, once, with the tokens that the test wants. */
export class ForgingProvider {
  issuer = ''
  forgery: Forgery = {}
  /** Changes of the discovery document. */
  discovery: Readonly<Record<string, unknown>> = {}
  readonly requests: string[] = []
  /** Answers wait for it. */
  gate: Promise<unknown> = Promise.resolve()
  readonly #codes = new Map<string, { nonce: string; challenge: string }>()
  #keys: { id: string; publicKey: KeyObject; privateKey: KeyObject }[] = []

  static async start(): Promise<ForgingProvider> {
    const provider = new ForgingProvider()
    provider.rotateKeys()
    provider.issuer = await listenLocally(
      createServer((request, response) => void provider.#serve(request, response)),
    )
    return provider
  }

  /** From now on another key signs, and the old one is not published any more. */
  rotateKeys(): void {
    this.#keys = [{ id: randomUUID(), ...nextRsaKeys(this.#keys[0]?.privateKey) }]
  }

  /** Signs the person in at the provider. Returns the code for the callback. */
  authorize(address: string): { readonly code: string; readonly state: string } {
    const { searchParams } = new URL(address)
    const code = randomUUID()
    this.#codes.set(code, {
      nonce: searchParams.get('nonce') ?? '',
      challenge: searchParams.get('code_challenge') ?? '',
    })
    return { code, state: searchParams.get('state') ?? '' }
  }

  #idToken(nonce: string): string {
    const { claims, header, signature = 'right' } = this.forgery
    const [key] = this.#keys
    if (!key) throw new Error('no key')
    const now = Math.floor(Date.now() / 1000)
    const standard = {
      iss: this.issuer,
      aud: testClient.client_id,
      sub: 'ada-1',
      nonce,
      iat: now,
      exp: now + 300,
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
    }
    const signed = `${base64({ alg: 'RS256', kid: key.id, ...header })}.${base64({ ...standard, ...claims })}`
    if (signature === 'none') return `${signed}.`
    const signer = createSign('sha256').update(signed)
    return `${signed}.${signer.sign(signature === 'other' ? nextRsaKeys(key.privateKey).privateKey : key.privateKey, 'base64url')}`
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '', this.issuer)
    this.requests.push(url.pathname)
    await this.gate
    const form = new URLSearchParams(await readText(request))
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration')
      return send(200, {
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        jwks_uri: `${this.issuer}/keys`,
        userinfo_endpoint: `${this.issuer}/me`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        ...this.discovery,
      })
    if (url.pathname === '/keys')
      return send(200, {
        keys: this.#keys.map(({ id, publicKey }) => ({
          ...publicKey.export({ format: 'jwk' }),
          kid: id,
          use: 'sig',
          alg: 'RS256',
        })),
      })
    if (url.pathname === '/me')
      return send(200, { sub: this.forgery.claims?.sub ?? 'ada-1', ...this.forgery.userInfo })
    if (url.pathname !== '/token') return send(404, {})
    return this.#token(form, request, send)
  }

  #token(
    form: URLSearchParams,
    request: IncomingMessage,
    send: (status: number, body: object) => unknown,
  ): unknown {
    const encode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
    const basic = `${encode(testClient.client_id)}:${encode(testClient.client_secret)}`
    if (request.headers.authorization !== `Basic ${Buffer.from(basic).toString('base64')}`)
      return send(401, { error: 'invalid_client' })
    const issued = this.#codes.get(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    this.#codes.delete(form.get('code') ?? '')
    if (issued?.challenge !== challenge) return send(400, { error: 'invalid_grant' })
    if (this.forgery.error) return send(400, { error: this.forgery.error })
    return send(200, { access_token: 'token', token_type: 'Bearer', id_token: this.#idToken(issued.nonce) })
  }
}
