import { beforeAll, describe, expect, it } from 'vitest'
import { startSession } from '#features/access/access/index.ts'
import { findAccountByEmail } from '#features/workspace/accounts/index.ts'
import { createSameOriginCheck } from '#kernel/http/same-origin.ts'
import { type SignedIn, type TestApp, testApp } from '#test/support/app.ts'
import { SessionCookie } from './session-cookies.ts'

let app: TestApp
let person: SignedIn
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_CORS_ORIGINS: 'https://partner.example' } })
  person = await app.signIn({ role: 'admin' })
})

describe('the cookie', () => {
  it('is bound to the host and to https, where the service has https', () => {
    const cookie = new SessionCookie('https://sign.example.com')
    expect(cookie.set('t', 60)).toBe('__Host-signoff=t; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure')
    expect(cookie.clear()).toBe('__Host-signoff=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure')
    expect(new SessionCookie('http://localhost:3000').set('t', 60)).toBe(
      'signoff=t; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
    )
  })

  it('is read by its exact name, and only when it is unambiguous', () => {
    const cookie = new SessionCookie('https://sign.example.com')
    expect(cookie.tokenIn('a=b; __Host-signoff=abc; c=d')).toBe('abc')
    expect(cookie.tokenIn('a=b;\t __Host-signoff = abc\t;c=d')).toBe('abc')
    for (const header of [
      undefined,
      '',
      'signoff=abc',
      'x__Host-signoff=abc',
      '__Host-signoff=',
      '__host-signoff=abc',
      '__Host-signoff',
      '__Host-signoff=a; __Host-signoff=b',
      '\u00a0__Host-signoff=abc',
      'a=b; __Host-signoff\u00a0=abc',
      '\ufeff__Host-signoff=abc',
    ])
      expect(cookie.tokenIn(header), header).toBeUndefined()
  })

  it('is refused on https when it has the name of http', async () => {
    const secure = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'https://sign.example.com' } })
    const signedIn = await secure.signIn()
    expect(signedIn.cookie).toMatch(/^__Host-signoff=/)
    expect((await signedIn.get('/v1/me')).status).toBe(200)
    const renamed = secure.browser(signedIn.cookie.replace('__Host-', ''))
    expect((await renamed.get('/v1/me')).body.error.code).toBe('missing_api_key')
  })

  it.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5_000), '%00', '"quoted"'])(
    'with the value %j opens nothing',
    async value => {
      const answer = await app.browser(`signoff=${value}`).get('/v1/folders')
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    },
  )
})

