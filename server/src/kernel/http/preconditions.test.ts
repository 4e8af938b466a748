import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'

let app: TestApp
let twin: TestApp
beforeAll(async () => {
  app = await testApp()
  twin = await testApp({ connection: app.connection })
})

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const folders = async () => (await app.get('/v1/folders')).body.pagination.total_count

describe('Idempotency-Key', () => {
  it('repeats the first answer for the same key and body', async () => {
    const before = await folders()
    const first = await app.post('/v1/folders', { name: 'Once' }, keyed('k1'))
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    const again = await app.post('/v1/folders', { name: 'Once' }, keyed('k1'))
    expect(again.status).toBe(201)
    expect(again.text).toBe(first.text)
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      location: first.headers.location,
      etag: first.headers.etag,
    })
    expect(await folders()).toBe(before + 1)
  })

  it('refuses the same key for another body or another path', async () => {
    await app.post('/v1/folders', { name: 'A' }, keyed('k2'))
    for (const answer of [
      await app.post('/v1/folders', { name: 'B' }, keyed('k2')),
      await app.post('/v1/smart_fields', { label: 'A' }, keyed('k2')),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'idempotency_conflict'])
    }
  })

  it('belongs to one API key, and lasts a day', async () => {
    const first = await app.post('/v1/folders', { name: 'Mine' }, keyed('k3'))
    const other = await app.post('/v1/folders', { name: 'Theirs' }, { ...keyed('k3'), key: app.other.key })
    expect([first.status, other.status]).toEqual([201, 201])
    const dayBefore = new Date(Date.now() - (24 * 3600 + 1) * 1_000)
    await app.db.query(sql`update idempotency_keys set created_at = ${dayBefore} where key = 'k3'`)
    const later = await app.post('/v1/folders', { name: 'Another' }, keyed('k3'))
    expect([later.status, later.headers['idempotent-replayed']]).toEqual([201, undefined])
    expect(
      (await app.post('/v1/folders', { name: 'Another' }, keyed('k3'))).headers['idempotent-replayed'],
    ).toBe('true')
  })

  it('works for concurrent requests in two processes', async () => {
    const before = await folders()
    const both = Array.from({ length: 12 }, (_, i) =>
      (i % 2 ? app : twin).post('/v1/folders', { name: 'Twelve times' }, { ...keyed('k4'), key: app.key }),
    )
    const answers = await Promise.all(both)
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([201]))
    expect(new Set(answers.map(answer => answer.body.data.id)).size).toBe(1)
    expect(answers.filter(answer => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(await folders()).toBe(before + 1)
  })

  it('stores a refusal too, and writes nothing else', async () => {
    await app.post('/v1/teammates', { teammate: { email: 'taken@example.com' } })
    const body = { teammate: { email: 'taken@example.com' } }
    const first = await app.post('/v1/teammates', body, keyed('k5'))
    expect(first.status).toBe(422)
    const again = await app.post('/v1/teammates', body, keyed('k5'))
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([
      422,
      'true',
      first.text,
    ])
  })

  it('can be used again after an invalid request', async () => {
    expect((await app.post('/v1/folders', { name: '' }, keyed('k6'))).status).toBe(422)
    expect((await app.post('/v1/folders', { name: 'Corrected' }, keyed('k6'))).status).toBe(201)
  })

  it('belongs to the API key, however its header is written, and survives a rotation', async () => {
    const key = (await app.post('/v1/api_keys', { api_key: { name: 'rotating' } })).body.data
    const send = (authorization: string) =>
      app.post(
        '/v1/folders',
        { name: 'Steady' },
        { key: null, headers: { authorization, 'idempotency-key': 'k7' } },
      )
    const first = await send(`Bearer ${key.key}`)
    const rotated = (await app.post(`/v1/api_keys/${key.id}/rotate`)).body.data
    for (const authorization of [`bearer  ${key.key}`, `Bearer ${rotated.key}`]) {
      const again = await send(authorization)
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
        201,
        first.text,
        'true',
      ])
    }
  })

  it('encrypts stored answers that hold a secret', () => {
    const holdsSecret = (schema: unknown): boolean =>
      /"(key|secret)":\{[^}]*shown/.test(JSON.stringify(schema))
    const routes = app.routes.filter(route => Object.values(route.answers).some(holdsSecret))
    expect(routes.map(route => route.path).sort()).toEqual([
      '/v1/api_keys',
      '/v1/api_keys/{id}/rotate',
      '/v1/me/totp',
      '/v1/webhooks',
      '/v1/webhooks/{id}/rotate',
    ])
    expect(routes.every(route => route.secret)).toBe(true)
  })

  it('must not be longer than 255 characters', async () => {
    const answer = await app.post('/v1/folders', { name: 'x' }, keyed('k'.repeat(256)))
    expect([answer.status, answer.body.details[0].field]).toEqual([422, 'Idempotency-Key'])
  })
})

