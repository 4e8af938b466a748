// Sign-in by OpenID Connect, and the attacks on it.
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import {
  browseTo,
  certifiedProvider,
  type Forgery,
  ForgingProvider,
  type TestPerson,
  testClient,
} from '#test/support/sign-in/oidc-provider.ts'
import {
  connect,
  oidcConnection,
  outcomeOf,
  publicUrl,
  signInAt,
  ssoEnv,
  TestBrowser,
} from '#test/support/sign-in/sso.ts'

let app: TestApp
let provider: ForgingProvider
let connectionId: string
const lines: string[] = []
beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  app = await testApp({ env: ssoEnv, log: pino({ level: 'info' }, stream) })
  provider = await ForgingProvider.start()
  connectionId = await connect(app, oidcConnection(provider.issuer))
})
beforeEach(() => {
  provider.forgery = {}
  provider.discovery = {}
})
const signIn = (browser = new TestBrowser(app)) => signInAt(provider, browser, app.id, connectionId)
const callback = (answer: Record<string, string>) => `/auth/oidc/callback?${new URLSearchParams(answer)}`

describe('a certified provider', () => {
  it('signs a person in, with groups from the user-info endpoint', async () => {
    const person: TestPerson = {
      sub: 'grace-1',
      email: 'grace@example.com',
      email_verified: true,
      name: 'Grace Hopper',
      groups: ['staff', 'signoff-managers'],
    }
    const issuer = await certifiedProvider(`${publicUrl}/auth/oidc/callback`, person)
    const id = await connect(
      app,
      oidcConnection(issuer, {
        scopes: ['openid', 'email', 'profile', 'groups'],
        group_claim: 'groups',
        group_roles: [{ group: 'signoff-managers', role: 'manager' }],
      }),
    )
    const test = await app.post(`/v1/sso_connections/${id}/test`)
    expect(
      test.body.data.steps.map((step: { name: string; status: string }) => [step.name, step.status]),
    ).toEqual([
      ['discovery', 'ok'],
      ['issuer', 'ok'],
      ['endpoints', 'ok'],
      ['keys', 'ok'],
      ['code_flow', 'ok'],
      ['client', 'ok'],
      ['members', 'ok'],
    ])
    const browser = new TestBrowser(app)
    const begun = await browser.get(`/auth/oidc/${app.id}?connection=${id}&return_to=/docs/start`)
    const back = await browseTo(begun.headers.location ?? '', publicUrl)
    const answer = await browser.get(`${back.pathname}${back.search}`)
    expect([answer.status, answer.headers.location]).toEqual([303, '/docs/start'])
    const me = await browser.get('/v1/me')
    expect(me.body.data).toMatchObject({
      account: { email: 'grace@example.com', name: 'Grace Hopper' },
      member: { role: 'manager' },
      workspaces: [{ id: app.id }],
    })
    const replayed = await browser.get(`${back.pathname}${back.search}`)
    expect(outcomeOf(replayed)).toContain('not started in this browser')
  })
})

