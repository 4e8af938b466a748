// Pixels and links of mails are served by the hot path. For the client there must be no difference.
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, buildApp } from '#app.ts'
import { createTracking } from '#features/measurement/tracking/index.ts'
import { pixelGif } from '#features/measurement/tracking/routes.ts'
import { openPool, type Pool, sql } from '#kernel/db/db.ts'
import { createVault } from '#platform/secrets.ts'
import { type TestApp, testApp } from '#test/support/app.ts'

let app: TestApp
let db: Pool
let served: App
let port: number
let pixels: string[]
const lines: string[] = []
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  app = await testApp()
  for (const name of ['ada', 'bob']) {
    const { status } = await app.post('/v1/teammates', { teammate: { email: `${name}@example.com` } })
    expect(status).toBe(201)
  }
  const tracking = createTracking({ publicUrl: '', keys: createVault(app.config) })
  const tracker = await tracking.trackerOf(app.db, app.id)
  if (!tracker) throw new Error('the workspace does not track')
  const source = await tracker.linkSetOf(
    app.db,
    { kind: 'signature', signatureId: app.id },
    { type: 'stack', children: [] },
  )
  const emails = await app.db.query<{ number: number }>(
    sql`select number from emails where workspace_id = ${app.id} order by number`,
  )
  pixels = emails.map(({ number }) => tracker.fillFor(number, source).pixel([]))
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  db = openPool({ connection: app.connection, size: 4, onError: () => undefined })
  served = buildApp({ parts: app.parts, db, log: pino({ level: 'debug' }, stream) })
  served.open()
  await served.http.listen({ host: '127.0.0.1', port: 0 })
  port = (served.http.server.address() as AddressInfo).port
  expect((await send(`${pixels[0]}`)).status).toBe(200)
})
afterAll(async () => {
  agent.destroy()
  await served.http.close()
})

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** All requests use one connection, one after the other. */
const send = (
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ port, path, method, agent, headers }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

const outcomes = async (): Promise<string[]> => {
  const rows = await app.db.query<{ outcome: string }>(sql`select outcome from event_tail order by id`)
  return rows.map(row => row.outcome)
}

it('a view is answered with its picture and all headers of an answer', async () => {
  const { status, headers, body } = await send(`${pixels[0]}`)
  expect(status).toBe(200)
  expect(body).toEqual(pixelGif)
  expect(headers).toMatchObject({
    'content-type': 'image/gif',
    'content-length': String(pixelGif.length),
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'cross-origin',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(headers.connection).not.toBe('close')
  expect((await send(`${pixels[0]}/?x=%zz`)).status).toBe(200)
})

it('a valid X-Request-Id is echoed, an invalid one is replaced', async () => {
  const echoed = async (id: string) =>
    (await send(`${pixels[0]}`, { headers: { 'x-request-id': id } })).headers['x-request-id']
  expect(await echoed('trace-1:a.b')).toBe('trace-1:a.b')
  expect(await echoed('<script>')).toMatch(/^[0-9a-f-]{36}$/)
})

it('HEAD is answered without the picture, and recorded as HEAD', async () => {
  const { status, headers, body } = await send(`${pixels[0]}`, { method: 'HEAD' })
  expect([status, body.length, headers['content-length']]).toEqual([200, 0, String(pixelGif.length)])
  expect(headers['content-type']).toBe('image/gif')
  expect((await outcomes()).at(-1)).toBe('head')
})

it('any body is ignored, and the connection stays usable', async () => {
  const before = (await outcomes()).length
  for (const size of [10, 3_000_000]) {
    const body = Buffer.alloc(size, '{')
    const headers = { 'content-type': 'application/json', 'content-length': String(size) }
    expect((await send(`${pixels[0]}`, { headers, body })).body).toEqual(pixelGif)
  }
  expect((await send(`${pixels[0]}`)).status).toBe(200)
  expect(await outcomes()).toHaveLength(before + 3)
})

it('an unknown token is 404, another method 405, each with the envelope', async () => {
  const headers = { 'x-request-id': 'mine' }
  const unknown = await send(`/o/${'x'.repeat(36)}`, { headers })
  expect(unknown.status).toBe(404)
  expect(unknown.headers).toMatchObject({
    'x-request-id': 'mine',
    'content-type': expect.stringMatching(/json/),
  })
  expect(JSON.parse(unknown.body.toString()).error).toMatchObject({ type: 'not_found', code: 'not_found' })
  const bodiless = await send(`/o/${'x'.repeat(36)}`, { method: 'HEAD', headers })
  expect([bodiless.status, bodiless.body.length]).toEqual([404, 0])
  const posted = await send(`${pixels[0]}`, { method: 'POST', headers })
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
})

it('each request is counted by route and status, and logged without its address', async () => {
  const series = [
    'signoff_http_requests_total{method="GET",route="/o/{token}",status="200"}',
    'signoff_http_requests_total{method="GET",route="/o/{token}",status="404"}',
    'signoff_http_requests_total{method="HEAD",route="/o/{token}",status="200"}',
    'signoff_http_requests_total{method="POST",route="unknown",status="405"}',
    'signoff_http_request_duration_seconds_count{method="GET",route="/o/{token}"}',
    'signoff_tracking_total{kind="view",outcome="counted"}',
    'signoff_tracking_total{kind="view",outcome="bad_token"}',
  ]
  const numbers = async () => {
    const text = (await send('/metrics')).body.toString()
    return series.map(name => Number(text.split(`${name} `)[1]?.split('\n')[0] ?? 0))
  }
  const before = await numbers()
  lines.length = 0
  await send(`${pixels[0]}`)
  await send(`${pixels[0]}`)
  await send(`/o/${'x'.repeat(36)}`)
  await send(`${pixels[0]}`, { method: 'HEAD' })
  await send(`${pixels[0]}`, { method: 'POST' })
  const added = async () => (await numbers()).map((number, index) => number - (before[index] ?? 0))
  await expect.poll(added).toEqual([2, 1, 1, 1, 3, 2, 1])
  const logged = lines.map(line => JSON.parse(line)).filter(line => line.route === '/o/{token}')
  expect(logged.map(({ level, method, status }) => [level, method, status])).toEqual([
    [20, 'GET', 200],
    [20, 'GET', 200],
    [20, 'GET', 404],
    [20, 'HEAD', 200],
  ])
  expect(logged[0]).toMatchObject({ request_id: expect.any(String), ms: expect.any(Number) })
  for (const path of pixels) expect(lines.join('')).not.toContain(path.slice(3))
})

it('while PostgreSQL is away the answer is 503 with the envelope and Retry-After', async () => {
  await db.end()
  const { status, headers, body } = await send(`${pixels[1]}`)
  expect([status, headers['retry-after']]).toEqual([503, '1'])
  expect(JSON.parse(body.toString()).error).toMatchObject({ type: 'api_error', code: 'unavailable' })
  expect(lines.some(line => line.includes('"msg":"failed"'))).toBe(true)
})

it('while the service stops, each answer closes its connection', async () => {
  served.retire()
  const recorded = await send(`${pixels[0]}`)
  expect([recorded.status, recorded.headers.connection]).toEqual([200, 'close'])
  const unknown = await send(`/o/${'x'.repeat(36)}`)
  expect([unknown.status, unknown.headers.connection]).toEqual([404, 'close'])
})
