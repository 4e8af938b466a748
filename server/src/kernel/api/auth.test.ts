import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { type Authenticator, authenticate, type Identity } from './auth.ts'
import { BearerAuthenticator, mintKey } from './bearer-keys.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_TRUSTED_PROXIES: '127.0.0.1' } })
})

const from = (address: string) => ({ 'x-forwarded-for': address })

describe('authentication', () => {
  it('refuses a request without a key', async () => {
    for (const authorization of [undefined, '']) {
      const answer = await app.get('/v1/folders', {
        key: null,
        headers: { ...(authorization !== undefined && { authorization }) },
      })
      expect([answer.status, answer.body.error.type, answer.body.error.code]).toEqual([
        401,
        'authentication_error',
        'missing_api_key',
      ])
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })

  it('refuses malformed and unknown keys', async () => {
    for (const authorization of [
      'Bearer',
      'Bearer x',
      `Basic ${app.key}`,
      app.key,
      `Bearer ${app.key}x`,
      `Bearer ${mintKey()}`,
      `Bearer ${app.key} x`,
    ]) {
      const answer = await app.get('/v1/folders', {
        key: null,
        headers: { authorization, ...from('192.0.2.7') },
      })
      expect([answer.status, answer.body.error.code], authorization).toEqual([401, 'invalid_api_key'])
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })

  it('comes before validation', async () => {
    expect((await app.call('POST', '/v1/folders', { key: null, payload: '{' })).status).toBe(401)
    expect((await app.get('/v1/folders/x?page=0', { key: null })).status).toBe(401)
  })

  it('lets an address fail 30 times a minute, and never refuses a valid key from there', async () => {
    const attempt = (address: string) => app.get('/v1/folders', { key: mintKey(), headers: from(address) })
    for (let i = 0; i < 30; i++) expect((await attempt('192.0.2.1')).status).toBe(401)
    const refused = await attempt('192.0.2.1')
    expect([refused.status, refused.body.error.type, refused.body.error.code]).toEqual([
      429,
      'rate_limit_error',
      'rate_limited',
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await attempt('192.0.2.2')).status).toBe(401)
    expect((await app.get('/v1/folders', { headers: from('192.0.2.1') })).status).toBe(200)
  })

  it('looks up one unknown key a second from an address that has failed too often', async () => {
    let lookUps = 0
    const authenticator = new BearerAuthenticator(async () => {
      lookUps++
      return null
    })
    const attempt = () =>
      authenticator
        .authenticate({ headers: { authorization: `Bearer ${mintKey()}` }, clientNetwork: '192.0.2.9' })
        ?.catch(error => error.status)
    for (let n = 0; n < 30; n++) expect(await attempt()).toBe(401)
    const began = performance.now()
    for (let n = 0; n < 500; n++) expect(await attempt()).toBe(429)
    const seconds = Math.ceil((performance.now() - began) / 1_000)
    expect(lookUps).toBeLessThanOrEqual(30 + 1 + seconds)
  })

  it('asks the authenticators in order, and the first that finds its credential decides', async () => {
    const identity = { countedBy: 'session 7' } as Identity
    const cookies: Authenticator = {
      authenticate: ({ headers }) => (headers.cookie ? Promise.resolve(identity) : null),
    }
    const both = [new BearerAuthenticator(async () => null), cookies]
    const attempt = async (headers: Record<string, string>) =>
      authenticate(both, { headers, clientNetwork: '192.0.2.10' })
    expect(await attempt({ cookie: 'session=7' })).toBe(identity)
    const bad = { authorization: 'Bearer x', cookie: 'session=7' }
    await expect(attempt(bad)).rejects.toMatchObject({ code: 'invalid_api_key' })
    await expect(attempt({})).rejects.toMatchObject({ code: 'missing_api_key' })
  })
})

describe('the rate limit', () => {
  it('is off unless it is configured, and then counts per key', async () => {
    expect((await app.get('/v1/folders')).headers['ratelimit-limit']).toBeUndefined()
    const limited = await testApp({ env: { SIGNOFF_RATE_LIMIT: '5' } })
    const answers = []
    for (let i = 0; i < 7; i++) answers.push(await limited.get('/v1/workspace'))
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(answers.map(answer => answer.headers['ratelimit-remaining'])).toEqual([
      '4',
      '3',
      '2',
      '1',
      '0',
      '0',
      '0',
    ])
    expect(answers[0]!.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-reset': '1' })
    expect(answers[6]!.headers['retry-after']).toBe('1')
    expect((await limited.get('/v1/workspace', { key: limited.other.key })).status).toBe(200)
  })
})
