// Which targets a request to an address of a user can reach.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiError } from '#kernel/base/errors.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { fetchFile, solidPicture } from '#test/support/pictures.ts'
import { createAddressCheck, createPublicFetch, type PublicRequest } from './public-fetch.ts'

const servers: Server[] = []
async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server)
  await new Promise<void>(ready => server.listen(0, host, ready))
  return (server.address() as AddressInfo).port
}
afterAll(() => {
  for (const server of servers) {
    server.close()
    ;(server as unknown as { closeAllConnections(): void }).closeAllConnections()
  }
})

/** The server of these tests records all requests. */
const received: IncomingMessage[] = []
let connections = 0
let picture: Buffer
let port: number
const routes: Record<string, RequestListener> = {
  '/logo%20one.png': (_, answer) => answer.end(picture),
  '/text': (_, answer) => answer.end('hello'),
  '/gone': (_, answer) => answer.writeHead(404).end('nothing here'),
  '/packed': (_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(picture)),
  '/lying-length': (_, answer) => {
    answer.writeHead(200, { 'content-length': '100' })
    answer.write(Buffer.alloc(50), () => answer.destroy())
  },
  '/endless': (_, answer) => {
    const writeMore = () => {
      while (!answer.destroyed && answer.write(Buffer.alloc(65_536)));
    }
    answer.on('drain', writeMore)
    writeMore()
  },
  '/announced': (_, answer) => answer.writeHead(200, { 'content-length': String(2 ** 40) }).write('x'),
  '/silent': () => undefined,
  '/dripping': (_, answer) => {
    const timer = setInterval(() => answer.write('x'), 50)
    answer.on('close', () => clearInterval(timer))
  },
  '/early-hints': (_, answer) => {
    for (let n = 0; n < 10; n++) answer.writeEarlyHints({ link: '</a.css>; rel=preload' })
    answer.end('hello')
  },
  '/only-hints': ({ socket }) => {
    const writeMore = () => {
      while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)));
    }
    socket.on('drain', writeMore)
    writeMore()
  },
  '/cookie': (_, answer) =>
    answer.writeHead(302, { location: '/text', 'set-cookie': 'a=b' }).end('x'.repeat(100_000)),
}
const testServer: RequestListener = (request, answer) => {
  received.push(request)
  const url = new URL(request.url ?? '', 'http://x')
  const to = url.searchParams.get('to')
  const hops = Number(url.searchParams.get('hops') ?? 'NaN')
  if (to !== null) answer.writeHead(302, { location: to }).end()
  else if (hops > 0) answer.writeHead(307, { location: `/hop?hops=${hops - 1}` }).end()
  else (routes[url.pathname] ?? routes['/text'])!(request, answer)
}

beforeAll(async () => {
  picture = await solidPicture(30, 20).png().toBuffer()
  const server = createServer(testServer)
  server.on('connection', () => connections++)
  port = await listen(server)
})

const request: PublicRequest = { redirects: 5, maxBytes: 1_000_000, milliseconds: 100_000 }
const fetchLocal = createPublicFetch({ privateTargets: ['127.0.0.1'] })
const at = (path: string) => `http://127.0.0.1:${port}${path}`
const text = async (url: string, options: Partial<PublicRequest> = {}, fetch = fetchLocal) => {
  const answer = await fetch(url, { ...request, ...options })
  return answer.ok ? `${answer.status} ${answer.bytes}` : answer.problem
}

