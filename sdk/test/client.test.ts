import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  Signoff,
  SignoffError,
  TimeoutError,
  ValidationError,
} from '@signoff/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/support/app.ts'
import { dotPng } from './support/files.ts'
import { forward, listen, startServer } from './support/listen.ts'

let app: TestApp
let url: string
let signoff: Signoff
beforeAll(async () => {
  app = await testApp()
  url = await listen(app)
  signoff = new Signoff({ url, key: app.key })
})

/** A client whose requests get these answers, one after another, and the requests. */
function answering(...answers: (() => Response)[]) {
  const requests: { url: string; init: RequestInit }[] = []
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    requests.push({ url: String(input), init })
    return (answers[requests.length - 1] ?? answers.at(-1))?.() as Response
  }
  return { requests, fetch }
}
const refusal =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error: { type: 'api_error', code: 'unavailable', message: 'No.' } }, { status, headers })
const success = () => Response.json({ data: { id: 'x' } })

describe('an answer', () => {
  it('is its data; raw() has status, headers and the whole body, from the same request', async () => {
    const { fetch, requests } = answering(() =>
      Response.json({ data: { id: 'x' }, warnings: ['w'] }, { status: 200 }),
    )
    const call = new Signoff({ url, key: 'k', fetch }).signatures.publish('x')
    expect(await call).toEqual({ id: 'x' })
    const { status, body, headers } = await call.raw()
    expect([status, body.warnings, headers.get('content-type')]).toEqual([200, ['w'], 'application/json'])
    expect(requests).toHaveLength(1)
  })

  it('names what had no effect, beside the data', async () => {
    const params = { nonsense: 'x' } as object
    const { body } = await signoff.folders.list(params).raw()
    expect(body.ignored).toEqual([{ field: 'nonsense', code: 'unknown_parameter' }])
    expect(body.pagination.page).toBe(1)
  })

  it('that is a table is a Response', async () => {
    const response = await signoff.analytics.export({ start_date: '2026-01-01', end_date: '2026-01-31' })
    expect(response.headers.get('content-type')).toContain('text/csv')
    expect(await response.text()).toContain(',')
  })

  it('without a body is undefined', async () => {
    const { id } = await signoff.folders.create({ name: 'For a moment' })
    expect(await signoff.folders.delete(id)).toBeUndefined()
  })

  it('that has not changed is 304 without a body', async () => {
    const { headers } = await signoff.workspace.get().raw()
    const again = await signoff.workspace
      .get({ headers: { 'if-none-match': headers.get('etag') ?? '' } })
      .raw()
    expect([again.status, again.body]).toEqual([304, undefined])
  })
})

describe('a list', () => {
  it('gives one page when awaited, and all 1,050 rows when iterated', async () => {
    const key = (await app.workspace('Large')).key
    const large = new Signoff({ url, key })
    const rows = Array.from({ length: 1050 }, (_, n) => ({ email: `person${n}@large.example` }))
    await large.teammates.import({ teammates: rows.slice(0, 1000) })
    await large.teammates.import({ teammates: rows.slice(1000) })
    expect(await large.teammates.list({ limit: 100 })).toHaveLength(100)
    const seen = new Set<string>()
    for await (const { email } of large.teammates.list({ limit: 100 })) seen.add(email)
    expect(seen).toEqual(new Set(rows.map(({ email }) => email)))
    const last: string[] = []
    for await (const { email } of large.teammates.list({ limit: 100, page: 11 })) last.push(email)
    expect(last).toHaveLength(50)
  })

  it('of another resource keeps the path and the options for all pages', async () => {
    const page = (number: number) => () =>
      Response.json({ data: [number], pagination: { page: number, has_more: number < 3 } })
    const { fetch, requests } = answering(page(1), page(2), page(3))
    const rows: unknown[] = []
    const client = new Signoff({ url: 'https://a.example', key: 'k', fetch })
    for await (const row of client.signatures.recipients.list('s', undefined, { headers: { a: 'b' } }))
      rows.push(row)
    expect(rows).toEqual([1, 2, 3])
    expect(requests.map(request => request.url.slice(17))).toEqual([
      '/v1/signatures/s/emails',
      '/v1/signatures/s/emails?page=2',
      '/v1/signatures/s/emails?page=3',
    ])
    expect(requests.map(({ init }) => (init.headers as Headers).get('a'))).toEqual(['b', 'b', 'b'])
  })
})

