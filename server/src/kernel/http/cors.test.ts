import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'

const origin = 'https://app.example.com'
let app: TestApp
let closed: TestApp
beforeAll(async () => {
  closed = await testApp()
  app = await testApp({
    env: { SIGNOFF_CORS_ORIGINS: `${origin}, http://localhost:5173` },
    connection: closed.connection,
  })
})

const corsHeaders = (headers: Record<string, string>) =>
  Object.keys(headers).filter(name => name.startsWith('access-control-'))

describe('a web page of a listed origin', () => {
  it('may send every kind of request', async () => {
    const { status, headers } = await app.call(
      'OPTIONS',
      '/v1/folders/0190a1b2-0000-7000-8000-000000000001',
      {
        key: null,
        headers: { origin, 'access-control-request-method': 'PATCH' },
      },
    )
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([204, origin, 'Origin'])
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, PATCH, DELETE')
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'])
      expect(headers['access-control-allow-headers']?.split(', ')).toContain(name)
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('may read answers and their headers, errors included', async () => {
    const paths = ['/v1/folders', '/v1/folders?page=0', '/v1/nowhere', '/v1/openapi.json']
    for (const path of paths) {
      const { headers } = await app.get(path, { headers: { origin } })
      expect(headers['access-control-allow-origin'], path).toBe(origin)
      expect(headers.vary?.split(', '), path).toContain('Origin')
      for (const name of ['ETag', 'Location', 'Retry-After', 'X-Request-Id'])
        expect(headers['access-control-expose-headers']?.split(', '), path).toContain(name)
    }
    const unauthorized = await app.get('/v1/folders', { key: null, headers: { origin } })
    expect([unauthorized.status, unauthorized.headers['access-control-allow-origin']]).toEqual([401, origin])
  })
})

describe('a web page of another origin', () => {
  it.each(['https://app.example.com.evil.test', 'http://app.example.com', 'null', '*'])(
    '%s is not allowed to read anything',
    async other => {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await app.call(method, '/v1/folders', { headers: { origin: other } })
        expect(headers['access-control-allow-origin'], method).toBeUndefined()
        expect(headers.vary).toBe('Origin')
      }
    },
  )

  it('may call pages outside the API as before', async () => {
    const { headers } = await app.get('/', { headers: { origin } })
    expect(corsHeaders(headers)).toEqual([])
    const beacon = await app.call('OPTIONS', '/tracking/events', { headers: { origin } })
    expect(beacon.headers['access-control-allow-origin']).toBe('*')
  })
})

it('without the setting, the API answers no preflight', async () => {
  const preflight = await closed.call('OPTIONS', '/v1/folders', { headers: { origin } })
  expect([preflight.status, corsHeaders(preflight.headers)]).toEqual([405, []])
  const { headers } = await closed.get('/v1/folders', { headers: { origin } })
  expect([corsHeaders(headers), headers.vary]).toEqual([[], undefined])
})