describe('a connection', () => {
  const onlyStatus = { redirects: 0, maxBytes: 'none' } as const
  const requests = async (fetch: ReturnType<typeof createPublicFetch>, ...paths: string[]) => {
    const before = connections
    const answers: string[] = []
    for (const path of paths) answers.push(await text(at(path), onlyStatus, fetch))
    return { answers, opened: connections - before }
  }

  it('is used for one request', async () => {
    expect(await requests(fetchLocal, '/text', '/text')).toEqual({ answers: ['200 ', '200 '], opened: 2 })
  })

  it('that is kept is used again, and closed after its number of requests', async () => {
    const publicFetch = createPublicFetch({ privateTargets: ['127.0.0.1'], keptRequests: 3 })
    const { answers, opened } = await requests(publicFetch, '/text', '/gone', '/text', '/text')
    expect([answers, opened]).toEqual([['200 ', '404 ', '200 ', '200 '], 2])
  })

  it('that is kept is not used again after a body that is too long or does not end', async () => {
    const publicFetch = createPublicFetch({ privateTargets: ['127.0.0.1'], keptRequests: 100 })
    const { answers, opened } = await requests(publicFetch, '/endless', '/announced', '/dripping', '/text')
    expect([answers, opened]).toEqual([['200 ', '200 ', '200 ', '200 '], 4])
  })

  it('that is kept was checked like any other', async () => {
    const publicFetch = createPublicFetch({ privateTargets: null, keptRequests: 100 })
    expect(await text(at('/text'), onlyStatus, publicFetch)).toBe('is not an address on the public internet')
    const rebound = createPublicFetch({
      privateTargets: null,
      keptRequests: 100,
      resolve: async () => ['127.0.0.1'],
    })
    expect(await text(`http://rebound.example:${port}/text`, onlyStatus, rebound)).toBe(
      'names a host that was not found on the public internet',
    )
  })
})

describe('an IP address', () => {
  const isReachable = createAddressCheck([])
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.215.14',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is public', address => {
    expect(isReachable(address)).toBe(true)
  })

  it.each([
    ['0.0.0.0', '0.1.2.3', '::'],
    ['127.0.0.1', '127.255.255.254', '::1'],
    ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
    ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0'],
    ['100.64.0.1', '100.127.255.255'],
    ['224.0.0.1', '239.255.255.255', 'ff02::1', '255.255.255.255'],
    ['192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '240.0.0.1'],
    ['2001:db8::1', '3fff::1', '2001:2::1', '100::1', '5f00::1', '2001:10::1'],
    ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:0:127.0.0.1'],
    ['::127.0.0.1', '::7f00:1', '::a00:1'],
    ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b:1::808:808'],
    ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1', '2001:0:1::1', '2001::7f00:1'],
    ['4000::1', '1234::1', 'x', '', '127.0.0.1.evil'],
  ])('%s and similar addresses are not public', (...addresses) => {
    for (const address of addresses) expect(isReachable(address), address).toBe(false)
  })

  it('of a private network is allowed if the operator configured it, in every notation', () => {
    const isAllowed = createAddressCheck(['10.1.0.0/16', '127.0.0.1', 'fd00::/8'])
    for (const address of ['10.1.2.3', '127.0.0.1', '::ffff:127.0.0.1', 'fd00::1', '8.8.8.8'])
      expect(isAllowed(address), address).toBe(true)
    for (const address of ['10.2.0.1', '127.0.0.2', '::1', 'fe80::1', '192.168.0.1', '169.254.169.254'])
      expect(isAllowed(address), address).toBe(false)
  })

  it('inside an IPv6 address is checked like the IPv4 address itself', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), ([a, b, c, d]) => {
        const address = `${a}.${b}.${c}.${d}`
        const isPublic = isReachable(address)
        const [high, low] = [a * 256 + b, c * 256 + d].map(part => part.toString(16))
        expect(isReachable(`::ffff:${address}`)).toBe(isPublic)
        expect(isReachable(`::ffff:${high}:${low}`)).toBe(isPublic)
        expect(isReachable(`64:ff9b::${high}:${low}`)).toBe(isPublic)
        for (const form of [`::${high}:${low}`, `2002:${high}:${low}::1`, `64:ff9b:1::${high}:${low}`])
          expect(isReachable(form), form).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is public only if the registers of special addresses do not list it', () => {
    // Compared with a second list of the ranges, from the IANA registers.
    const special = [
      '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24',
      '192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
    ]
      .join(' ')
      .split(' ')
      .map(range => ipaddr.IPv4.parseCIDR(range))
    const near = fc
      .tuple(fc.constantFrom(...special), fc.integer({ min: -3, max: 3 }), fc.boolean())
      .map(([[network, bits], offset, atEnd]) => {
        const start = network.octets.reduce((sum, octet) => sum * 256 + octet, 0)
        const value = start + (atEnd ? 2 ** (32 - bits) - 1 : 0) + offset
        return Math.min(Math.max(value, 0), 2 ** 32 - 1)
      })
    const number = fc.oneof(near, fc.integer({ min: 0, max: 2 ** 32 - 1 }))
    fc.assert(
      fc.property(number, value => {
        const address = ipaddr.fromByteArray(
          [24, 16, 8, 0].map(shift => (value >>> shift) & 255),
        ) as ipaddr.IPv4
        expect(isReachable(address.toString()), address.toString()).toBe(
          !special.some(range => address.match(range)),
        )
      }),
      { numRuns: 3_000 },
    )
  })
})

