import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { unknownId } from '#test/support/world.ts'
import { auditedInsert } from './index.ts'

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
      resource_name: created.body.data.name,
      member_id: expect.any(String),
      member_name: 'Owner',
      api_key_id: expect.any(String),
      api_key_name: 'First key',
      session_id: null,
      request_id: 'req-42',
      via: null,
      reason: null,
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

  it('has an entry exactly if the row was inserted', async () => {
    const id = randomUUID()
    const folder = (name: string | null) => sql`
      insert into folders (workspace_id, id, name, created_at, updated_at)
      values (${app.id}, ${id}, ${name}, ${new Date()}, ${new Date()})`
    const entries = async () => (await app.get(`/v1/audit_log?resource_id=${id}`)).body.data.length
    const create = (name: string | null, action: string | null = 'folder.created') =>
      app.db.query(auditedInsert(app.by, action as string, id, folder(name)))
    await expect(create(null)).rejects.toThrow(/null value/)
    expect(await entries()).toBe(0)
    await expect(create('Without entry', null)).rejects.toThrow(/null value/)
    expect((await app.get(`/v1/folders/${id}`)).status).toBe(404)
    await create('Stored')
    await expect(create('Again')).rejects.toThrow(/duplicate key/)
    expect(await entries()).toBe(1)
  })

  it('can be searched by action, resource, member, key and time', async () => {
    const entriesOf = async (query: string) => {
      const { status, body } = await app.get(`/v1/audit_log?limit=100&${query}`)
      expect(status, query).toBe(200)
      expect(body.pagination.total_count, query).toBe(body.data.length)
      return body.data
    }
    const { id } = (await app.post('/v1/folders', { name: 'Searched' })).body.data
    await app.patch(`/v1/folders/${id}`, { name: 'Found' })
    await app.post('/v1/smart_fields', { smart_field: { label: 'Searched' } })
    const key = (await app.post('/v1/api_keys', { name: 'Second', scopes: ['folders:*'] })).body.data
    await app.post('/v1/folders', { name: 'By the second key' }, { key: key.secret ?? key.key })
    const all = await entriesOf('')
    const [newest] = all
    type Entry = typeof newest
    const expectSame = async (query: string, matches: (entry: Entry) => boolean) => {
      const entries = await entriesOf(query)
      expect(entries.length, query).toBeGreaterThan(0)
      expect(entries, query).toEqual(all.filter(matches))
    }
    await expectSame('action=folder.created', entry => entry.action === 'folder.created')
    await expectSame('resource=folder', entry => entry.resource_type === 'folder')
    await expectSame(`resource=${id.toUpperCase()}`, entry => entry.resource_id === id)
    await expectSame(`resource=folder&resource_id=${id}`, entry => entry.resource_id === id)
    await expectSame(`member_id=${newest.member_id}`, entry => entry.member_id === newest.member_id)
    await expectSame(`api_key_id=${key.id}`, entry => entry.api_key_id === key.id)
    const middle = all[Math.floor(all.length / 2)].created_at
    await expectSame(`since=${middle}`, entry => entry.created_at >= middle)
    await expectSame(`until=${newest.created_at}`, entry => entry.created_at < newest.created_at)
    const today = newest.created_at.slice(0, 10)
    await expectSame(`since=${all.at(-1).created_at.slice(0, 10)}&until=${today}`, () => true)
    expect(await entriesOf('resource=nothing')).toEqual([])
    expect(await entriesOf(`since=${today}&until=${today}T00:00:00Z`)).toEqual([])
    expect(await entriesOf('until=0001-01-01')).toEqual([])
  })

  it('names the filter that is wrong', async () => {
    const wrong = {
      'since=yesterday': { since: 'invalid' },
      'since=2026-11-02&until=2026-11-01T00:00:00Z': { until: 'out_of_range' },
      'member_id=1': { member_id: 'invalid' },
      [`resource=${unknownId}&resource_id=0190a1b2-0000-7000-8000-000000000001`]: { resource: 'invalid' },
    }
    for (const [query, expected] of Object.entries(wrong))
      expect(fieldErrors(await app.get(`/v1/audit_log?${query}`)), query).toEqual(expected)
  })

  it('finds the entries of every filter by an index', async () => {
    const plans = {
      audit_log_by_action: sql`action = 'folder.created'`,
      audit_log_by_type: sql`split_part(action, '.', 1) = 'folder'`,
      audit_log_by_member: sql`member_id = ${unknownId}`,
      audit_log_by_key: sql`api_key_id = ${unknownId}`,
    }
    for (const [index, condition] of Object.entries(plans)) {
      const plan = await app.db.transaction(async tx => {
        await tx.query(sql`set local enable_seqscan = off`)
        return tx.query(sql`
          explain select * from audit_log where workspace_id = ${app.id} and ${condition} order by id desc limit 50`)
      })
      expect(JSON.stringify(plan), index).toContain(index)
    }
  })
})
