// Which rights a connection needs and gives, and what a change of it ends.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { scopes } from '#kernel/api/scopes.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { ForgingProvider } from '#test/support/sign-in/oidc-provider.ts'
import {
  connect,
  oidcConnection,
  outcomeOf,
  signInAt,
  ssoEnv,
  TestBrowser,
} from '#test/support/sign-in/sso.ts'
import { connectionChoicesFor } from '../index.ts'

let app: TestApp
let provider: ForgingProvider
let workspace: TestWorkspace
let count = 0
beforeAll(async () => {
  app = await testApp({ env: ssoEnv })
  provider = await ForgingProvider.start()
})
beforeEach(async () => {
  workspace = await app.workspace(`Test ${++count}`)
})

const path = '/v1/sso_connections'
const own = () => ({ key: workspace.key })
const admin = () => app.signIn({ workspace, role: 'admin' })
const ownerAddress = async () => (await app.get('/v1/me', own())).body.data.account.email as string
const body = (more: object = {}) => oidcConnection(provider.issuer, more)

async function attempt(claims: object, browser = new TestBrowser(app), id = workspace.id): Promise<string> {
  provider.forgery = { claims: { ...claims } }
  return outcomeOf(await signInAt(provider, browser, id))
}

describe('a key', () => {
  it('without all scopes of an admin changes neither a connection nor the sign-in policy', async () => {
    const id = await connect(app, body(), workspace.key)
    const { body: me } = await app.get('/v1/me', own())
    for (const granted of [['workspace:write'], scopes.filter(scope => scope !== 'members:delete')]) {
      const grants = { name: 'Narrow', scopes: [...granted] }
      const { key } = await createKey(app.db, workspace.by, me.data.member.id, grants)
      for (const answer of [
        await app.post(path, body(), { key }),
        await app.patch(`${path}/${id}`, { name: 'Other' }, { key }),
        await app.del(`${path}/${id}`, { key }),
        await app.patch('/v1/workspace/sign_in_policy', { second_factor_required: false }, { key }),
      ])
        expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_scope'])
    }
  })
})

describe('the owner', () => {
  it('is not signed in through a connection of an admin, until the owner trusts it', async () => {
    const email = await ownerAddress()
    const other = await admin()
    const made = await other.post(path, body())
    const { id, owner_trusted } = made.body.data
    expect(owner_trusted).toBe(false)
    expect(await attempt({ sub: 'owner', email })).toContain('owner')
    const { body: log } = await app.get('/v1/audit_log?action=sso_connection.sign_in_refused', own())
    expect(log.data).toHaveLength(1)
    const refused = await other.patch(`${path}/${id}`, { owner_trusted: true })
    expect(refused.body.error.code).toBe('insufficient_role')
    const trusted = await app.patch(`${path}/${id}`, { owner_trusted: true }, own())
    expect(trusted.body.data.owner_trusted).toBe(true)
    expect(await attempt({ sub: 'owner', email })).toBe('signed in')
  })

  it('is refused with an existing link too, after an admin has changed the connection', async () => {
    const email = await ownerAddress()
    const id = await connect(app, body(), workspace.key)
    expect(await attempt({ sub: 'owner', email })).toBe('signed in')
    const other = await admin()
    await other.patch(`${path}/${id}`, { name: 'Renamed', just_in_time: false })
    expect(await attempt({ sub: 'owner', email })).toBe('signed in')
    await other.patch(`${path}/${id}`, { trust_email: true })
    expect(await attempt({ sub: 'owner', email })).toContain('owner')
    expect((await app.get(`${path}/${id}`, own())).body.data.last_refusal.code).toBe('owner_not_trusted')
  })

  it('decides by single sign-on only while the connection is trusted', async () => {
    const email = await ownerAddress()
    const id = await connect(app, body(), workspace.key)
    const browser = new TestBrowser(app)
    expect(await attempt({ sub: 'owner', email }, browser)).toBe('signed in')
    const other = await admin()
    const members = (await app.get('/v1/members', own())).body.data
    const { id: memberId } = members.find((member: { role: string }) => member.role === 'admin')
    const { body: made } = await app.post('/v1/api_keys', { api_key: { name: 'Old' } }, own())
    const changes = [
      ['PATCH', '/v1/workspace/sign_in_policy', { second_factor_required: false }],
      ['PATCH', `${path}/${id}`, { name: 'Renamed' }],
      ['POST', path, body()],
      ['DELETE', `${path}/${id}`, undefined],
      ['POST', `/v1/members/${memberId}/make_owner`, undefined],
      ['POST', '/v1/api_keys', { api_key: { name: 'New' } }],
      ['POST', `/v1/api_keys/${made.data.id}/rotate`, undefined],
      ['PATCH', `/v1/api_keys/${made.data.id}`, { expires_at: null }],
    ] as const
    const send = ([method, target, sent]: (typeof changes)[number]) =>
      browser.call(method, target, sent === undefined ? {} : { body: sent })
    expect((await send(changes[0])).status).toBe(200)
    expect((await send(changes[1])).status).toBe(200)
    await other.patch(`${path}/${id}`, { trust_email: true })
    for (const change of changes) {
      const answer = await send(change)
      expect([answer.status, answer.body.error?.code], change[1]).toEqual([403, 'own_sign_in_required'])
    }
    expect((await browser.get('/v1/me')).body.data.member.role).toBe('owner')
    await app.patch(`${path}/${id}`, { owner_trusted: true }, own())
    expect((await send(changes[1])).status).toBe(200)
  })

  it('is not locked out by an admin who insists on single sign-on', async () => {
    const other = await admin()
    const { id } = (await other.post(path, body())).body.data
    await other.post(`${path}/${id}/test`)
    const insist = () => other.patch('/v1/workspace/sign_in_policy', { sso_required: true })
    expect((await insist()).body.error.code).toBe('last_way_in')
    await app.patch(`${path}/${id}`, { owner_trusted: true }, own())
    expect((await insist()).status).toBe(200)
    const changed = await other.patch(`${path}/${id}`, { trust_email: true })
    expect(changed.body.error.code).toBe('last_way_in')
  })
})

