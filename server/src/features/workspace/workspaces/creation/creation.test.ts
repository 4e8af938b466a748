import { beforeAll, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type Answer, fieldErrors, type TestApp, testApp } from '#test/support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const password = 'correct battery staple horse'
const statusAndCode = ({ status, body }: Answer) => [status, body?.error?.code]
const sessionOf = (cookie: string, more: Record<string, string> = {}) => ({
  key: null,
  headers: { cookie, origin: 'http://localhost:3000', ...more },
})

const cookieIn = ({ headers }: Answer): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .find(text => text.startsWith('signoff='))
    ?.split(';')[0] ?? ''
const signIn = async (email: string, on = app) =>
  cookieIn(await on.post('/auth/password', { email, password }, { key: null }))

let n = 0
/** The cookie of a person who has joined the workspace. */
async function join(on: TestApp): Promise<{ id: string; email: string; cookie: string }> {
  const member = { email: `maker${++n}@example.com`, role: 'admin' }
  const { body } = await on.post('/v1/members', { member })
  const token = body.data.invitation_url.split('#')[1]
  const joined = await on.post('/auth/invitation', { token, name: 'Mia', password }, { key: null })
  return { id: body.data.id, email: member.email, cookie: cookieIn(joined) }
}

it('an account that owns a workspace creates another, and owns it', async () => {
  const { id, cookie, email } = await join(app)
  await app.db.query(sql`update accounts set verified_at = now() where email = ${email}`)
  const create = () => app.post('/v1/workspaces', { workspace: { name: 'Second' } }, sessionOf(cookie))
  expect(statusAndCode(await create())).toEqual([403, 'insufficient_role'])
  await app.post(`/v1/members/${id}/make_owner`)
  const signedIn = await signIn(email)
  const created = await app.post('/v1/workspaces', { workspace: { name: 'Second' } }, sessionOf(signedIn))
  expect(created.status).toBe(201)
  const renewed = cookieIn(created)
  expect(renewed).not.toBe(signedIn)
  expect(statusAndCode(await app.get('/v1/workspace', sessionOf(signedIn)))).toEqual([401, 'session_expired'])
  // The Location needs no header: the session uses the new workspace.
  const chosen = sessionOf(renewed)
  expect(created.headers.location).toBe('/v1/workspace')
  expect((await app.get('/v1/workspace', chosen)).body).toEqual(created.body)
  const me = (await app.get('/v1/me', chosen)).body.data
  expect(me).toMatchObject({ member: { role: 'owner' }, workspace: { id: created.body.data.id } })
  expect(me.workspaces.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
    ['Own', 'owner'],
    ['Second', 'owner'],
  ])
  expect((await app.get('/v1/smart_fields', chosen)).body.data.length).toBeGreaterThan(5)
  const entries = (await app.get('/v1/audit_log', chosen)).body.data
  const [entry] = entries.filter(({ action }: { action: string }) => action === 'workspace.created')
  expect(entry).toMatchObject({ member_id: me.member.id, member_name: 'Mia' })
  const own = sessionOf(renewed, { 'signoff-workspace': app.id })
  const [first] = (await app.get('/v1/folders', own)).body.data
  expect(first).toBeUndefined()
})

it('a workspace needs a name, and a session instead of an API key', async () => {
  const { cookie } = await join(app)
  const unnamed = await app.post('/v1/workspaces', { workspace: { name: ' ' } }, sessionOf(cookie))
  expect(fieldErrors(unnamed)).toEqual({ name: 'blank' })
  const byKey = await app.post('/v1/workspaces', { workspace: { name: 'x' } })
  expect(statusAndCode(byKey)).toEqual([401, 'missing_session'])
})

it('only the operator creates workspaces where the setting says so', async () => {
  const strict = await testApp({ env: { SIGNOFF_WORKSPACE_CREATION: 'operator' } })
  const { id, email } = await join(strict)
  await strict.post(`/v1/members/${id}/make_owner`)
  const cookie = await signIn(email, strict)
  const answer = await strict.post('/v1/workspaces', { workspace: { name: 'x' } }, sessionOf(cookie))
  expect(statusAndCode(answer)).toEqual([403, 'insufficient_role'])
  expect(answer.body.error.message).toContain('operator')
})

it('an account owns at most 100 workspaces', async () => {
  const { accountId, email, post } = await app.signIn({ workspace: app.other })
  await app.db.query(sql`
    with made as (
      insert into workspaces (id, name, tracking_id, created_at, updated_at)
      select gen_random_uuid(), 'Full', gen_random_uuid(), now(), now() from generate_series(1, 99) returning id)
    insert into members (workspace_id, id, account_id, name, email, email_key, role, created_at, updated_at)
    select id, gen_random_uuid(), ${accountId}, 'Max', ${email}, ${email}, 'owner', now(), now() from made`)
  const refused = await post('/v1/workspaces', { workspace: { name: 'One more' } })
  expect(statusAndCode(refused)).toEqual([403, 'insufficient_role'])
  expect(refused.body.error.message).toContain('at most 100')
})
