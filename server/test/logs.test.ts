import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { testApp } from './support/app.ts'

it('logs tell each request in one line, and never a key or a body', async () => {
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
