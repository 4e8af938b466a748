import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { fieldIds } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const unknown = (field: string) => ({ field, code: 'unknown_parameter' })

describe('unknown query parameters', () => {
  it('are named beside the data of a list, and change nothing else', async () => {
    const plain = await app.get('/v1/folders?limit=5')
    const answer = await app.get('/v1/folders?limit=5&department=Sales&filter[x]=1')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...plain.body,
      ignored: [unknown('department'), unknown('filter[x]')],
    })
    expect(plain.body).not.toHaveProperty('ignored')
  })

  it('of links that were passed around are not worth mentioning', async () => {
    const { body } = await app.get('/v1/folders?utm_source=mail&UTM_Campaign=x&gclid=1&fbclid=2')
    expect(body).not.toHaveProperty('ignored')
  })

  it('are named in answers to writes and of single resources, without another ETag', async () => {
    const created = await app.post('/v1/folders?dry_run=true', { name: 'Sales' })
    expect([created.status, created.body.ignored]).toEqual([201, [unknown('dry_run')]])
    const path = `/v1/folders/${created.body.data.id}`
    const [plain, answer] = [await app.get(path), await app.get(`${path}?fields=name`)]
    expect(answer.body.ignored).toEqual([unknown('fields')])
    expect(answer.headers.etag).toBe(plain.headers.etag)
    expect((await app.del(`${path}?force=1`)).text).toBe('')
  })

  it('are named in a replayed answer too', async () => {
    const headers = { 'idempotency-key': 'ignored-1' }
    const send = () => app.post('/v1/folders?x=1', { name: 'Replayed' }, { headers })
    const [first, second] = [await send(), await send()]
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.text).toBe(first.text)
    expect(second.body.ignored).toEqual([unknown('x')])
  })

  it('are named at the end of a streamed list', async () => {
    const { first_name: smart_field_id } = await fieldIds(app)
    const { id } = (await app.post('/v1/smart_fields', { smart_field: { label: 'Long' } })).body.data
    const long = [
      { smart_field_id, value: 'é'.repeat(5_000) },
      { smart_field_id: id, value: 'x'.repeat(5_000) },
    ]
    for (const part of ['a', 'b']) {
      const teammates = Array.from({ length: 50 }, (_, n) => ({
        email: `${part}${n}@example.com`,
        smart_fields: long,
      }))
      expect((await app.post('/v1/teammates/import', { teammates })).body.data.created).toBe(50)
    }
    const plain = await app.get('/v1/teammates?limit=100')
    const answer = await app.get('/v1/teammates?limit=100&nonsense=1')
    expect(plain.headers['content-length']).toBeUndefined()
    expect(answer.body).toEqual({ ...plain.body, ignored: [unknown('nonsense')] })
  })

  it('are not named in errors, pictures and public answers', async () => {
    const refused = await app.get('/v1/folders?limit=x&nonsense=1')
    expect([refused.status, refused.body.ignored]).toEqual([422, undefined])
    expect((await app.get('/v1/openapi.json?nonsense=1')).body.ignored).toBeUndefined()
    expect((await app.get('/v1/folders/x?nonsense=1')).body).not.toHaveProperty('ignored')
  })

  it('are listed up to fifty, with the beginning of their names', async () => {
    const query = new URLSearchParams(
      Array.from({ length: 80 }, (_, n) => [`${n}${'n'.repeat(100)}`, ''] as [string, string]),
    )
    const { body } = await app.get(`/v1/folders?${query}&${'x'.repeat(300)}=1`)
    expect(body.ignored).toHaveLength(50)
    const { body: long } = await app.get(`/v1/folders?${'x'.repeat(300)}=1`)
    expect(long.ignored).toEqual([unknown('x'.repeat(200))])
  })
})