describe('an ID token', () => {
  const now = () => Math.floor(Date.now() / 1000)
  it.each<readonly [string, () => Forgery]>([
    ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['for another audience', () => ({ claims: { aud: 'other' } })],
    [
      'for several audiences, authorized for another',
      () => ({ claims: { aud: ['signoff', 'x'], azp: 'x' } }),
    ],
    ['with another nonce', () => ({ claims: { nonce: 'x' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['that has expired', () => ({ claims: { exp: now() - 100, iat: now() - 400 } })],
    ['issued in the future', () => ({ claims: { iat: now() + 330, exp: now() + 900 } })],
    ['without an end', () => ({ claims: { exp: undefined } })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    ['without a signature', () => ({ signature: 'none' })],
    ['with the algorithm none', () => ({ signature: 'none', header: { alg: 'none' } })],
    ['with the algorithm HS256', () => ({ header: { alg: 'HS256' } })],
    ['signed by another key', () => ({ signature: 'other' })],
    ['signed by a key of unknown id', () => ({ signature: 'other', header: { kid: 'x' } })],
  ])('%s is refused', async (_, forgery) => {
    provider.forgery = forgery()
    const browser = new TestBrowser(app)
    expect(outcomeOf(await signIn(browser))).toContain('answer of the identity provider is not valid')
    expect(browser.hasSession).toBe(false)
  })

  it('is accepted within a minute of clock difference', async () => {
    provider.forgery = { claims: { exp: now() - 30, iat: now() - 300 } }
    expect(outcomeOf(await signIn())).toBe('signed in')
    provider.forgery = { claims: { iat: now() + 270, exp: now() + 900 } }
    expect(outcomeOf(await signIn())).toBe('signed in')
  })

  it('of a new key is accepted at once', async () => {
    expect(outcomeOf(await signIn())).toBe('signed in')
    provider.rotateKeys()
    expect(outcomeOf(await signIn())).toBe('signed in')
  })

  it('whose user info is about another person is refused', async () => {
    provider.forgery = { claims: { email: undefined }, userInfo: { sub: 'other', email: 'ada@example.com' } }
    expect(outcomeOf(await signIn())).toContain('not valid')
  })
})

describe('an answer of the provider', () => {
  it('works in the browser that has begun, once', async () => {
    const browser = new TestBrowser(app)
    const begun = await browser.get(`/auth/oidc/${app.id}?connection=${connectionId}`)
    expect(String(begun.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Lax$/)
    const answer = provider.authorize(begun.headers.location ?? '')
    const victim = new TestBrowser(app)
    expect(outcomeOf(await victim.get(callback(answer)))).toContain('not started in this browser')
    expect(victim.hasSession).toBe(false)
    expect(outcomeOf(await browser.get(callback(answer)))).toBe('signed in')
    expect(outcomeOf(await browser.get(callback(answer)))).toContain('not started in this browser')
  })

  it('with a wrong, missing or foreign state is refused', async () => {
    const browser = new TestBrowser(app)
    const begun = await browser.get(`/auth/oidc/${app.id}?connection=${connectionId}`)
    const { code } = provider.authorize(begun.headers.location ?? '')
    const second = await new TestBrowser(app).get(`/auth/oidc/${app.id}?connection=${connectionId}`)
    const foreign = new URL(second.headers.location ?? '').searchParams.get('state') ?? ''
    for (const state of ['x', '', 'A'.repeat(64), foreign, `${foreign}x`])
      expect(outcomeOf(await browser.get(callback({ code, state })))).toContain('not started in this browser')
    expect((await browser.get(`/auth/oidc/callback?code=a&code=b&state=c`)).status).toBe(422)
  })

  it('that comes 10 minutes later is refused', async () => {
    const browser = new TestBrowser(app)
    const begun = await browser.get(`/auth/oidc/${app.id}?connection=${connectionId}`)
    await app.db.query({
      text: "update sso_attempts set expires_at = now() - interval '1 s'",
      values: [],
    } as never)
    const answer = provider.authorize(begun.headers.location ?? '')
    expect(outcomeOf(await browser.get(callback(answer)))).toContain('not started in this browser')
  })

  it('with a code that was made for another sign-in is refused (PKCE)', async () => {
    const stolen = provider.authorize(
      (await new TestBrowser(app).get(`/auth/oidc/${app.id}?connection=${connectionId}`)).headers.location ??
        '',
    )
    const attacker = new TestBrowser(app)
    const begun = await attacker.get(`/auth/oidc/${app.id}?connection=${connectionId}`)
    const { state } = provider.authorize(begun.headers.location ?? '')
    expect(outcomeOf(await attacker.get(callback({ code: stolen.code, state })))).toContain(
      'refused the sign-in',
    )
  })

  it('that names another issuer is refused (mix-up)', async () => {
    const browser = new TestBrowser(app)
    const begun = await browser.get(`/auth/oidc/${app.id}?connection=${connectionId}`)
    const answer = provider.authorize(begun.headers.location ?? '')
    const before = provider.requests.filter(path => path === '/token').length
    expect(outcomeOf(await browser.get(callback({ ...answer, iss: 'https://evil.example' })))).toContain(
      'not valid',
    )
    expect(provider.requests.filter(path => path === '/token').length).toBe(before)
  })

  it('of one connection does not answer the sign-in of another (mix-up)', async () => {
    const evil = await ForgingProvider.start()
    const evilId = await connect(app, oidcConnection(evil.issuer))
    const browser = new TestBrowser(app)
    // The person wants the evil provider, which passes an honest provider's code on.
    const begun = await browser.get(`/auth/oidc/${app.id}?connection=${evilId}`)
    const { state } = evil.authorize(begun.headers.location ?? '')
    const { code } = provider.authorize(begun.headers.location ?? '')
    const before = provider.requests.length
    expect(outcomeOf(await browser.get(callback({ code, state })))).toContain('refused the sign-in')
    expect(provider.requests.length).toBe(before)
  })

  it('that says no is shown as such: disabled at the provider', async () => {
    const browser = new TestBrowser(app)
    const begun = await browser.get(`/auth/oidc/${app.id}?connection=${connectionId}`)
    const { state } = provider.authorize(begun.headers.location ?? '')
    const answer = await browser.get(callback({ error: 'access_denied', state }))
    expect(outcomeOf(answer)).toContain('refused the sign-in')
    const { body } = await app.get(`/v1/sso_connections/${connectionId}`)
    expect(body.data.last_refusal).toMatchObject({ code: 'provider_refused' })
  })

  it('is refused with the exact reason, for administrators alone', async () => {
    const browser = new TestBrowser(app)
    const begun = await browser.get(`/auth/oidc/${app.id}?connection=${connectionId}`)
    const { state } = provider.authorize(begun.headers.location ?? '')
    const denied = () => browser.get(callback({ error: 'access\u0007denied', state }))
    provider.forgery = { claims: { aud: 'other' } }
    for (const [request, reason] of [
      [denied, 'The provider answered access denied.'],
      [signIn, 'unexpected JWT "aud" (audience) claim value'],
    ] as const) {
      const answer = await request()
      const { body: connection } = await app.get(`/v1/sso_connections/${connectionId}`)
      const { body: log } = await app.get('/v1/audit_log?action=sso_connection.sign_in_refused')
      const line = lines.findLast(text => text.includes('single sign-on was refused'))
      for (const text of [connection.data.last_refusal.message, log.data[0].reason, JSON.parse(line!).reason])
        expect(text).toContain(reason)
      expect(answer.text).not.toContain(reason)
    }
  })

  it('leads only to paths of this service', async () => {
    for (const [path, expected] of [
      ['/account?page=2', '/account?page=2'],
      ['/%61uth/oidc/x', '/'],
      ['/c/token', '/'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['https://evil.example', '/'],
      ['/a\nb', '/'],
    ] as const) {
      const browser = new TestBrowser(app)
      const query = new URLSearchParams({ connection: connectionId, return_to: path })
      const begun = await browser.get(`/auth/oidc/${app.id}?${query}`)
      const answer = await browser.get(callback(provider.authorize(begun.headers.location ?? '')))
      expect(answer.headers.location, path).toBe(expected)
    }
  })
})

describe('a browser', () => {
  it('sees a page where a program gets the envelope', async () => {
    const headers = { accept: 'text/html', 'accept-language': 'de' }
    const answer = await new TestBrowser(app).get(callback({ code: 'x', state: 'y' }), { headers })
    expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    expect(answer.text).toContain('nicht in diesem Browser begonnen')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('learns that a workspace has no such connection', async () => {
    for (const path of [`/auth/oidc/${app.other.id}`, '/auth/oidc/x', `/auth/saml/${app.id}`])
      expect((await new TestBrowser(app).get(path)).status, path).toBe(404)
  })
})

describe('requests to providers', () => {
  it('reach private addresses only where the operator allows it', async () => {
    const closed = await testApp({ env: { SIGNOFF_PUBLIC_URL: publicUrl } })
    const issuers = [
      'https://127.0.0.1',
      'http://localhost:1',
      'https://sso.localhost',
      'https://sso.internal',
    ]
    for (const issuer of [...issuers, provider.issuer]) {
      const refused = await closed.post('/v1/sso_connections', oidcConnection(issuer))
      expect([refused.status, fieldErrors(refused)], issuer).toEqual([422, { issuer: 'invalid' }])
    }
    const id = await connect(closed, oidcConnection('https://login.example.com'))
    await closed.db.query(sql`update sso_connections set issuer = ${provider.issuer} where id = ${id}`)
    expect((await closed.patch(`/v1/sso_connections/${id}`, { name: 'Renamed' })).status).toBe(200)
    const before = provider.requests.length
    expect((await new TestBrowser(closed).get(`/auth/oidc/${closed.id}`)).status).toBe(503)
    const { body } = await closed.post(`/v1/sso_connections/${id}/test`)
    expect(body.data.ok).toBe(false)
    expect(body.data.steps[0]).toMatchObject({ name: 'discovery', status: 'failed' })
    expect(body.data.steps[0].remedy).toContain('SIGNOFF_PRIVATE_TARGETS')
    expect(provider.requests.length).toBe(before)
  })

  it.each([
    ['another issuer', () => ({ discovery: { issuer: 'https://evil.example' } }), 'issuer'],
    ['no token endpoint', () => ({ discovery: { token_endpoint: undefined } }), 'endpoints'],
    ['no keys', () => ({ discovery: { jwks_uri: `${provider.issuer}/none` } }), 'keys'],
    ['no PKCE', () => ({ discovery: { code_challenge_methods_supported: ['plain'] } }), 'code_flow'],
  ] as const)('are checked step by step: %s', async (_, changes, failing) => {
    provider.discovery = changes().discovery
    const { body } = await app.post(`/v1/sso_connections/${connectionId}/test`)
    const failed = body.data.steps.filter(({ status }: { status: string }) => status === 'failed')
    expect(failed.map(({ name }: { name: string }) => name)).toEqual([failing])
    expect(failed[0].remedy.length).toBeGreaterThan(10)
  })

  it('tell a wrong secret', async () => {
    const id = await connect(app, oidcConnection(provider.issuer, { client_secret: 'wrong' }))
    const { body } = await app.post(`/v1/sso_connections/${id}/test`)
    const client = body.data.steps.find(({ name }: { name: string }) => name === 'client')
    expect(client).toMatchObject({ status: 'failed' })
    expect(JSON.stringify(body)).not.toContain(testClient.client_secret)
  })
})
