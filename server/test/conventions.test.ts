import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from './support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

describe('every answer', () => {
  it('has a request id, and echoes a valid one', async () => {
    const response = await app.get('/v1/folders')
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    const sent = { 'x-request-id': 'trace:abc-123_4.5' }
    expect((await app.get('/v1/folders', { headers: sent })).headers['x-request-id']).toBe(
      'trace:abc-123_4.5',
    )
    for (const badId of ['a b', '<script>', 'x'.repeat(129), '']) {
      expect(
        (await app.get('/v1/folders', { headers: { 'x-request-id': badId } })).headers['x-request-id'],
      ).not.toBe(badId)
    }
    expect((await app.get('/nowhere', { headers: sent })).headers['x-request-id']).toBe('trace:abc-123_4.5')
  })

  it('under /v1 has no-store, including errors', async () => {
    for (const path of [
      '/v1/folders',
      '/v1/nothing',
      '/v1/folders/x',
      '/v1/folders/%zz',
      '/v1/openapi.json',
    ]) {
      expect((await app.get(path)).headers['cache-control'], path).toBe('no-store')
    }
  })
})

describe('paths and methods', () => {
  it('that are unknown get 404 route_not_found, with or without a key', async () => {
    for (const path of [
      '/v1',
      '/v1/folder',
      '/v1/folders/x/y',
      '/v2/folders',
      '/v1/%',
      '/v1/folders/%zz',
      `/v1/folders/${'a'.repeat(500)}/b`,
    ]) {
      const answer = await app.get(path, { key: null })
      expect([answer.status, answer.body.error.code], path).toEqual([404, 'route_not_found'])
    }
  })

  it('that do not match get 405 with the allowed methods', async () => {
    const answer = await app.call('PUT', '/v1/folders')
    expect(answer.status).toBe(405)
    expect(answer.body.error).toMatchObject({ type: 'invalid_request', code: 'method_not_allowed' })
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST'])
    expect((await app.call('POST', '/v1/workspace')).headers.allow).toBe('GET, HEAD, PATCH')
    for (const method of ['OPTIONS', 'QUERY', 'PROPFIND', 'TRACE']) {
      expect((await app.call(method, '/v1/folders', { key: null })).status, method).toBe(405)
    }
    const { body: created } = await app.post('/v1/folders', { name: 'x' })
    const single = await app.call('PUT', `/v1/folders/${created.data.id}`)
    expect([single.status, single.headers.allow]).toEqual([405, 'GET, HEAD, PATCH, DELETE'])
  })

  it('with an invalid id, an unknown id, or one of another workspace get 404 not_found', async () => {
    const foreign = await app.post('/v1/folders', { name: 'theirs' }, { key: app.other.key })
    for (const id of [
      '1',
      'x',
      '%00',
      '01a1e0a4-15b9-71f7-98af-f25f4b8294b',
      '01a1e0a4-15b9-71f7-98af-f25f4b8294b4',
      foreign.body.data.id,
      'a'.repeat(300),
    ]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await app.call(
          method,
          `/v1/folders/${id}`,
          method === 'PATCH' ? { body: { name: 'x' } } : {},
        )
        expect([answer.status, answer.body.error.code], `${method} ${id}`).toEqual([404, 'not_found'])
      }
    }
  })

  it('accept ids in any case, and a slash at the end', async () => {
    const created = await app.post('/v1/folders', { name: 'x' })
    expect((await app.get(`/v1/folders/${created.body.data.id.toUpperCase()}`)).body).toEqual(created.body)
    expect((await app.get(`/v1/folders/${created.body.data.id}/`)).status).toBe(200)
  })

  it('answer HEAD like GET, without a body', async () => {
    const answer = await app.call('HEAD', '/v1/folders')
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('bodies', () => {
  const send = (payload: string | Buffer, type: string | undefined) =>
    app.call('POST', '/v1/folders', { payload, headers: { 'content-type': type as string } })

  it('must be application/json', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'nonsense',
      '',
    ]) {
      const answer = await send('{"name":"x"}', type)
      expect([answer.status, answer.body.error.code], type).toEqual([415, 'unsupported_media_type'])
    }
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON;charset=UTF-8',
    ]) {
      expect((await send('{"name":"x"}', type)).status, type).toBe(201)
    }
  })

  it('must be JSON', async () => {
    for (const text of [
      '{',
      '{"name":"x"',
      "{'name':'x'}",
      '{"name":"x"} x',
      'undefined',
      '\ufeff{}',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ]) {
      const answer = await send(text, 'application/json')
      expect([answer.status, answer.body.error.code], String(text)).toEqual([400, 'malformed_json'])
    }
  })

  it('must be an object', async () => {
    for (const text of ['null', '1', '"x"', '[]', 'true']) {
      const answer = await send(text, 'application/json')
      expect(answer.status, text).toBe(422)
      expect(fieldErrors(answer)).toEqual({ folder: 'invalid_type' })
    }
    expect(fieldErrors(await send('', 'application/json'))).toEqual({ name: 'missing' })
    expect(fieldErrors(await app.call('POST', '/v1/folders'))).toEqual({ name: 'missing' })
  })

  it('must not exceed 1 MB', async () => {
    const answer = await send(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 'application/json')
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large'])
  })

  it('are ignored by routes without a body', async () => {
    for (const [payload, type] of [
      ['{', 'application/json'],
      ['<x/>', 'text/xml'],
      ['{"a":1}', 'application/json'],
      ['{"a":1}', ';'],
      ['x'.repeat(2_000_000), 'application/octet-stream'],
    ]) {
      const { body } = await app.post('/v1/folders', { name: 'x' })
      const answer = await app.call('DELETE', `/v1/folders/${body.data.id}`, {
        payload: payload!,
        headers: { 'content-type': type! },
      })
      expect(answer.status).toBe(204)
    }
  })

  it('get an error with every problem, at most 50', async () => {
    const manyProperties = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`p${i}`, i]))
    const { body } = await app.post('/v1/folders', { folder: manyProperties })
    expect(body.details).toHaveLength(50)
    expect(body.error.message).toContain('and 80 more')
  })
})