describe('If-Match', () => {
  const make = async () => {
    const made = await app.post('/v1/folders', { name: 'Tagged' })
    return { path: made.headers.location!, etag: made.headers.etag! }
  }
  const matching = (etag: string) => ({ headers: { 'if-match': etag } })

  it('accepts the newest version', async () => {
    const { path, etag } = await make()
    expect((await app.get(path)).headers.etag).toBe(etag)
    const patched = await app.patch(path, { name: 'New' }, matching(etag))
    expect(patched.status).toBe(200)
    expect(patched.headers.etag).not.toBe(etag)
    expect((await app.patch(path, { name: 'Newer' }, matching(`"x", ${patched.headers.etag}`))).status).toBe(
      200,
    )
    expect((await app.patch(path, { name: 'Any' }, matching('*'))).status).toBe(200)
    expect((await app.patch(path, { name: 'Unconditional' })).status).toBe(200)
  })

  it('refuses an older version, and changes nothing', async () => {
    const { path, etag } = await make()
    const newest = await app.patch(path, { name: 'First' })
    for (const answer of [
      await app.patch(path, { name: 'Second' }, matching(etag)),
      await app.del(path, matching(etag)),
    ]) {
      expect([answer.status, answer.body.error.type, answer.body.error.code]).toEqual([
        412,
        'invalid_request',
        'stale_resource',
      ])
    }
    expect((await app.get(path)).text).toBe(newest.text)
    expect((await app.del(path, matching(newest.headers.etag!))).status).toBe(204)
  })

  it('accepts exactly one of many concurrent writes', async () => {
    const { body, headers } = await app.post('/v1/teammates', { teammate: { email: 'raced@example.com' } })
    const field = body.data.smart_fields[0].smart_field_id
    let etag = headers.etag!
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, i) => {
          const change = { teammate: { smart_fields: [{ smart_field_id: field, value: `${round}-${i}` }] } }
          return (i % 2 ? app : twin).patch(headers.location!, change, { key: app.key, ...matching(etag) })
        }),
      )
      expect(answers.map(answer => answer.status).sort()).toEqual([200, 412, 412, 412, 412, 412])
      etag = answers.find(answer => answer.status === 200)!.headers.etag!
      expect((await app.get(headers.location!)).headers.etag).toBe(etag)
    }
  })

  it('with * accepts every write', async () => {
    const { path } = await make()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => app.patch(path, { name: `n${i}` }, matching('*'))),
    )
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200]))
  })

  it('still matches an API key that was used in between', async () => {
    const made = await app.post('/v1/api_keys', { api_key: { name: 'tagged' } })
    await app.get('/v1/folders', { key: made.body.data.key })
    await expect
      .poll(async () => (await app.get(made.headers.location!)).body.data.last_used_at)
      .not.toBeNull()
    expect((await app.get(made.headers.location!)).headers.etag).toBe(made.headers.etag)
    expect(
      (await app.patch(made.headers.location!, { name: 'renamed' }, matching(made.headers.etag!))).status,
    ).toBe(200)
  })

  it('answers 404, not 412, for a resource that does not exist', async () => {
    expect(
      (await app.patch('/v1/folders/01a1e0a4-15b9-71f7-98af-f25f4b8294b4', { name: 'x' }, matching('"x"')))
        .status,
    ).toBe(404)
  })
})

describe('If-None-Match', () => {
  const cached = (etag: string | undefined) => ({ headers: { 'if-none-match': etag ?? '' } })

  it('answers 304 without a body while a resource or a list stays as it was', async () => {
    const { location } = (await app.post('/v1/folders', { name: 'Cached' })).headers
    for (const path of [
      location!,
      '/v1/folders',
      '/v1/folders?limit=1',
      '/v1/workspace',
      '/v1/analytics/views',
    ]) {
      const first = await app.get(path)
      expect(first.headers.etag, path).toMatch(/^"[\w-]+"$/)
      const again = await app.get(path, cached(`"other", W/${first.headers.etag}`))
      expect([again.status, again.text, again.headers.etag], path).toEqual([304, '', first.headers.etag])
      const head = await app.call('HEAD', path, cached(first.headers.etag))
      expect(head.status, path).toBe(304)
    }
    const [folder, all] = [await app.get(location!), await app.get('/v1/folders')]
    await app.patch(location!, { name: 'Renamed' })
    expect((await app.get(location!, cached(folder.headers.etag))).body.data.name).toBe('Renamed')
    expect((await app.get('/v1/folders', cached(all.headers.etag))).status).toBe(200)
  })

  it('has no effect on writes and on errors', async () => {
    expect((await app.post('/v1/folders', { name: 'Again' }, cached('*'))).status).toBe(201)
    const missing = '/v1/folders/0190a1b2-0000-7000-8000-000000000001'
    expect((await app.get(missing, cached('*'))).status).toBe(404)
  })
})