describe('a page of another origin', () => {
  const origins: readonly (readonly [string, Record<string, string>])[] = [
    ['cross-site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['same-site', { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost' }],
    ['old browser', { origin: 'https://evil.example' }],
    ['sandboxed frame', { origin: 'null' }],
    ['neither header', {}],
    ['allowed by CORS', { origin: 'https://partner.example' }],
    ['forged origin', { origin: 'http://localhost:3000.evil.example' }],
  ]
  const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']

  it.each(origins)('writes nothing by the cookie: %s', async (_name, headers) => {
    for (const [method, path] of [
      ['POST', '/v1/folders'],
      ['PATCH', '/v1/folders/01a1e0a4-15b9-71f7-98af-f25f4b8294b4'],
      ['DELETE', '/v1/folders/01a1e0a4-15b9-71f7-98af-f25f4b8294b4'],
      ['PUT', '/v1/signatures/01a1e0a4-15b9-71f7-98af-f25f4b8294b4/content'],
      ['POST', '/v1/content/preview'],
      ['POST', '/auth/sign_out'],
      ['POST', '/auth/password/change'],
      ['DELETE', '/v1/sessions/01a1e0a4-15b9-71f7-98af-f25f4b8294b4'],
    ] as const) {
      if (!app.routes.some(route => route.method === method && matches(route.path, path))) continue
      for (const type of types) {
        const answer = await app.call(method, path, {
          key: null,
          payload: '{"name":"x"}',
          headers: { cookie: person.cookie, 'content-type': type, ...headers },
        })
        expect([answer.status, answer.body.error.code], `${method} ${path} ${type}`).toEqual([
          403,
          'cross_origin',
        ])
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      }
    }
    expect((await person.get('/v1/me')).status).toBe(200)
  })

  it.each(origins.slice(0, 4))('does not sign anyone in: %s', async (_name, headers) => {
    for (const path of ['/auth/password', '/auth/setup']) {
      const body = { email: 'a@example.com', password: 'x', token: 'x', name: 'x' }
      const answer = await app.post(path, body, { key: null, headers })
      expect([answer.status, answer.body.error.code], path).toEqual([403, 'cross_origin'])
    }
  })

  it('needs no check with an API key, and programs can sign in', async () => {
    const headers = { cookie: person.cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await app.post('/v1/folders', { name: 'By key' }, { headers })).status).toBe(201)
    const program = await app.post('/auth/password', { email: 'a@example.com', password: 'x' }, { key: null })
    expect(program.status).toBe(401)
  })

  it('is told apart by either header', () => {
    const check = createSameOriginCheck('https://sign.example.com')
    const passes = (headers: Record<string, string>, hasCookie = true): boolean => {
      try {
        check(headers, hasCookie)
        return true
      } catch {
        return false
      }
    }
    expect(passes({ 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(passes({ 'sec-fetch-site': 'none' })).toBe(true)
    expect(passes({ origin: 'https://sign.example.com' })).toBe(true)
    expect(passes({}, false)).toBe(true)
    expect(passes({})).toBe(false)
    expect(passes({ origin: 'http://sign.example.com' })).toBe(false)
    expect(passes({ 'sec-fetch-site': 'cross-site', origin: 'https://sign.example.com' })).toBe(false)
  })
})

const matches = (pattern: string, path: string): boolean => {
  const [left, right] = [pattern.split('/'), path.split('/')]
  return left.length === right.length && left.every((part, at) => part.startsWith('{') || part === right[at])
}

describe('a session whose second factor is missing', () => {
  it('opens nothing but what asks for the factor', async () => {
    const account = await findAccountByEmail(app.db, person.email)
    const client = { address: '127.0.0.1', userAgent: '', headers: {} }
    const how = { method: 'password', hasSecondFactor: false } as const
    const deps = { ...app.parts.access, secondFactorsOf: async () => ['totp'] as const }
    const started = await app.db.transaction(tx => startSession(tx, account!, how, client, deps))
    expect([started.isPending, started.secondFactors]).toEqual([true, ['totp']])
    const browser = app.browser(started.cookie.split(';')[0] ?? '')
    for (const path of ['/v1/me', '/v1/folders', '/v1/sessions'])
      expect((await browser.get(path)).body.error.code, path).toBe('second_factor_required')
    expect((await browser.post('/v1/folders', { name: 'x' })).status).toBe(403)
    const everywhere = await browser.post('/auth/sign_out', { everywhere: true })
    expect([everywhere.status, everywhere.body.error.code]).toEqual([403, 'second_factor_required'])
    expect((await person.get('/v1/me')).status).toBe(200)
    expect((await browser.post('/auth/sign_out')).status).toBe(204)
  })
})

describe('requests by cookie', () => {
  it('are counted per session', async () => {
    const limited = await testApp({ env: { SIGNOFF_RATE_LIMIT: '3' } })
    const [first, second] = [await limited.signIn(), await limited.signIn({ role: 'admin' })]
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await first.get('/v1/me')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect((await second.get('/v1/sessions')).headers['ratelimit-remaining']).toBe('2')
  })

  it('are not cached, also those of sign-in', async () => {
    for (const answer of [
      await person.get('/v1/me'),
      await app.post('/auth/password', { email: 'a@example.com', password: 'x' }, { key: null }),
      await app.get('/auth/nowhere', { key: null }),
    ])
      expect(answer.headers['cache-control']).toBe('no-store')
  })
})