describe('an error', () => {
  it('has the class of its type, the wrong fields and the id of the request', async () => {
    const error = await signoff.teammates
      .create({ email: 'not an address', smart_fields: [{ smart_field: 'nonsense', value: 'x' }] })
      .catch(caught => caught)
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toBeInstanceOf(SignoffError)
    expect([error.status, error.type]).toEqual([422, 'validation_error'])
    expect(error.details.map(({ field }: { field: string }) => field)).toContain('email')
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(error.headers.get('x-request-id')).toBe(error.requestId)
  })

  it('tells not found, conflict, a bad key and a stale version apart', async () => {
    await expect(signoff.folders.get('01a1e0a4-15b9-71f7-98af-f25f4b8294b4')).rejects.toThrow(NotFoundError)
    const folder = await signoff.folders.create({ name: 'Full' })
    await signoff.signatures.create({ name: 'S', folder_id: folder.id })
    await expect(signoff.folders.delete(folder.id)).rejects.toThrow(ConflictError)
    const stranger = new Signoff({ url, key: 'sgn_nonsense' })
    await expect(stranger.folders.list()).rejects.toThrow(AuthenticationError)
    const { headers } = await signoff.folders.get(folder.id).raw()
    const ifMatch = headers.get('etag') ?? ''
    await signoff.folders.update(folder.id, { name: 'Fuller' }, { ifMatch })
    const stale = await signoff.folders
      .update(folder.id, { name: 'Fullest' }, { ifMatch })
      .catch(error => error)
    expect(stale).toBeInstanceOf(InvalidRequestError)
    expect([stale.status, stale.code]).toEqual([412, 'stale_resource'])
  })

  it('of a call that only raw() awaits, or a loop, is reported once', async () => {
    const { fetch } = answering(refusal(400))
    const client = new Signoff({ url, key: 'k', fetch })
    await expect(client.folders.list().raw()).rejects.toThrow(SignoffError)
    const loop = async () => {
      for await (const _ of client.folders.list()) throw new Error('no rows')
    }
    await expect(loop()).rejects.toThrow('No.')
    await nextTurn() // an unhandled rejection fails the test run
  })

  it.each([
    ['a page instead of JSON', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['JSON of another program', () => Response.json({ error: 'Bad gateway' }, { status: 400 })],
    ['null', () => Response.json(null, { status: 404 })],
    ['an error without a body', () => new Response(null, { status: 405 })],
  ])('says that the answer is not of the API: %s', async (_, answer) => {
    const { fetch } = answering(answer)
    const call = new Signoff({ url, key: 'k', fetch }).folders.list()
    await expect(call).rejects.toMatchObject({ code: 'unexpected_answer', type: 'api_error' })
  })

  it('says so when the address redirects: a POST would become a GET', async () => {
    const other = await startServer((request, response) =>
      response.writeHead(301, { location: url + request.url }).end(),
    )
    const call = new Signoff({ url: other, key: app.key }).folders.create({ name: 'x' })
    await expect(call).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: expect.stringContaining(url),
    })
  })
})

describe('an id', () => {
  it.each(['', '.', '..', undefined, null, 7])('%j is refused before a request is sent', async id => {
    const { fetch, requests } = answering(success)
    await expect(new Signoff({ url, key: 'k', fetch }).folders.get(id as string)).rejects.toThrow(TypeError)
    expect(requests).toEqual([])
  })

  it('cannot leave its place in the path', async () => {
    const { fetch, requests } = answering(success)
    await new Signoff({ url: 'https://a.example', key: 'k', fetch }).folders.get('../signatures/x?y#z')
    expect(requests[0]?.url).toBe('https://a.example/v1/folders/..%2Fsignatures%2Fx%3Fy%23z')
  })
})

