import { beforeAll, describe, expect, it } from 'vitest'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const putSignature = (folderId: string) => {
  const { id, now } = newRow()
  return app.db.query(sql`
    insert into signatures (workspace_id, id, name, priority, folder_id, created_at, updated_at)
    values (${app.id}, ${id}, 'Standard', 0, ${folderId}, ${now}, ${now})`)
}

describe('folders', () => {
  it('are created, read, renamed and deleted', async () => {
    const created = await app.post('/v1/folders', { folder: { name: 'Sales' } })
    expect(created.status).toBe(201)
    expect(created.body.data).toMatchObject({ name: 'Sales', signature_count: 0 })
    expect(created.headers.location).toBe(`/v1/folders/${created.body.data.id}`)
    const path = created.headers.location!
    expect((await app.get(path)).body).toEqual(created.body)
    const renamed = await app.patch(path, { folder: { name: 'Sales EMEA' } })
    expect(renamed.status).toBe(200)
    expect(renamed.body.data.name).toBe('Sales EMEA')
    expect(renamed.body.data.updated_at >= created.body.data.updated_at).toBe(true)
    const deleted = await app.del(path)
    expect(deleted.status).toBe(204)
    expect(deleted.text).toBe('')
    expect((await app.get(path)).body.error.code).toBe('not_found')
    expect((await app.del(path)).status).toBe(404)
  })

  it('accept the inner object without its wrapper', async () => {
    const created = await app.post('/v1/folders', { name: 'Flat' })
    expect(created.status).toBe(201)
    expect((await app.patch(created.headers.location!, { name: 'Flatter' })).body.data.name).toBe('Flatter')
  })

  it('change nothing for an empty PATCH', async () => {
    const created = await app.post('/v1/folders', { name: 'Still' })
    const patched = await app.patch(created.headers.location!, {})
    expect(patched.status).toBe(200)
    expect(patched.body).toEqual(created.body)
  })

  it.each([
    [{}, { name: 'missing' }],
    [{ name: '' }, { name: 'blank' }],
    [{ name: ' \n' }, { name: 'blank' }],
    [{ name: 'x'.repeat(201) }, { name: 'too_long' }],
    [{ name: 7 }, { name: 'invalid_type' }],
    [{ name: null }, { name: 'invalid_type' }],
    [{ name: 'x', colour: 'red' }, { colour: 'unknown_property' }],
    [{ folder: { name: 'x', colour: 'red' } }, { colour: 'unknown_property' }],
    [{ folder: { name: 'x' }, extra: 1 }, { extra: 'unknown_property' }],
    [{ folder: 'x' }, { folder: 'invalid_type' }],
  ])('refuse %j', async (body, expected) => {
    const answer = await app.post('/v1/folders', body)
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
    expect(answer.body.error.code).toBe(Object.values(expected)[0])
  })

  it('count their signatures, and cannot be deleted while they contain one', async () => {
    const { body } = await app.post('/v1/folders', { name: 'Full' })
    const path = `/v1/folders/${body.data.id}`
    await putSignature(body.data.id)
    await putSignature(body.data.id)
    expect((await app.get(path)).body.data.signature_count).toBe(2)
    expect((await app.patch(path, { name: 'Fuller' })).body.data.signature_count).toBe(2)
    const response = await app.del(path)
    expect(response.status).toBe(409)
    expect(response.body.error).toMatchObject({ type: 'conflict', code: 'folder_not_empty' })
    expect((await app.get(path)).status).toBe(200)
  })
})