describe('queries', () => {
  it('ignore unknown parameters and validate known ones', async () => {
    expect((await app.get('/v1/folders?colour=red&page=1')).status).toBe(200)
    for (const [query, expected] of Object.entries({
      'page=0': { page: 'out_of_range' },
      'page=-1': { page: 'out_of_range' },
      'page=abc': { page: 'invalid_type' },
      'page=': { page: 'invalid_type' },
      'page=1.5': { page: 'invalid_type' },
      'page=1e400': { page: 'invalid_type' },
      [`page=${'9'.repeat(30)}`]: { page: 'invalid_type' },
      'limit=0': { limit: 'out_of_range' },
      'limit=101': { limit: 'out_of_range' },
      'limit=abc': { limit: 'invalid_type' },
      'limit=1&limit=2': { limit: 'invalid_type' },
      'page=0&limit=101': { page: 'out_of_range', limit: 'out_of_range' },
    })) {
      const answer = await app.get(`/v1/folders?${query}`)
      expect(answer.status, query).toBe(422)
      expect(fieldErrors(answer), query).toEqual(expected)
    }
  })

  it('return an empty page beyond the end', async () => {
    for (const page of [2, 1_000, 1_000_000]) {
      const { status, body } = await app.get(`/v1/folders?page=${page}&limit=100`)
      expect(status).toBe(200)
      expect(body.data).toEqual([])
      expect(body.pagination).toMatchObject({ page, limit: 100, has_more: false })
    }
    const none = await app.get('/v1/integrations')
    expect(none.body.pagination).toEqual({
      page: 1,
      limit: 50,
      total_count: 0,
      total_pages: 0,
      has_more: false,
    })
  })
})

describe('routes without a key', () => {
  it('answer without a key', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/metrics',
      '/v1/openapi.json',
      '/docs',
      '/docs/js/scalar.js',
    ]) {
      expect((await app.get(path, { key: null })).status, path).toBe(200)
    }
  })

  it('include a page for people at /, whose links all work', async () => {
    const page = await app.get('/', { key: null })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Open your set-up link')
    expect(page.text).toContain('npx signoff setup-link')
    const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path)
    expect(links.length).toBeGreaterThan(2)
    for (const path of links) expect((await app.get(path, { key: null })).status, path).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  })

  it('return metrics of requests, connections and jobs', async () => {
    await app.get('/v1/folders/x')
    const text = await app.metrics()
    expect(text).toMatch(
      /signoff_http_requests_total\{method="GET",route="\/v1\/folders\/\{id\}",status="404"\} \d+/,
    )
    expect(text).toMatch(
      /signoff_http_request_duration_seconds_bucket\{le="0.001",method="GET",route="\/v1\/folders"\}/,
    )
    expect(text).toMatch(/signoff_database_connections\{state="open"\} \d+/)
    expect(text).toMatch(/signoff_jobs\{state="waiting"\} \d+/)
  })

  it('serve the API reference without loading anything from other hosts', async () => {
    const page = await app.get('/docs', { key: null })
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.text).toContain('/v1/openapi.json')
    expect(page.text.match(/(src|href)="https?:/g)).toBeNull()
    expect(page.headers['content-security-policy']).toContain("default-src 'self'; script-src 'self'; ")
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.headers['x-frame-options']).toBe('DENY')
    expect(page.text).not.toMatch(/<script[^>]*>[^<]/)
  })

  it('serve the scripts of the reference compressed and cacheable forever', async () => {
    const page = await app.get('/docs', { key: null })
    const [scriptPath] = /\/docs\/js\/scalar-[0-9a-f]{16}\.js/.exec(page.text) ?? []
    const get = (encoding: string, more = {}) =>
      app.get(String(scriptPath), { key: null, headers: { 'accept-encoding': encoding, ...more } })
    const uncompressed = await get('identity')
    expect(uncompressed.bytes.length).toBeGreaterThan(1_000_000)
    for (const [sent, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const answer = await get(sent)
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([encoding, 'accept-encoding'])
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(unpack(answer.bytes).equals(uncompressed.bytes)).toBe(true)
    }
    const again = await get('br', { 'if-none-match': uncompressed.headers.etag })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect((await app.get('/docs/js/scalar-0000000000000000.js', { key: null })).status).toBe(404)
  })

  it('send nosniff on every response, and HSTS only where the public URL is https', async () => {
    for (const path of ['/v1/workspace', '/v1/nowhere', '/docs', '/healthz', '/c/x', '/'])
      expect((await app.get(path)).headers['x-content-type-options'], path).toBe('nosniff')
    expect((await app.get('/v1/workspace')).headers['strict-transport-security']).toBeUndefined()
    const secure = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'https://sign.example.com' } })
    const { headers } = await secure.get('/sign-in', { key: null })
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })
})
