import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'
import { beforeAll, describe, expect, it } from 'vitest'
import { afterFile } from '#test/support/after-file.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { pixels, solidPicture, svg } from '#test/support/pictures.ts'
import { stack } from '#test/support/signatures.ts'

let app: TestApp
let origin: string
const requests: string[] = []

/** A server on the public internet: the app may reach its address and trusts its certificate. */
beforeAll(async () => {
  const png = await solidPicture(200, 100, '#cc3344').png().toBuffer()
  const bomb = await solidPicture(6_000, 6_000).png().toBuffer()
  const answers: Record<string, Buffer> = {
    '/logo.png': png,
    '/huge.png': bomb,
    '/drawing.svg': svg('width="200" height="100"'),
    '/page.html': Buffer.from('<script>1</script>'),
    '/long.png': Buffer.concat([png, Buffer.alloc(3 * 1024 * 1024)]),
  }
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, cert])
  afterFile(() => setDefaultCACertificates(trusted))
  const server = createServer({ cert, key }, (request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    if (path === '/never.png') return
    if (path === '/moved.png') return response.writeHead(302, { location: '/logo.png' }).end()
    const body = answers[path]
    return body
      ? response.writeHead(200, { 'content-type': 'image/png' }).end(body)
      : response.writeHead(404).end()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  app = await testApp({ draws: true, env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
})

const draw = (path: string, to = app) => {
  const image = { type: 'image', src: `${origin}${path}`, width: 200, height: 100, alt: 'Logo' }
  return to.post('/v1/content/preview.png', { content: stack(image) })
}
const warnings = 'x-signoff-warnings'
const red = [204, 51, 68, 255]

describe('a picture that content names by src', () => {
  it('is in the picture of a preview, also behind a redirect, and is then cached', async () => {
    for (const path of ['/logo.png', '/moved.png']) {
      // On a slow machine the first answer can take longer than the limit.
      await expect.poll(async () => (await draw(path)).headers[warnings], { interval: 1_000 }).toBeUndefined()
      const before = requests.length
      const answer = await draw(path)
      expect([answer.status, answer.headers[warnings], requests.length]).toEqual([200, undefined, before])
      expect((await pixels(answer.bytes)).at(100, 100)).toEqual(red)
    }
  })

  it('is missing when its server gives no picture, one that is too large, or no answer', {
    tags: ['deep'],
  }, async () => {
    for (const path of ['/gone.png', '/page.html', '/drawing.svg', '/huge.png', '/long.png', '/never.png']) {
      const answer = await draw(path)
      expect([path, answer.status, answer.headers[warnings]]).toEqual([path, 200, 'missing_picture;count=1'])
    }
  })

  it('is not fetched from a private address', async () => {
    const closed = await testApp({ connection: app.connection, draws: true })
    const before = requests.length
    const answer = await closed.post(
      '/v1/content/preview.png',
      { content: stack({ type: 'image', src: `${origin}/logo.png`, width: 20, height: 10, alt: '' }) },
      { key: closed.key },
    )
    expect([answer.status, answer.headers[warnings]]).toEqual([200, 'missing_picture;count=1'])
    expect(requests).toHaveLength(before)
  })
})