describe('a retry', () => {
  it('after a connection that breaks behind the commit creates nothing twice', async () => {
    const keys: unknown[] = []
    const replayed: unknown[] = []
    const proxy = await startServer(async (request, response) => {
      keys.push(request.headers['idempotency-key'])
      if (keys.length === 1) return response.destroy() // before the service has seen it
      const answer = await forward(url, request)
      replayed.push(answer.headers.get('idempotent-replayed'))
      if (keys.length === 2) return response.destroy()
      return response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(await answer.text())
    })
    const { id } = await new Signoff({ url: proxy, key: app.key }).teammates.create({
      email: 'once@example.com',
    })
    const listed = await signoff.teammates.list({ search: 'once@example.com' })
    expect(listed.map(teammate => teammate.id)).toEqual([id])
    expect(replayed).toEqual([null, 'true'])
    expect(new Set(keys)).toHaveLength(1)
    expect(keys[0]).toMatch(/^\d+(-\d+){3}$/)
  })

  it('keeps the key of the caller; the same key later does nothing twice', async () => {
    const options = { idempotencyKey: 'import-2026-11' }
    const first = await signoff.folders.create({ name: 'Keyed' }, options).raw()
    const second = await signoff.folders.create({ name: 'Keyed' }, options).raw()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
  })

  it.each([429, 503])('after %i waits as long as Retry-After says', async status => {
    const times: number[] = []
    const { fetch } = answering(refusal(status, { 'retry-after': '1' }), success)
    const timed: typeof fetch = (...args) => {
      times.push(performance.now())
      return fetch(...args)
    }
    expect(await new Signoff({ url, key: 'k', fetch: timed }).folders.get('x')).toEqual({ id: 'x' })
    expect(times).toHaveLength(2)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990)
  })

  it('is left out when the service asks for more than a minute', async () => {
    const limited = { error: { type: 'rate_limit_error', code: 'rate_limited', message: 'Later.' } }
    const answer = () => Response.json(limited, { status: 429, headers: { 'retry-after': '61' } })
    const { fetch, requests } = answering(answer)
    const error = await new Signoff({ url, key: 'k', fetch }).folders.list().catch(caught => caught)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error.headers.get('retry-after')).toBe('61')
    expect(requests).toHaveLength(1)
  })

  it('follows where it is safe, and nowhere else', async () => {
    const attempts = async (status: number, act: (client: Signoff) => Promise<unknown>) => {
      const { fetch, requests } = answering(refusal(status))
      await act(new Signoff({ url, key: 'k', fetch, maxRetries: 1 })).catch(() => undefined)
      return requests.length
    }
    const get = (client: Signoff) => client.folders.get('x')
    const post = (client: Signoff) => client.folders.create({ name: 'x' })
    const read = (client: Signoff) => client.content.preview({ content: { type: 'stack' } })
    const patch = (client: Signoff) => client.folders.update('x', { name: 'x' })
    const cases = [408, 429, 502, 503, 504].flatMap(status =>
      [get, post, patch].map(act => [status, act, 2] as const),
    )
    const more = [
      ...([get, post, read].map(act => [500, act, 2]) as [number, typeof get, number][]),
      [500, patch, 1] as const,
      ...[400, 401, 404, 409, 412, 422, 501].map(status => [status, post, 1] as const),
    ]
    await Promise.all(
      [...cases, ...more].map(async ([status, act, expected]) =>
        expect([status, act.name, await attempts(status, act)]).toEqual([status, act.name, expected]),
      ),
    )
  })
})