/** Addresses of this machine, or of targets that only this machine can see. */
const privateUrls = () => [
  `http://127.0.0.1:${port}/`,
  `http://127.1:${port}/`,
  `http://2130706433:${port}/`,
  `http://0x7f000001:${port}/`,
  `http://0x7f.0.0.1:${port}/`,
  `http://017700000001:${port}/`,
  `http://0177.0.0.01:${port}/`,
  `http://①②⑦.⓪.⓪.①:${port}/`,
  `http://127。0。0。1:${port}/`,
  `http://0:${port}/`,
  `http://0.0.0.0:${port}/`,
  `http://[::1]:${port}/`,
  `http://[::]:${port}/`,
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://[::ffff:7f00:1]:${port}/`,
  `http://[::127.0.0.1]:${port}/`,
  `http://[64:ff9b::127.0.0.1]:${port}/`,
  `http://[2002:7f00:1::]:${port}/`,
  `http://localhost:${port}/`,
  `http://LOCALHOST.:${port}/`,
  `https://localhost:${port}/`,
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1]/',
  'http://10.0.0.1/',
  'http://no-such-name.invalid/',
]

const notPublic = 'is not an address on the public internet'
const hostNotFound = 'names a host that was not found on the public internet'

describe('a request', () => {
  it('never reaches a private address, in any notation', async () => {
    const fetch = createPublicFetch({ privateTargets: null })
    const before = connections
    for (const url of privateUrls())
      expect([notPublic, hostNotFound], url).toContain(await text(url, {}, fetch))
    expect(connections).toBe(before)
  })

  it('never reaches a private address through a redirect', async () => {
    const other = await listen(createServer(testServer), '127.0.0.2').catch(() => port)
    for (const to of [
      `http://127.0.0.2:${other}/`,
      `http://[::1]:${port}/`,
      `//10.0.0.1/`,
      'http://0xa9fea9fe/latest',
      `http://2130706434:${other}/`,
    ]) {
      const problem = await text(at(`/?to=${encodeURIComponent(to)}`))
      expect(problem, to).toBe('leads on to one that is not an address on the public internet')
    }
    for (const to of [
      'file:///etc/passwd',
      'ftp://example.com/',
      'gopher://127.0.0.1/',
      'data:text/plain,x',
      'javascript:1',
    ])
      expect(await text(at(`/?to=${encodeURIComponent(to)}`)), to).toBe(
        'leads on to one that must begin with http:// or https://',
      )
    expect(await text(at(`/?to=${encodeURIComponent('http://user:pw@127.0.0.1/')}`))).toContain('user name')
  })

  it('connects to the address that was checked, even if DNS answers differently later', async () => {
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2']
    const lookups: string[] = []
    const resolve = async (name: string) => {
      lookups.push(name)
      return [answers[lookups.length - 1] ?? '127.0.0.2']
    }
    const fetch = createPublicFetch({ privateTargets: ['127.0.0.1'], resolve })
    expect(await text(`http://rebinding.test:${port}/text`, {}, fetch)).toBe('200 hello')
    expect(lookups).toEqual(['rebinding.test'])
    expect(await text(`http://rebinding.test:${port}/text`, {}, fetch)).toBe(hostNotFound)
    lookups.length = 0
    const second = await listen(createServer(testServer))
    const to = encodeURIComponent(`http://rebinding.test:${second}/text`)
    expect(await text(`http://rebinding.test:${port}/?to=${to}`, {}, fetch)).toBe(hostNotFound)
  })

  it('is not sent if any address of a name is private, or the name has no address', async () => {
    for (const answer of [['127.0.0.1', '10.0.0.1'], ['10.0.0.1', '127.0.0.1'], [], ['nonsense']]) {
      const fetch = createPublicFetch({ privateTargets: ['127.0.0.1'], resolve: async () => answer })
      expect(await text(`http://mixed.test:${port}/text`, {}, fetch)).toBe(hostNotFound)
    }
    const fetch = createPublicFetch({
      privateTargets: ['127.0.0.1'],
      resolve: async () => ['127.0.0.1', '127.0.0.1'],
    })
    expect(await text(`http://twice.test:${port}/text`, {}, fetch)).toBe('200 hello')
  })

  it('over https is checked in the same way, and needs a trusted certificate', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'tls.test' }], {
      keyType: 'ec',
    })
    const tls = await listen(createTlsServer({ key, cert }, testServer))
    const refused = createPublicFetch({ privateTargets: null, resolve: async () => ['127.0.0.1'] })
    const before = received.length
    expect(await text(`https://tls.test:${tls}/text`, {}, refused)).toBe(hostNotFound)
    const untrusted = createPublicFetch({ privateTargets: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] })
    expect(await text(`https://tls.test:${tls}/text`, {}, untrusted)).toBe('cannot be reached')
    expect(received.length).toBe(before)
  })

  it.each([
    ['nonsense', 'is not a web address'],
    ['/relative', 'is not a web address'],
    ['http://', 'is not a web address'],
    ['http://example.com/a\nb', 'is not a web address'],
    ['http://exam\tple.com/', 'is not a web address'],
    ['file:///etc/passwd', 'must begin with http:// or https://'],
    ['ftp://example.com/x.png', 'must begin with http:// or https://'],
    ['data:image/png;base64,AAAA', 'must begin with http:// or https://'],
    ['http://user:secret@example.com/', 'must not hold a user name or a password'],
    ['http://user@example.com/', 'must not hold a user name or a password'],
  ])('to %s is refused: it %s', async (url, problem) => {
    expect(await text(url)).toBe(problem)
  })

  it('follows at most five redirects', async () => {
    expect(await text(at('/hop?hops=5'))).toBe('200 hello')
    expect(await text(at('/hop?hops=6'))).toBe('redirects more than 5 times')
    expect(await text(at('/hop?hops=1'), { redirects: 0 })).toBe('redirects more than 0 times')
  })

  it('sends no cookies and no credentials, and asks for uncompressed bytes', async () => {
    received.length = 0
    expect(await text(at('/cookie'))).toBe('200 hello')
    expect(received).toHaveLength(2)
    for (const { headers } of received) {
      expect(headers).toMatchObject({ 'user-agent': 'Signoff', 'accept-encoding': 'identity' })
      expect(Object.keys(headers).sort()).toEqual(['accept-encoding', 'connection', 'host', 'user-agent'])
    }
  })

  it('does not decompress the answer', async () => {
    const answer = await fetchLocal(at('/packed'), request)
    expect(answer).toMatchObject({ ok: true, bytes: gzipSync(picture) })
  })

  it('reads no more bytes and takes no more time than allowed', async () => {
    const startedAt = performance.now()
    expect(await text(at('/endless'), { maxBytes: 2 * 1024 * 1024 })).toBe('gives more than 2 MB')
    expect(await text(at('/announced'))).toBe('gives more than 976 KB')
    for (const path of ['/silent', '/dripping'])
      expect(await text(at(path), { milliseconds: 300 }), path).toBe('gave no full answer within 0.3 seconds')
    const stuck = createPublicFetch({ privateTargets: null, resolve: () => new Promise(() => undefined) })
    expect(await text('http://slow-name.test/', { milliseconds: 300 }, stuck)).toContain('within 0.3 seconds')
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  it('ends when the server sends informational answers and no real one', async () => {
    expect(await text(at('/early-hints'))).toBe('200 hello')
    expect(await text(at('/only-hints'))).toBe('cannot be reached')
  })

  it('says how long the answer is before it reads it, and reads nothing when it is refused', async () => {
    const announced: (number | undefined)[] = []
    const beforeBody = async (bytes: number | undefined) => announced.push(bytes)
    for (const path of ['/text', '/hop?hops=2', '/cookie']) await text(at(path), { beforeBody })
    await text(at('/endless'), { beforeBody, maxBytes: 100_000 })
    expect(announced).toEqual([5, 5, 5, undefined])
    const refusal = apiError('unavailable')
    await expect(text(at('/text'), { beforeBody: () => Promise.reject(refusal) })).rejects.toBe(refusal)
  })

  it('does not reveal why there was no answer', async () => {
    const closedPort = await listen(createServer())
    await new Promise(done => servers.pop()!.close(done))
    expect(await text(`http://127.0.0.1:${closedPort}/`)).toBe('cannot be reached')
    expect(await text(at('/lying-length'))).toBe('cannot be reached')
  })

  it('can have a body', async () => {
    const requests: string[] = []
    const sink = await listen(
      createServer(async (incoming, answer) => {
        let body = ''
        for await (const chunk of incoming) body += chunk
        requests.push(`${incoming.method} ${incoming.headers['content-type']} ${body}`)
        answer.writeHead(202).end('thanks')
      }),
    )
    const sent = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } } as const
    expect(await text(`http://127.0.0.1:${sink}/`, sent)).toBe('202 thanks')
    expect(requests).toEqual(['POST application/json {"a":1}'])
  })
})

