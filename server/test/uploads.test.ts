// Large and slow requests over real connections: their clients get a response, and other requests do not wait for them.
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { afterFile } from './support/after-file.ts'
import { type TestApp, testApp } from './support/app.ts'
import { solidPicture } from './support/pictures.ts'

let app: TestApp
let secondApp: TestApp
let port: number
const env = { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' }
beforeAll(async () => {
  app = await testApp({ env })
  secondApp = await testApp({ env, connection: app.connection })
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (app.http.server.address() as AddressInfo).port
})

interface RawRequest {
  readonly headers: readonly string[]
  readonly body: Buffer
  readonly path?: string
}

/** Like Python's urllib: sends everything, then reads, and asks to close the connection. */
async function sendThenRead({ headers, body, path = '/v1/assets' }: RawRequest): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received = ''
  socket.on('error', reject)
  socket.on('end', () => resolve(received))
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    'Connection: close',
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.pause()
  await new Promise<void>((sent, failed) => socket.write(body, error => (error ? failed(error) : sent())))
  socket.on('data', chunk => {
    received += chunk
    if (received.endsWith('}')) socket.end() // the whole answer
  })
  socket.resume()
  return promise
}

const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'x')
const length = (body: Buffer) => `Content-Length: ${body.length}`
const authorization = () => `Authorization: Bearer ${app.key}`
const chunked = (body: Buffer) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])

describe('a large request that is refused', () => {
  it.each<[string, string, () => RawRequest]>([
    ['401', 'without a key', () => ({ headers: [length(megabytes(20))], body: megabytes(20) })],
    [
      '413',
      'that is too large',
      () => ({ headers: [length(megabytes(30)), authorization()], body: megabytes(30) }),
    ],
    [
      '413',
      'that is too large, in chunks',
      () => ({ headers: ['Transfer-Encoding: chunked', authorization()], body: chunked(megabytes(30)) }),
    ],
    [
      '413',
      'that is too large for its path',
      () => ({ headers: [length(megabytes(5)), authorization()], body: megabytes(5), path: '/v1/folders' }),
    ],
    [
      '404',
      'to nowhere',
      () => ({ headers: [length(megabytes(5))], body: megabytes(5), path: '/v1/nowhere' }),
    ],
  ])('gets its response: %s %s', async (status, _name, raw) => {
    const answer = await sendThenRead(raw())
    expect(answer).toContain(`HTTP/1.1 ${status} `)
    expect(answer).toContain('"error":{')
  })

  it('gets its response in the middle of a body that is longer than the service drains', async () => {
    const headers = [`Content-Length: ${megabytes(1).length * 100}`, authorization()]
    const answer = await sendThenRead({ headers, body: megabytes(50) })
    expect(answer).toContain('HTTP/1.1 413 ')
    expect(answer).toContain('"error":{')
  })
})

describe('a request that arrives too slowly', () => {
  it('gets 408', async () => {
    const appWithTimeout = await testApp({
      env: { SIGNOFF_REQUEST_TIMEOUT_SECONDS: '2' },
      connection: app.connection,
    })
    await appWithTimeout.http.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect({
      port: (appWithTimeout.http.server.address() as AddressInfo).port,
      host: '127.0.0.1',
    })
    let received = ''
    socket.on('data', chunk => {
      received += chunk
    })
    socket.on('error', () => undefined)
    socket.write(`POST /v1/folders HTTP/1.1\r\nHost: x\r\n${authorization()}\r\nContent-Length: 100\r\n`)
    socket.write('Content-Type: application/json\r\n\r\n{"name":')
    await expect.poll(() => received).toContain('HTTP/1.1 408 Request Timeout')
    expect(received).toContain('"code":"request_timeout"')
    socket.destroy()
  })
})

