import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { migratedFolder, serve, stop } from '#test/support/processes/process.ts'

it('each request is logged in one line, without keys and bodies', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const app = await testApp({ log: pino({ level: 'debug' }, stream) })
  await app.post('/v1/folders', { name: 'Very secret folder' })
  await app.post('/v1/folders', { name: 7, hush: 'hush-hush' })
  await app.get('/v1/folders?token=secret-token')
  const { body } = await app.post('/v1/api_keys', { api_key: { name: 'x' } })
  await app.get('/v1/folders', { key: body.data.key.replace(/.$/, '!') })
  const requests = lines.map(line => JSON.parse(line)).filter(line => line.msg === 'request')
  expect(requests).toHaveLength(5)
  expect(requests[0]).toMatchObject({
    method: 'POST',
    route: '/v1/folders',
    status: 201,
    request_id: expect.any(String),
    ms: expect.any(Number),
  })
  const text = lines.join('')
  for (const secret of [app.key, body.data.key, 'Very secret', 'hush-hush', 'secret-token', 'sgn_'])
    expect(text).not.toContain(secret)
})

it('a request is logged when its client has left before the answer', async () => {
  const env = { SIGNOFF_DATA_DIR: await migratedFolder(), SIGNOFF_LOG_LEVEL: 'info' }
  const served = await serve({ env })
  try {
    const { port } = new URL(served.url)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const head = `POST /v1/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${served.key}\r\n`
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`)
    await expect.poll(async () => (await fetch(`${served.url}/readyz`)).status).toBe(200)
    socket.destroy()
    await expect.poll(() => served.out() + served.err()).toMatch(/"method":"POST","route":"\/v1\/folders"/)
  } finally {
    await stop(served)
  }
})
