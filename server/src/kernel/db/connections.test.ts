// Connections as clients really use them: broken, silent, closed in the middle, and while the service stops.
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { type App, buildApp } from '#app.ts'
import { createLog } from '#kernel/base/log.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { openPool } from './db.ts'

let app: TestApp
let served: App
beforeEach(async () => {
  app ??= await testApp()
  const db = openPool({ connection: app.connection, size: 2, onError: () => undefined })
  served = buildApp({ parts: app.parts, db, log: createLog('silent') })
  served.open()
  await served.http.listen({ host: '127.0.0.1', port: 0 })
})

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

interface Conversation {
  readonly socket: Socket
  /** Everything that the server has sent so far. */
  readonly received: () => string
}

/** A client that never closes its side. */
async function client(sends = ''): Promise<Conversation> {
  const { port } = served.http.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  socket.on('error', () => undefined)
  await new Promise(done => socket.once('connect', done))
  socket.write(sends)
  return { socket, received: () => text }
}

const openConnections = () =>
  new Promise<number>((resolve, reject) =>
    served.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

it('are closed after bytes that are not HTTP, though the client never closes them', async () => {
  const once = await client('no HTTP at all\r\n\r\n')
  const often = await client('none here either\r\n\r\n')
  for (const { received } of [once, often]) await expect.poll(received).toContain('"malformed_json"')
  often.socket.write('nor here')
  await expect.poll(openConnections).toBe(0)
  await served.http.close()
})

it('are answered as usual while the service stops', async () => {
  let bytesRead = () => 0
  served.http.server.once('connection', socket => {
    bytesRead = () => socket.bytesRead
  })
  const slow = await client(`GET /v1/workspace HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\n`)
  await expect.poll(bytesRead).toBeGreaterThan(0)
  served.retire()
  const closing = served.http.close()
  await expect.poll(() => served.http.server.listening).toBe(false)
  slow.socket.write('\r\n')
  await expect.poll(slow.received).toContain('\r\n\r\n{"data"')
  expect(slow.received()).toMatch(/^HTTP\/1\.1 200 /)
  expect(slow.received()).toMatch(/connection: close/i)
  slow.socket.end()
  await closing
})

it.each(['http://x/v1/workspace', '/%761/workspace'])('forbid caches to store an answer (%s)', async path => {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\n\r\n`
  const { received, socket } = await client(request)
  await expect.poll(received).toContain('{"data"')
  expect(received()).toMatch(/cache-control: no-store/i)
  socket.destroy()
  await served.http.close()
})

it('can have a whole URL as the target', async () => {
  const { received, socket } = await client('DELETE http://x/v1/workspace HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(received).toContain('"method_not_allowed"')
  expect(received()).toMatch(/cache-control: no-store/i)
  socket.destroy()
  await served.http.close()
})

it('with large bodies of two keys of one workspace leave room for other workspaces', async () => {
  const { port } = served.http.server.address() as AddressInfo
  const megabyte = 1024 * 1024
  const second = (await app.post('/v1/api_keys', { name: 'second' })).body.data
  const begin = (key: string) =>
    client(
      `POST /v1/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${21 * megabyte}\r\n\r\n{`,
    )
  const held = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return Number(/^signoff_request_body_bytes (\d+)/m.exec(text)?.[1])
  }
  const slow = [await begin(app.key), await begin(app.key)]
  await expect.poll(held).toBe(42 * megabyte)
  slow.push(await begin(second.key))
  const authorization = `Bearer ${second.key}`
  expect((await fetch(`http://127.0.0.1:${port}/v1/workspace`, { headers: { authorization } })).status).toBe(
    200,
  )
  const answer = await fetch(`http://127.0.0.1:${port}/v1/assets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.other.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ file_base64: 'A'.repeat(2 * megabyte) }),
  })
  expect(answer.status).toBe(422)
  for (const { socket } of slow) socket.destroy()
  await expect.poll(held).toBe(0)
  await served.http.close()
})
