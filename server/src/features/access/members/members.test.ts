import { beforeAll, describe, expect, it } from 'vitest'
import { addMember, findMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { type Role, roles } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { sql } from '#kernel/db/db.ts'
import { type Answer, fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { unknownId } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

let n = 0
const newAddress = () => `person${++n}@example.com`
type GivenRole = Exclude<Role, 'owner'>
const givenRoles = roles.filter((role): role is GivenRole => role !== 'owner')

const invite = (member: object, key?: string) => app.post('/v1/members', { member }, key ? { key } : {})
const statusAndCode = ({ status, body }: Answer) => [status, body?.error?.code]
const ownerId = async () => orNotFound(await findMember(app.db, app.id)).id

/** Keys can change only keys that expire no later. */
const soon = new Date(Date.now() + 24 * 3600_000).toISOString()

interface Colleague {
  readonly id: string
  readonly email: string
  readonly key: string
}

/** A member who was added by the operator, with a key that has all scopes. */
async function colleague(role: GivenRole, scopes: string[] = ['*']): Promise<Colleague> {
  const email = newAddress()
  const id = await addMember(app.db, app.id, { name: role, email, role })
  const { key } = await createKey(app.db, app.by, id, { name: role, scopes, expires_at: soon })
  return { id, email, key }
}

const keyOf = async (role: Role): Promise<string> =>
  role === 'owner' ? app.key : (await colleague(role)).key

describe('members', () => {
  it('are invited, listed, read and renamed', async () => {
    const email = newAddress()
    const created = await invite({ email, name: 'Ada', role: 'manager' })
    expect(created.status).toBe(201)
    const { invitation_url, ...member } = created.body.data
    expect(invitation_url).toMatch(/^http:\/\/localhost:3000\/invitation#[\w-]{43}$/)
    expect(member).toEqual({
      id: expect.any(String),
      name: 'Ada',
      email,
      role: 'manager',
      status: 'invited',
      last_seen_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const read = await app.get(created.headers.location!)
    expect(read.body.data).toEqual(member)
    expect(read.headers.etag).toBe(created.headers.etag)
    expect((await app.get('/v1/members')).body.data).toContainEqual(member)
    const renamed = await app.patch(created.headers.location!, { member: { name: 'Ada L.' } })
    expect(renamed.body.data).toMatchObject({ name: 'Ada L.', role: 'manager' })
    const [entry] = (await app.get(`/v1/audit_log?resource_id=${member.id}`)).body.data
    expect([entry.action, entry.member_name]).toEqual(['member.updated', 'Owner'])
  })

  it('are named after their address unless a name is sent', async () => {
    const email = newAddress()
    expect((await invite({ email, role: 'member' })).body.data.name).toBe(email.split('@')[0])
    const owner = { email: 'owner@example.com', role: 'member' }
    const workspace = await app.workspace('Third')
    const other = await app.post('/v1/members', { member: { email, role: 'member', name: 'Bo' } }, workspace)
    expect(other.body.data.name).toBe('Bo')
    // The name of an account would tell that a person of another company has one.
    const stranger = await app.signIn({ workspace: app.other, role: 'member' })
    await stranger.patch('/v1/me/account', { account: { name: 'Secret Name' } })
    const { id, name } = (await invite({ email: stranger.email, role: 'member' })).body.data
    expect(name).toBe(stranger.email.split('@')[0])
    await stranger.patch('/v1/me/account', { account: { name: 'Other Name' } })
    expect((await app.get(`/v1/members/${id}`)).body.data.name).toBe(name)
    expect(statusAndCode(await invite(owner))).toEqual([409, 'already_member'])
  })

  it.each([
    [{}, { member: 'missing' }],
    [{ email: 'x', role: 'member' }, { email: 'invalid' }],
    [{ email: 'x@example.com', role: 'owner' }, { role: 'not_allowed' }],
    [{ email: 'x@example.com', role: 'member', status: 'active' }, { status: 'unknown_property' }],
  ])('refuse %j', async (input, expected) => {
    const answer = await invite(input)
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
  })

  it('have each address once, in any case, also when two requests come at once', async () => {
    const email = newAddress()
    const answers = await Promise.all([
      invite({ email, role: 'member' }),
      invite({ email: email.toUpperCase(), role: 'admin' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(statusAndCode(await invite({ email, role: 'member' }))).toEqual([409, 'already_member'])
  })

  it('of another workspace are not found', async () => {
    const { id } = await colleague('member')
    const key = app.other.key
    for (const answer of [
      await app.get(`/v1/members/${id}`, { key }),
      await app.patch(`/v1/members/${id}`, { name: 'x' }, { key }),
      await app.post(`/v1/members/${id}/resend`, undefined, { key }),
      await app.post(`/v1/members/${id}/make_owner`, undefined, { key }),
      await app.del(`/v1/members/${id}`, { key }),
      await app.get(`/v1/members/${unknownId}`),
    ])
      expect(statusAndCode(answer)).toEqual([404, 'not_found'])
  })
})

describe('roles', () => {
  /** From the most powerful to the least, so that a smaller number is more. */
  const rank = (role: Role) => roles.indexOf(role)
  const administers = (role: Role) => role === 'owner' || role === 'admin'

  it.each(roles)('%s invites, changes, resends and removes what the role allows', async caller => {
    const key = await keyOf(caller)
    for (const role of givenRoles) {
      const isAllowed = administers(caller) && rank(caller) <= rank(role)
      const invited = await invite({ email: newAddress(), role }, key)
      expect(invited.status, `${caller} invites ${role}`).toBe(isAllowed ? 201 : 403)
      if (!isAllowed) expect(invited.body.error.code).toBe('insufficient_role')
      const waiting = (await invite({ email: newAddress(), role })).body.data.id
      const resent = await app.post(`/v1/members/${waiting}/resend`, undefined, { key })
      expect(resent.status, `${caller} resends to ${role}`).toBe(isAllowed ? 200 : 403)
    }
    for (const from of givenRoles)
      for (const to of givenRoles) {
        const { id } = await colleague(from)
        const isAllowed = administers(caller) && rank(caller) <= rank(from) && rank(caller) <= rank(to)
        const changed = await app.patch(`/v1/members/${id}`, { role: to }, { key })
        expect(changed.status, `${caller} changes ${from} to ${to}`).toBe(isAllowed ? 200 : 403)
        if (isAllowed) expect(changed.body.data.role).toBe(to)
        const removed = await app.del(`/v1/members/${id}`, { key })
        expect(removed.status, `${caller} removes ${from}`).toBe(isAllowed ? 204 : 403)
      }
  })

  it.each(roles)('%s neither removes the owner nor changes the owner’s role', async caller => {
    const key = await keyOf(caller)
    const owner = await ownerId()
    const refusal = administers(caller) ? [409, 'owner'] : [403, 'insufficient_role']
    for (const role of givenRoles)
      expect(statusAndCode(await app.patch(`/v1/members/${owner}`, { role }, { key }))).toEqual(refusal)
    expect(statusAndCode(await app.del(`/v1/members/${owner}`, { key }))).toEqual(refusal)
    const renamed = await app.patch(`/v1/members/${owner}`, { name: `Owner ${caller}` }, { key })
    expect(renamed.status).toBe(caller === 'owner' ? 200 : 403)
  })

  it('of a key are bounded by its scopes', async () => {
    const narrow = await colleague('admin', ['members:*', 'folders:read'])
    expect(statusAndCode(await invite({ email: newAddress(), role: 'admin' }, narrow.key))).toEqual([
      403,
      'insufficient_scope',
    ])
    const { id } = await colleague('member')
    const raised = await app.patch(`/v1/members/${id}`, { role: 'admin' }, { key: narrow.key })
    expect(statusAndCode(raised)).toEqual([403, 'insufficient_scope'])
    expect((await app.del(`/v1/members/${id}`, { key: narrow.key })).status).toBe(204)
  })

  it('of a changed member apply to the member’s keys', async () => {
    const { id, key } = await colleague('admin')
    expect((await app.get('/v1/members', { key })).status).toBe(200)
    await app.patch(`/v1/members/${id}`, { role: 'manager' })
    expect(statusAndCode(await app.get('/v1/members', { key }))).toEqual([403, 'insufficient_role'])
  })
})

describe('a member who was just demoted or removed', () => {
  it('cannot undo that in a process that does not know it yet', async () => {
    const second = await testApp({ connection: app.connection })
    const [demoted, removed] = [await colleague('admin'), await colleague('admin')]
    for (const { key } of [demoted, removed])
      expect((await second.get('/v1/members', { key })).status).toBe(200)
    await app.patch(`/v1/members/${demoted.id}`, { role: 'manager' })
    await app.del(`/v1/members/${removed.id}`)
    const { id } = await colleague('member')
    for (const { key } of [demoted, removed])
      for (const answer of [
        await second.patch(`/v1/members/${demoted.id}`, { role: 'admin' }, { key }),
        await second.post('/v1/members', { member: { email: newAddress(), role: 'member' } }, { key }),
        await second.del(`/v1/members/${id}`, { key }),
        await second.post('/v1/api_keys', { api_key: { name: 'kept' } }, { key: removed.key }),
      ])
        expect([401, 403], answer.text).toContain(answer.status)
    expect((await app.get(`/v1/members/${demoted.id}`)).body.data.role).toBe('manager')
  })

  it('wins or loses against the other admin, never both', async () => {
    const [first, second] = [await colleague('admin'), await colleague('admin')]
    const answers = await Promise.all([
      app.del(`/v1/members/${second.id}`, { key: first.key }),
      app.del(`/v1/members/${first.id}`, { key: second.key }),
    ])
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  })
})

describe('a removed member', () => {
  it('loses all keys, and secrets of other keys that the member rotated', async () => {
    const admin = await colleague('admin')
    const second = await colleague('admin')
    const [theirs] = await app.db.query<{ id: string }>(
      sql`select id from api_keys where member_id = ${second.id} and deleted_at is null`,
    )
    const rotated = await app.post(`/v1/api_keys/${theirs!.id}/rotate`, undefined, { key: admin.key })
    expect((await app.get('/v1/folders', { key: rotated.body.data.key })).status).toBe(200)
    await app.post('/v1/folders', { name: 'by a removed admin' }, { key: admin.key })
    expect((await app.del(`/v1/members/${admin.id}`)).status).toBe(204)
    for (const key of [admin.key, rotated.body.data.key])
      expect(statusAndCode(await app.get('/v1/folders', { key }))).toEqual([401, 'invalid_api_key'])
    expect((await app.get('/v1/folders', { key: second.key })).status).toBe(200)
    expect((await app.get(`/v1/members/${admin.id}`)).status).toBe(404)
    const [entry] = (await app.get(`/v1/audit_log?member_id=${admin.id}&action=folder.created`)).body.data
    expect(entry).toMatchObject({ member_id: admin.id, member_name: 'admin', api_key_name: 'admin' })
  })

  it('can be invited again, and gets no old rights back', async () => {
    const { id, email, key } = await colleague('admin')
    await app.del(`/v1/members/${id}`)
    const again = await invite({ email, role: 'member' })
    expect(again.status).toBe(201)
    expect(again.body.data.id).not.toBe(id)
    expect((await app.get('/v1/folders', { key })).status).toBe(401)
  })

  it('is refused in a second process within 5 seconds', async () => {
    const second = await testApp({ connection: app.connection })
    const { id, key } = await colleague('manager')
    expect((await second.get('/v1/folders', { key })).status).toBe(200)
    await app.del(`/v1/members/${id}`)
    const removedAt = Date.now()
    await expect.poll(async () => (await second.get('/v1/folders', { key })).status).toBe(401)
    expect(Date.now() - removedAt).toBeLessThan(5_000)
  })
})

describe('sessions', () => {
  const cookieIn = ({ headers }: Answer) => String(headers['set-cookie'] ?? '').split(';')[0] ?? ''
  const endedSessions = async (workspace: { key: string }) =>
    (await app.get('/v1/audit_log?action=session.ended', workspace)).body.data.length

  it('get a new token when their member changes the own role', async () => {
    const admin = await app.signIn({ role: 'admin' })
    const changed = await admin.patch(`/v1/members/${admin.memberId}`, { role: 'manager' })
    expect(changed.status).toBe(200)
    expect(statusAndCode(await admin.get('/v1/me'))).toEqual([401, 'session_expired'])
    const renewed = app.browser(cookieIn(changed))
    expect((await renewed.get('/v1/me')).body.data.member.role).toBe('manager')
    const renamed = await app.patch(`/v1/members/${admin.memberId}`, { name: 'Renamed' })
    expect(cookieIn(renamed)).toBe('')
  })

  it('of the new owner end; that of the old owner gets a new token', async () => {
    const workspace = await app.workspace('Passed on')
    const owner = await app.signIn({ workspace })
    const next = await app.signIn({ workspace, role: 'admin' })
    await app.db.query(sql`update accounts set password_hash = 'x' where id = ${next.accountId}`)
    const made = await owner.post(`/v1/members/${next.memberId}/make_owner`)
    expect([made.status, made.body.data.role]).toEqual([200, 'owner'])
    for (const before of [owner, next])
      expect(statusAndCode(await before.get('/v1/me'))).toEqual([401, 'session_expired'])
    expect((await app.browser(cookieIn(made)).get('/v1/me')).body.data.member.role).toBe('admin')
    const [entry] = (await app.get('/v1/audit_log?action=session.ended', workspace)).body.data
    expect(entry).toMatchObject({ member_id: owner.memberId })
  })

  it('of a removed member end, and are audited, when it was the last workspace', async () => {
    const before = await endedSessions(app)
    const { memberId, get } = await app.signIn({ role: 'member' })
    await app.del(`/v1/members/${memberId}`)
    expect(statusAndCode(await get('/v1/sessions'))).toEqual([401, 'session_expired'])
    expect(await endedSessions(app)).toBe(before + 1)
  })

  it('of a removed member that single sign-on of the workspace began end; others stay', async () => {
    const bound = await app.signIn({ role: 'member' })
    const { email } = bound
    await addMember(app.db, app.other.id, { name: 'Two', email, role: 'member' })
    await app.db.query(
      sql`update sessions set method = 'oidc', sso_workspace_id = ${app.id} where account_id = ${bound.accountId}`,
    )
    const own = await app.signIn({ role: 'member', workspace: app.other, email })
    await app.del(`/v1/members/${bound.memberId}`)
    expect(statusAndCode(await bound.get('/v1/sessions'))).toEqual([401, 'session_expired'])
    expect((await own.get('/v1/me')).body.data.workspace.id).toBe(app.other.id)
  })
})

describe('the owner', () => {
  it('hands the workspace over, once', async () => {
    const { id: workspaceId, key } = await app.workspace('Handed over')
    const owner = orNotFound(await findMember(app.db, workspaceId))
    const ids = await Promise.all(
      [newAddress(), newAddress()].map(email =>
        addMember(app.db, workspaceId, { name: 'Next', email, role: 'member' }),
      ),
    )
    const answers = await Promise.all(
      ids.map(id => app.post(`/v1/members/${id}/make_owner`, undefined, { key })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    const all = (await app.get('/v1/members', { key })).body.data as { id: string; role: Role }[]
    expect(all.filter(({ role }) => role === 'owner')).toHaveLength(1)
    expect(all.find(({ id }) => id === owner.id)?.role).toBe('admin')
    const refused = await app.post(`/v1/members/${owner.id}/make_owner`, undefined, { key })
    expect(statusAndCode(refused)).toEqual([403, 'insufficient_role'])
  })

  it.each(givenRoles)('is not chosen by %s', async role => {
    const { id, key } = await colleague(role)
    const answer = await app.post(`/v1/members/${id}/make_owner`, undefined, { key })
    expect(statusAndCode(answer)).toEqual([403, 'insufficient_role'])
  })

  it('is never a person who has not accepted the invitation', async () => {
    const { id } = (await invite({ email: newAddress(), role: 'admin' })).body.data
    const answer = await app.post(`/v1/members/${id}/make_owner`)
    expect(statusAndCode(answer)).toEqual([409, 'last_way_in'])
  })
})