describe('sessions of single sign-on', () => {
  it.each([
    ['removed', (id: string) => app.del(`${path}/${id}`, own())],
    ['switched off', (id: string) => app.patch(`${path}/${id}`, { active: false }, own())],
    ['another client', (id: string) => app.patch(`${path}/${id}`, { client_id: 'other' }, own())],
  ])('end when their connection is %s', async (_, change) => {
    const id = await connect(app, body(), workspace.key)
    const browser = new TestBrowser(app)
    expect(await attempt({ sub: '1', email: `a${count}@example.com` }, browser)).toBe('signed in')
    await app.patch(`${path}/${id}`, { name: 'Other name' }, own())
    expect((await browser.get('/v1/me')).status).toBe(200)
    expect((await change(id)).status).toBeLessThan(300)
    expect((await browser.get('/v1/me')).status).toBe(401)
    const { body: log } = await app.get('/v1/audit_log?action=session.ended', own())
    expect(log.data).toHaveLength(1)
  })
})

describe('a check', () => {
  it('says nothing about a connection that changes meanwhile', async () => {
    const id = await connect(app, body(), workspace.key)
    const gate = Promise.withResolvers<void>()
    provider.gate = gate.promise
    const before = provider.requests.length
    const testing = app.post(`${path}/${id}/test`, undefined, own())
    await expect.poll(() => provider.requests.length).toBeGreaterThan(before)
    await app.patch(`${path}/${id}`, { name: 'Changed' }, own())
    gate.resolve()
    const { data } = (await testing).body
    expect([data.ok, data.steps.at(-1).name]).toEqual([false, 'unchanged'])
    expect((await app.get(`${path}/${id}`, own())).body.data.tested_at).toBeNull()
  })
})

describe('an address on the sign-in page', () => {
  const choices = (email: string) => connectionChoicesFor(app.db, email)

  it('leads to a connection that has signed in a member of its domain, in one workspace alone', async () => {
    const domain = `company${count}.example`
    const settings = body({ name: 'Company login', allowed_domains: ['example.com', domain] })
    await connect(app, settings, workspace.key)
    expect(await attempt({ sub: '1', email: `x${count}@example.com` })).toBe('signed in')
    expect(await choices(`ada@${domain}`)).toEqual([])
    expect(await attempt({ sub: '2', email: `bob@${domain}` })).toBe('signed in')
    const matches = await choices(`ada@${domain.toUpperCase()}`)
    expect(matches.map(({ name }) => name)).toEqual([`Company login (Test ${count})`])
    const rival = await app.workspace('Rival')
    await connect(app, settings, rival.key)
    expect(await choices(`ada@${domain}`)).toHaveLength(1)
    expect(await attempt({ sub: '3', email: `eve@${domain}` }, new TestBrowser(app), rival.id)).toBe(
      'signed in',
    )
    expect(await choices(`ada@${domain}`)).toEqual([])
  })
})
