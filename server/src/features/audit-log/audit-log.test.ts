import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { unknownId } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

describe('the audit log', () => {
  it('records the member, the API key, the action and the request', async () => {
    const created = await app.post('/v1/folders', { name: 'Seen' }, { headers: { 'x-request-id': 'req-42' } })
    const [entry] = (await app.get('/v1/audit_log')).body.data
    expect(entry).toEqual({
      id: expect.any(String),
      action: 'folder.created',
      resource_type: 'folder',
      resource_id: created.body.data.id,
      member_id: expect.any(String),
      member_name: 'Owner',
      api_key_id: expect.any(String),
      api_key_name: 'First key',
      request_id: 'req-42',
      created_at: expect.any(String),
    })
  })

  it('has one entry per write, newest first, and the total count', async () => {
    const countBefore = (await app.get('/v1/audit_log?limit=1')).body.pagination.total_count
    const { body } = await app.post('/v1/teammates', { teammate: { email: 'audited@example.com' } })
    const path = `/v1/teammates/${body.data.id}`
    await app.patch(path, { teammate: { smart_fields: [] } })
    await app.del(path)
    const after = await app.get(`/v1/audit_log?resource_id=${body.data.id}`)
    expect(after.body.data.map((entry: { action: string }) => entry.action)).toEqual([
      'teammate.deleted',
      'teammate.updated',
      'teammate.created',
    ])
    expect(after.body.pagination.total_count).toBe(3)
    expect((await app.get('/v1/audit_log?limit=1')).body.pagination.total_count).toBe(countBefore + 3)
  })

  it('has no entry for a refused request', async () => {
    const countBefore = (await app.get('/v1/audit_log?limit=1')).body.pagination.total_count
    await app.post('/v1/folders', { name: '' })
    await app.del(`/v1/folders/${unknownId}`)
    await app.post('/v1/emails', { email: { teammate_id: unknownId, address: 'a@example.com' } })
    expect((await app.get('/v1/audit_log?limit=1')).body.pagination.total_count).toBe(countBefore)
  })
})