describe('a call that takes too long', () => {
  const hangs: typeof fetch = (_, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))

  it('ends with a TimeoutError after its attempts', async () => {
    let attempts = 0
    const counted: typeof fetch = (...args) => {
      attempts++
      return hangs(...args)
    }
    const call = new Signoff({ url, key: 'k', fetch: counted, timeoutMs: 5 }).folders.list(
      {},
      { maxRetries: 1 },
    )
    const error = await call.catch(caught => caught)
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toBeInstanceOf(ConnectionError)
    expect([error.status, error.code, attempts]).toEqual([0, 'timeout', 2])
  })

  it('ends with the reason of the caller, before, during and between attempts', async () => {
    const reason = new Error('stopped')
    const client = new Signoff({ url, key: 'k', fetch: hangs })
    await expect(client.folders.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const during = new AbortController()
    const call = client.folders.list({}, { signal: during.signal })
    setImmediate(() => during.abort(reason))
    await expect(call).rejects.toBe(reason)
    const between = new AbortController()
    const { fetch, requests } = answering(refusal(503, { 'retry-after': '60' }))
    const waiting = new Signoff({ url, key: 'k', fetch }).folders.list({}, { signal: between.signal })
    await expect.poll(() => requests.length).toBe(1)
    setImmediate(() => between.abort(reason))
    await expect(waiting).rejects.toBe(reason)
    expect(requests).toHaveLength(1)
  })

  it('keeps the options of the client where those of the call are undefined', async () => {
    const client = new Signoff({ url, key: 'k', fetch: hangs, timeoutMs: 5, maxRetries: 0 })
    const call = client.folders.list({}, { timeoutMs: undefined, maxRetries: undefined })
    await expect(call).rejects.toThrow('No answer within 5 ms.')
  })
})

describe('a file', () => {
  it.each([
    ['a Blob', new Blob([dotPng])],
    ['bytes', new Uint8Array(dotPng)],
    ['an ArrayBuffer', new Uint8Array(dotPng).buffer],
    ['base64', dotPng.toString('base64')],
  ])('can be %s', async (_, file_base64) => {
    const asset = await signoff.assets.create({ file_base64, filename: 'dot.png' })
    expect([asset.width, asset.height, asset.content_type]).toEqual([1, 1, 'image/png'])
  })

  it('of any length is encoded as Buffer does', async () => {
    const { fetch, requests } = answering(success)
    const client = new Signoff({ url, key: 'k', fetch })
    for (const length of [0, 1, 2, 3, 8189, 8190, 8191, 30_000]) {
      const bytes = Buffer.alloc(length, 0).map((_, index) => (index * 31) % 256)
      await client.assets.create({ file_base64: new Uint8Array(bytes), filename: 'x' })
      const { asset } = JSON.parse(String(requests.at(-1)?.init.body))
      expect(asset.file_base64).toBe(Buffer.from(bytes).toString('base64'))
    }
  })

  it('becomes the picture of a teammate', async () => {
    const { id } = await signoff.teammates.create({ email: 'picture@example.com' })
    const { smart_fields } = await signoff.teammates.setImage(id, 'profile_picture', {
      file_base64: new Blob([dotPng]),
      filename: 'me.png',
    })
    expect(smart_fields.find(field => field.asset_id)?.value).toContain('/files/')
  })
})

describe('without a key', () => {
  it('the cookie of the session is sent, and the workspace is named', async () => {
    const { fetch, requests } = answering(success)
    const client = new Signoff({ url, workspace: 'w1', fetch })
    await client.folders.get('x')
    await client.folders.get('x', { workspace: 'w2' })
    await new Signoff({ url, credentials: 'include', fetch }).folders.get('x')
    await new Signoff({ url, key: 'k', fetch }).folders.get('x')
    expect(requests.map(({ init }) => init.credentials)).toEqual([
      'same-origin',
      'same-origin',
      'include',
      undefined,
    ])
    const headers = requests.map(({ init }) => init.headers as Headers)
    expect(headers.map(each => each.get('signoff-workspace'))).toEqual(['w1', 'w2', null, null])
    expect(headers.map(each => each.get('authorization'))).toEqual([null, null, null, 'Bearer k'])
  })
})

describe('an address that is not a URL', () => {
  it.each(['', 'signoff.example.com', 'localhost:3000', 'ftp://a.example'])(
    'is refused at once: "%s"',
    given => {
      const create = () => new Signoff({ url: given, key: 'k' })
      expect(create).toThrow(TypeError)
      expect(create).toThrow(`url is "${given}": give the address of the service`)
    },
  )
})