/** A picture server that answers, or sends the body of its answer, only after `open` is called. */
async function slowSource({ answersAtOnce = false } = {}) {
  const picture = await solidPicture(10, 10).png().toBuffer()
  let requestCount = 0
  const gates: (() => void)[] = []
  let isOpen = false
  const server = createServer(async (_request, response) => {
    requestCount++
    response.writeHead(200, { 'content-type': 'image/png' })
    if (answersAtOnce) response.flushHeaders()
    if (!isOpen) await new Promise<void>(resolve => gates.push(resolve))
    response.end(picture)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  afterFile(() => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/picture.png`,
    asked: () => requestCount,
    open() {
      isOpen = true
      for (const release of gates.splice(0)) release()
    },
  }
}

const uploadFrom = (target: TestApp, source_url: string, key: string) =>
  target.post('/v1/assets', { asset: { source_url } }, { key: app.key, headers: { 'idempotency-key': key } })
const assets = async () => (await app.get('/v1/assets')).body.pagination.total_count

describe('slow work under an Idempotency-Key', () => {
  it('holds no database connection', async () => {
    const source = await slowSource()
    const uploads = Array.from({ length: 20 }, (_, n) => uploadFrom(app, source.url, `slow-${n}`))
    await expect.poll(source.asked).toBeGreaterThan(1)
    await expect
      .poll(() => app.db.pg.idleCount === app.db.pg.totalCount && app.db.pg.waitingCount === 0)
      .toBe(true)
    expect((await app.get('/v1/workspace')).status).toBe(200)
    source.open()
    const statuses = (await Promise.all(uploads)).map(answer => answer.status)
    expect(statuses.every(status => status === 201 || status === 503)).toBe(true)
    expect(statuses).toContain(201)
  })

  it('runs once, in one of two processes', async () => {
    const before = await assets()
    const source = await slowSource()
    const uploads = [app, secondApp, app, secondApp].map(target => uploadFrom(target, source.url, 'both'))
    await expect.poll(source.asked).toBe(1)
    await sleep(300) // the other requests now poll for the stored response
    source.open()
    const answers = await Promise.all(uploads)
    expect(answers.map(answer => answer.status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(answer => answer.body.data.id)).size).toBe(1)
    expect(answers.filter(answer => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect([source.asked(), await assets()]).toEqual([1, before + 1])
  })

  it('replays a refusal, and refuses the key for another body', async () => {
    const nowhere = 'http://127.0.0.1:1/none.png'
    const first = await uploadFrom(app, nowhere, 'refused')
    const again = await uploadFrom(app, nowhere, 'refused')
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([422, 422, 'true'])
    const other = await uploadFrom(app, 'http://127.0.0.1:1/other.png', 'refused')
    expect(other.body.error.code).toBe('idempotency_conflict')
  })

  it('is taken over when the lease of the first process has expired', async () => {
    const source = await slowSource()
    const begun = uploadFrom(app, source.url, 'taken over')
    await expect.poll(source.asked).toBe(1)
    // The first process no longer renews its lease: it expires.
    await app.db.query(sql`
      update idempotency_keys set leased_until = now() - interval '1 second' where key = 'taken over'`)
    const second = uploadFrom(secondApp, source.url, 'taken over')
    await expect.poll(source.asked).toBe(2)
    source.open()
    const [lost, won] = await Promise.all([begun, second])
    expect([lost.status, won.status]).toEqual([503, 201])
    const replayed = await uploadFrom(app, source.url, 'taken over')
    expect(replayed.body.data.id).toBe(won.body.data.id)
  })
})

describe('files fetched from a URL', () => {
  const reservedBytes = async () => {
    const text = await app.metrics()
    return Number(/^signoff_request_body_bytes (\d+)$/m.exec(text)?.[1])
  }
  const maxFileBytes = 15 * 1024 * 1024

  it('reserve memory when the host answers, at most two at a time per workspace', async () => {
    await expect.poll(reservedBytes).toBe(0)
    const source = await slowSource({ answersAtOnce: true })
    const add = (key: string) => app.post('/v1/assets', { source_url: source.url }, { key })
    const uploads = [add(app.key), add(app.key), add(app.key)]
    await expect.poll(source.asked).toBe(3)
    await expect.poll(reservedBytes).toBe(2 * maxFileBytes)
    const otherUpload = add(app.other.key)
    await expect.poll(source.asked).toBe(4)
    await expect.poll(reservedBytes).toBe(3 * maxFileBytes)
    source.open()
    const [first, second, waited, other] = (await Promise.all([...uploads, otherUpload])).map(
      answer => answer.status,
    )
    expect([first, second, other]).toEqual([201, 201, 201])
    expect([201, 503]).toContain(waited) // on a slow machine it waits longer than the limit
    await expect.poll(reservedBytes).toBe(0)
  })
})
