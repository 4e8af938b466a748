import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { addMember, findMember } from '#features/workspace/accounts/index.ts'
import { isWellFormedKey, mintKey } from '#kernel/api/bearer-keys.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { sql } from '#kernel/db/db.ts'
import { type Answer, fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { createKey } from './index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const create = (api_key: object, key?: string) => app.post('/v1/api_keys', { api_key }, key ? { key } : {})
const year = 365 * 24 * 3600_000
const soon = new Date(Date.now() + year / 2).toISOString()

/** Creates a key for the owner, like the command line does. */
async function createAsOperator(input: { name: string; scopes?: string[]; expires_at?: string | null }) {
  const owner = orNotFound(await findMember(app.db, app.id, undefined))
  return createKey(app.db, app.by, owner.id, { scopes: ['*'], expires_at: soon, ...input })
}

const statusAndCode = ({ status, body }: Answer) => [status, body?.error?.code]

/** All changes that one key can make to another. */
const changesTo = (id: string, key: string) => [
  () => app.patch(`/v1/api_keys/${id}`, { name: 'renamed' }, { key }),
  () => app.patch(`/v1/api_keys/${id}`, { scopes: ['folders:read'] }, { key }),
  () => app.post(`/v1/api_keys/${id}/rotate`, undefined, { key }),
  () => app.del(`/v1/api_keys/${id}`, { key }),
]

describe('API keys', () => {
  it('have a checksum that detects typos', () => {
    for (let i = 0; i < 200; i++) {
      const key = mintKey()
      expect(key).toMatch(/^sgn_[0-9A-Za-z]{46}$/)
      const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
      const sum = [...key.slice(44)].reduce((total, letter) => total * 62 + digits.indexOf(letter), 0)
      expect(sum).toBe(crc32(key.slice(4, 44)))
      const position = 4 + (i % 46)
      const typo = key.slice(0, position) + (key[position] === 'a' ? 'b' : 'a') + key.slice(position + 1)
      expect(isWellFormedKey(key)).toBe(true)
      expect(isWellFormedKey(typo)).toBe(false)
    }
  })

  it('are shown once and stored as a hash', async () => {
    const created = await create({ name: 'CRM', scopes: ['folders:read'] })
    expect(created.status).toBe(201)
    const { key, ...rest } = created.body.data
    expect(rest).toEqual({
      id: expect.any(String),
      name: 'CRM',
      scopes: ['folders:read'],
      prefix: key.slice(0, 8),
      member_id: expect.any(String),
      expires_at: expect.any(String),
      last_used_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(Math.abs(Date.parse(rest.expires_at) - Date.now() - year)).toBeLessThan(60_000)
    expect((await app.get(created.headers.location!)).body.data).toEqual(rest)
    expect((await app.get('/v1/api_keys')).text).not.toContain(key)
    const hash = createHash('sha256').update(key).digest()
    const hashRows = await app.db.query(sql`select api_key_id from api_key_hashes where hash = ${hash}`)
    expect(hashRows).toEqual([{ api_key_id: rest.id }])
    const [{ count }] = (await app.db.query<{ count: number }>(sql`
      select count(*)::int as count from api_keys where to_jsonb(api_keys)::text like ${`%${key.slice(10, 40)}%`}`)) as [
      { count: number },
    ]
    expect(count).toBe(0)
  })

  it('are not stored in plain text in responses for Idempotency-Key replays', async () => {
    const headers = { 'idempotency-key': 'make-a-key' }
    const first = await app.post('/v1/api_keys', { api_key: { name: 'Once' } }, { headers })
    const again = await app.post('/v1/api_keys', { api_key: { name: 'Once' } }, { headers })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
    const rows = await app.db.query(sql`select encode(body, 'escape') as body, headers from idempotency_keys`)
    expect(JSON.stringify(rows)).not.toContain(first.body.data.key.slice(4, 20))
  })

  it.each([
    [{}, { name: 'missing' }],
    [{ name: 'x', scopes: ['folders'] }, { 'scopes[0]': 'not_allowed' }],
    [{ name: 'x', scopes: [] }, { scopes: 'too_short' }],
    [{ name: 'x', scopes: '*' }, { scopes: 'invalid_type' }],
    [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, { expires_at: 'out_of_range' }],
    [{ name: 'x', expires_at: 'tomorrow' }, { expires_at: 'invalid' }],
    [{ name: 'x', expires_at: '9999-12-31T23:59:59-12:00' }, { expires_at: 'out_of_range' }],
    [{ name: 'x', key: 'y' }, { key: 'unknown_property' }],
  ])('refuse %j', async (input, expected) => {
    const answer = await create(input)
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
  })

  it('can get any expiry, or none, from a key that never expires', async () => {
    const { key: unlimitedKey } = await createAsOperator({ name: 'lasting', expires_at: null })
    expect((await create({ name: 'x', expires_at: null }, unlimitedKey)).body.data.expires_at).toBeNull()
    const expiresAt = '2090-01-01T12:00:00+02:00'
    expect((await create({ name: 'x', expires_at: expiresAt }, unlimitedKey)).body.data.expires_at).toBe(
      '2090-01-01T10:00:00.000Z',
    )
  })

  it('cannot create or extend keys beyond their own expiry', async () => {
    const later = new Date(Date.parse(soon) + 1_000).toISOString()
    const { id, key } = await createAsOperator({ name: 'short' })
    for (const expires_at of [later, null])
      expect(statusAndCode(await create({ name: 'x', expires_at }, key))).toEqual([403, 'insufficient_scope'])
    expect((await create({ name: 'x' }, key)).body.data.expires_at).toBe(soon)
    for (const expires_at of [later, null])
      expect(statusAndCode(await app.patch(`/v1/api_keys/${id}`, { expires_at }, { key }))).toEqual([
        403,
        'insufficient_scope',
      ])
    const other = await createAsOperator({ name: 'longer', expires_at: later })
    for (const change of changesTo(other.id, key))
      expect(statusAndCode(await change())).toEqual([403, 'insufficient_scope'])
    expect((await app.get('/v1/folders', { key: other.key })).status).toBe(200)
  })

  it('cannot change keys with more scopes', async () => {
    const { key } = await createAsOperator({ name: 'narrow', scopes: ['api_keys:*', 'folders:read'] })
    const wide = await createAsOperator({ name: 'wide', scopes: ['folders:*'] })
    for (const change of changesTo(wide.id, key))
      expect(statusAndCode(await change())).toEqual([403, 'insufficient_scope'])
    const same = await createAsOperator({ name: 'same', scopes: ['folders:read'] })
    for (const change of changesTo(same.id, key)) expect((await change()).status).toBeLessThan(300)
  })

  it('cannot change keys of a higher role, and the audit log names the acting member', async () => {
    const email = 'admin@example.com'
    const admin = await addMember(app.db, app.id, { name: 'Admin', email, role: 'admin' })
    const { id: adminKey, key } = await createKey(app.db, app.by, admin, {
      name: 'admin',
      expires_at: soon,
    })
    const ownerKey = await createAsOperator({ name: 'of the owner' })
    for (const change of changesTo(ownerKey.id, key))
      expect(statusAndCode(await change())).toEqual([403, 'insufficient_role'])

    const rotated = (await app.post(`/v1/api_keys/${adminKey}/rotate`)).body.data
    expect((await app.post('/v1/folders', { name: 'by the owner' }, { key: rotated.key })).status).toBe(201)
    expect((await app.post('/v1/folders', { name: 'by the admin' }, { key })).status).toBe(201)
    const [byAdmin, byOwner] = (await app.get('/v1/audit_log?limit=2')).body.data
    expect([byAdmin.member_name, byAdmin.api_key_id]).toEqual(['Admin', adminKey])
    expect([byOwner.member_name, byOwner.api_key_id]).toEqual(['Owner', adminKey])
    // The rotated secret has the rights of the key's member; keys that it creates have the same rights.
    const created = (await create({ name: 'made with the rotated one' }, rotated.key)).body.data
    expect(created.member_id).toBe(admin)
    for (const change of changesTo(ownerKey.id, created.key))
      expect(statusAndCode(await change())).toEqual([403, 'insufficient_role'])
  })

  it('with a rotated secret cannot create keys that outlive this secret', async () => {
    const old = await createAsOperator({ name: 'rotated' })
    await app.post(`/v1/api_keys/${old.id}/rotate`)
    const created = await create({ name: 'by the old secret' }, old.key)
    expect(Date.parse(created.body.data.expires_at)).toBeLessThanOrEqual(Date.now() + 24 * 3600_000)
    const longer = await create({ name: 'longer', expires_at: soon }, old.key)
    expect(statusAndCode(longer)).toEqual([403, 'insufficient_scope'])
  })

  it('never grant more scopes than their creator has', async () => {
    const narrow = (await create({ name: 'n', scopes: ['api_keys:*', 'folders:read'] })).body.data.key
    const wider = await create({ name: 'w', scopes: ['folders:write'] }, narrow)
    expect([wider.status, wider.body.error.code]).toEqual([403, 'insufficient_scope'])
    expect(wider.body.error.message).toContain('folders:write')
    expect((await create({ name: 'w', scopes: ['*'] }, narrow)).status).toBe(403)
    const same = await create({ name: 's' }, narrow)
    expect(same.body.data.scopes).toEqual(['api_keys:*', 'folders:read'])
    const [broad] = (await app.get('/v1/api_keys?limit=100')).body.data.filter(
      (key: { name: string }) => key.name === 'First key',
    )
    const rotated = await app.post(`/v1/api_keys/${broad.id}/rotate`, undefined, { key: narrow })
    expect(rotated.status).toBe(403)
    const widened = await app.patch(
      same.headers.location!,
      { api_key: { scopes: ['*:read'] } },
      { key: narrow },
    )
    expect(widened.status).toBe(403)
  })

  it('are limited by the role of their member', async () => {
    const memberId = await addMember(app.db, app.id, {
      name: 'Man',
      email: 'man@example.com',
      role: 'manager',
    })
    const { key } = await createKey(app.db, app.by, memberId, { name: 'm', scopes: ['*'] })
    expect((await app.post('/v1/folders', { name: 'by a manager' }, { key })).status).toBe(201)
    for (const path of ['/v1/api_keys', '/v1/integrations', '/v1/financial_documents', '/v1/audit_log']) {
      const answer = await app.get(path, { key })
      expect([answer.status, answer.body.error?.code], path).toEqual([403, 'insufficient_role'])
    }
  })

  it('can change their name, scopes and expiry', async () => {
    const created = await create({ name: 'a', scopes: ['folders:read'] })
    const expires_at = new Date(Date.now() + year / 2).toISOString()
    const patched = await app.patch(created.headers.location!, {
      api_key: { name: 'b', scopes: ['emails:read'], expires_at },
    })
    expect(patched.body.data).toMatchObject({ name: 'b', scopes: ['emails:read'], expires_at })
    const { key } = created.body.data
    expect((await app.get('/v1/emails', { key })).status).toBe(200)
    expect((await app.get('/v1/folders', { key })).body.error).toMatchObject({
      type: 'permission_error',
      code: 'insufficient_scope',
      message: 'This API key lacks the scope folders:read.',
    })
  })

  it('get a new secret by rotation, while the old one stays valid for a day', async () => {
    const created = (await create({ name: 'r' })).body.data
    const rotated = (await app.post(`/v1/api_keys/${created.id}/rotate`)).body.data
    expect(rotated.id).toBe(created.id)
    expect(rotated.key).not.toBe(created.key)
    expect(rotated.prefix).toBe(rotated.key.slice(0, 8))
    for (const key of [created.key, rotated.key])
      expect((await app.get('/v1/folders', { key })).status).toBe(200)
    await app.db.query(sql`update api_key_hashes set valid_until = now() where valid_until is not null`)
    await app.patch(`/v1/api_keys/${created.id}`, { name: 'r2' }) // clears the credential cache of this process
    expect((await app.get('/v1/folders', { key: created.key })).body.error.code).toBe('invalid_api_key')
    expect((await app.get('/v1/folders', { key: rotated.key })).status).toBe(200)
  })

  it('stop working when revoked or expired', async () => {
    const created = (await create({ name: 'gone' })).body.data
    expect((await app.get('/v1/folders', { key: created.key })).status).toBe(200)
    expect((await app.del(`/v1/api_keys/${created.id}`)).status).toBe(204)
    const revoked = await app.get('/v1/folders', { key: created.key })
    expect([revoked.status, revoked.body.error.code]).toEqual([401, 'invalid_api_key'])
    expect((await app.get(`/v1/api_keys/${created.id}`)).status).toBe(404)
    const old = (await create({ name: 'old' })).body.data
    await app.db.query(sql`update api_keys set expires_at = now() - interval '1 second' where id = ${old.id}`)
    const expired = await app.get('/v1/folders', { key: old.key })
    expect([expired.status, expired.body.error.code]).toEqual([401, 'expired_api_key'])
    expect(expired.headers['www-authenticate']).toBe('Bearer')
  })

  it('store the time of last use', async () => {
    const created = (await create({ name: 'used' })).body.data
    await app.get('/v1/folders', { key: created.key })
    const lastUsed = async () => (await app.get(`/v1/api_keys/${created.id}`)).body.data.last_used_at
    await expect.poll(lastUsed).not.toBeNull()
    expect(Math.abs(Date.parse(await lastUsed()) - Date.now())).toBeLessThan(10_000)
  })
})