describe('source_url', () => {
  let app: TestApp
  let open: TestApp
  beforeAll(async () => {
    app = await testApp()
    open = await testApp({ connection: app.connection, env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  })
  const add = (to: TestApp, source_url: string, fields: object = {}) =>
    to.post('/v1/assets', { asset: { source_url, ...fields } })

  it('creates an asset from the image, named after the address', async () => {
    const created = await add(open, at('/logo%20one.png?size=2'), { role: 'company_logo' })
    expect(created.status).toBe(201)
    expect(created.body.data).toMatchObject({
      name: 'logo one',
      filename: 'logo one.png',
      width: 30,
      height: 20,
    })
    expect((await fetchFile(open, created.body.data.url)).status).toBe(200)
    const named = await add(open, at('/logo%20one.png'), { name: 'Logo', filename: 'other.png' })
    expect(named.body.data).toMatchObject({ name: 'Logo', filename: 'other.png' })
    const redirected = await add(open, at(`/?to=${encodeURIComponent('/logo%20one.png')}`))
    expect(redirected.body.data.filename).toBe('logo one.png')
  })

  it('is refused with the same message, no matter what is behind a private address', async () => {
    const before = received.length
    const answers = await Promise.all(
      [at('/logo%20one.png'), at('/gone'), 'http://10.0.0.1/'].map(url => add(app, url)),
    )
    expect(new Set(answers.map(answer => JSON.stringify(answer.body))).size).toBe(1)
    expect([answers[0]!.status, fieldErrors(answers[0]!)]).toEqual([422, { source_url: 'invalid' }])
    expect(answers[0]!.body.error.message).toBe('source_url is not an address on the public internet')
    const names = await Promise.all(
      [`http://localhost:${port}/text`, 'http://localhost:1/', 'http://no-such-name.invalid/'].map(url =>
        add(app, url),
      ),
    )
    expect(new Set(names.map(answer => JSON.stringify(answer.body))).size).toBe(1)
    expect(names[0]!.body.error.message).toBe(`source_url ${hostNotFound}`)
    expect(received.length).toBe(before)
  })

  it('of a host that does not answer holds no memory', async () => {
    const gate = Promise.withResolvers<void>()
    routes['/gated'] = (_, answer) => void gate.promise.then(() => answer.end(picture))
    const before = received.length
    const waiting = Array.from({ length: 8 }, () => add(open, at('/gated')))
    await expect.poll(() => received.length).toBe(before + 8)
    expect(await open.metrics()).toContain('signoff_request_body_bytes 0\n')
    gate.resolve()
    for (const { status, text } of await Promise.all(waiting)) expect(status, text).toBe(201)
  })

  it('is named as the field with the error when the answer is not usable', async () => {
    for (const [path, message, code = 'invalid'] of [
      ['/text', 'source_url is not a PNG, JPEG, GIF, WebP or SVG image'],
      ['/gone', 'source_url was answered with status 404, not 200'],
      ['/packed', 'source_url is not a PNG, JPEG, GIF, WebP or SVG image'],
      ['/endless', 'source_url gives more than 15 MB', 'out_of_range'],
    ] as const) {
      const answer = await add(open, at(path))
      expect([answer.status, answer.body.error.message], path).toEqual([422, message])
      expect(fieldErrors(answer)).toEqual({ source_url: code })
    }
    expect(fieldErrors(await add(open, 'not an address'))).toEqual({ source_url: 'invalid' })
    expect(fieldErrors(await add(open, at('/text'), { filename: '..' }))).toEqual({ filename: 'invalid' })
  })
})
