// Broken and abandoned requests, over real connections.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { pino } from 'pino'
import { generate } from 'selfsigned'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type Answer, publicRoute, type Route } from '#kernel/api/routes.ts'
import { apiError } from '#kernel/base/errors.ts'
import { serveRoutes } from '#test/support/http.ts'

const route = (path: string, handle: () => Promise<Answer>): Route =>
  publicRoute(path, '', { 200: Type.String() }, handle)
const text = (body: Answer['body']): Answer => ({
  status: 200,
  body,
  headers: { 'content-type': 'text/plain' },
})

/** Everything that arrives until the connection is closed. */
async function receivedBy(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return received
}

async function certificate() {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
  })
  return { cert: Buffer.from(cert), key: Buffer.from(key) }
}

describe('an incomplete or broken request', () => {
  it.each([
    ['400', 'Bad Request', 'no HTTP at all\r\n\r\n'],
    ['408', 'Request Timeout', 'GET /x HTTP/1.1\r\nHost: x\r\n'],
  ])('is answered with %s and the headers of every answer', async (status, reason, sent) => {
    const port = await serveRoutes([], { tls: await certificate(), requestTimeout: 200 })
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.write(sent)
    const [head = '', body = ''] = (await receivedBy(socket)).split('\r\n\r\n')
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([
        `HTTP/1.1 ${status} ${reason}`,
        'strict-transport-security: max-age=31536000',
        'x-content-type-options: nosniff',
        'connection: close',
      ]),
    )
    expect(JSON.parse(body).error.type).toBe('invalid_request')
  })

  it('is not answered in the middle of another answer', async () => {
    const endless = new Readable({ read: () => undefined })
    const port = await serveRoutes([route('/endless', async () => text(endless))])
    const socket = connect({ port, host: '127.0.0.1' })
    socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
    const received = receivedBy(socket)
    endless.push('begun')
    await once(socket, 'data')
    socket.write('no HTTP at all\r\n\r\n')
    expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  })
})

describe('a failure', () => {
  it('is logged as an error while the client waits, a refusal as a warning without a stack, and as debug after the client has left', async () => {
    const lines: { level: number; msg: string }[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(chunk))
        done()
      },
    })
    const entered = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const routes = [
      route('/fails', async () => Promise.reject(new Error('at once'))),
      route('/busy', async () => Promise.reject(apiError('unavailable', { message: 'Too busy.' }))),
      route('/fails-late', async () => {
        entered.resolve()
        await gate.promise
        throw new Error('too late')
      }),
    ]
    const port = await serveRoutes(routes, { log: pino({ level: 'debug' }, stream) })
    const failures = () => lines.filter(({ msg }) => msg === 'failed').map(({ level }) => level)
    expect((await fetch(`http://127.0.0.1:${port}/fails`)).status).toBe(500)
    expect(failures()).toEqual([50])
    expect((await fetch(`http://127.0.0.1:${port}/busy`)).status).toBe(503)
    expect(failures()).toEqual([50])
    const [refused] = lines.filter(({ msg }) => msg === 'refused')
    expect(refused).toMatchObject({ level: 40, route: '/busy', reason: 'Too busy.' })
    expect(JSON.stringify(refused)).not.toContain('stack')

    const socket = connect({ port, host: '127.0.0.1' })
    socket.write('GET /fails-late HTTP/1.1\r\nHost: x\r\n\r\n')
    await entered.promise
    const requests = () => lines.filter(({ msg }) => msg === 'request').length
    const before = requests()
    socket.destroy()
    await expect.poll(requests).toBe(before + 1)
    gate.resolve()
    await expect.poll(failures).toEqual([50, 20])
  })
})
