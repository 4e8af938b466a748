// Who gets in by single sign-on, as whom, with which role, and how far.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { ForgingProvider } from '#test/support/sign-in/oidc-provider.ts'
import {
  attemptSignIn,
  connect,
  oidcConnection,
  publicUrl,
  ssoEnv,
  TestBrowser,
} from '#test/support/sign-in/sso.ts'

let app: TestApp
let provider: ForgingProvider
let workspace: TestWorkspace
let count = 0
beforeAll(async () => {
  app = await testApp({ env: ssoEnv })
  provider = await ForgingProvider.start()
})
/** Each test has a workspace of its own. */
beforeEach(async () => {
  workspace = await app.workspace(`Test ${++count}`)
  provider.forgery = {}
  provider.discovery = {}
})

const connectOwn = (more: object = {}) => connect(app, oidcConnection(provider.issuer, more), workspace.key)
const newAddress = () => `person${++count}@example.com`
const own = () => ({ key: workspace.key })

const attempt = (claims: object, browser = new TestBrowser(app), id = workspace.id): Promise<string> =>
  attemptSignIn(provider, browser, id, claims)

async function invite(email: string, role: string): Promise<string> {
  const answer = await app.post('/v1/members', { member: { email, role } }, own())
  return answer.body.data.id
}

describe('a person', () => {
  it('becomes a member at the first sign-in, where the connection allows it', async () => {
    await connectOwn()
    const email = newAddress()
    expect(await attempt({ sub: '1', email })).toBe(`${email} member`)
    const { body } = await app.get('/v1/members', own())
    expect(body.data.map((member: { email: string }) => member.email)).toContain(email)
  })

  it('is refused where it does not', async () => {
    await connectOwn({ just_in_time: false })
    expect(await attempt({ sub: '1', email: newAddress() })).toContain('not a member')
  })

  it('who was invited becomes active, with the role of the invitation', async () => {
    await connectOwn({ just_in_time: false })
    const email = newAddress()
    const id = await invite(email, 'manager')
    expect(await attempt({ sub: '1', email: email.toUpperCase() })).toBe(`${email} manager`)
    const { body } = await app.get(`/v1/members/${id}`, own())
    expect(body.data.status).toBe('active')
  })

  it.each([
    ['of another domain', { email: 'x@other.example' }, 'domain'],
    ['of a domain that ends alike', { email: 'x@evilexample.com' }, 'domain'],
    ['of a subdomain', { email: 'x@sub.example.com' }, 'domain'],
    ['with an allowed domain before another', { email: 'x@example.com@evil.example' }, 'no email address'],
    ['without an address', { email: undefined }, 'no email address'],
    ['with a strange address', { email: 'not an address' }, 'no email address'],
    [
      'with a letter that becomes another in lower case',
      { email: '\u212aay@example.com' },
      'no email address',
    ],
    ['whose address is not confirmed', { email: 'new@example.com', email_verified: false }, 'not confirm'],
    [
      'without a word about the address',
      { email: 'new@example.com', email_verified: undefined },
      'not confirm',
    ],
  ])('%s is refused', async (_, claims, problem) => {
    await connectOwn()
    expect(await attempt({ sub: 'x', ...claims })).toContain(problem)
    const { body } = await app.get('/v1/members', own())
    expect(body.data).toHaveLength(1)
  })

  it('gets in without a confirmed address where the connection trusts its provider', async () => {
    await connectOwn({ trust_email: true })
    const email = newAddress()
    expect(await attempt({ sub: '1', email, email_verified: undefined })).toBe(`${email} member`)
    expect(await attempt({ sub: '2', email: 'x@other.example' })).toContain('domain')
  })

  it('stays the same when the address changes at the provider', async () => {
    await connectOwn()
    const [email, changed] = [newAddress(), newAddress()]
    expect(await attempt({ sub: '1', email })).toBe(`${email} member`)
    expect(await attempt({ sub: '1', email: changed })).toBe(`${email} member`)
    expect(await attempt({ sub: '1', email: changed, email_verified: false })).toBe(`${email} member`)
  })

  it('does not become another one by taking their address', async () => {
    await connectOwn()
    const [ada, mallory] = [newAddress(), newAddress()]
    expect(await attempt({ sub: 'ada', email: ada })).toBe(`${ada} member`)
    expect(await attempt({ sub: 'mallory', email: mallory })).toBe(`${mallory} member`)
    expect(await attempt({ sub: 'mallory', email: ada })).toBe(`${mallory} member`)
    // A new account of the provider, with the address of a member who signs in with another one.
    expect(await attempt({ sub: 'mallory-2', email: ada })).toContain('another account')
    expect(await attempt({ sub: 'ada', email: ada })).toBe(`${ada} member`)
  })

  it('who was removed is a stranger again', async () => {
    const id = await connectOwn()
    const email = newAddress()
    await attempt({ sub: '1', email })
    const { body } = await app.get('/v1/members', own())
    const member = body.data.find((row: { email: string }) => row.email === email)
    await app.del(`/v1/members/${member.id}`, own())
    await app.patch(`/v1/sso_connections/${id}`, { just_in_time: false }, own())
    expect(await attempt({ sub: '1', email })).toContain('not a member')
  })
})

describe('a role', () => {
  const mapped = {
    group_claim: 'groups',
    group_roles: [
      { group: 'admins', role: 'admin' },
      { group: 'editors', role: 'manager' },
    ],
  }

  it('follows the groups at each sign-in; the highest counts', async () => {
    await connectOwn(mapped)
    const email = newAddress()
    const as = (groups: unknown) => attempt({ sub: '1', email, groups })
    expect(await as(['editors'])).toBe(`${email} manager`)
    expect(await as(['editors', 'admins', 'x'])).toBe(`${email} admin`)
    expect(await as([])).toBe(`${email} member`)
    expect(await as('editors')).toBe(`${email} manager`)
    expect(await as(['Admins', 'admins '])).toBe(`${email} member`)
    expect(await as({ admins: true })).toBe(`${email} member`)
    const { body } = await app.get('/v1/audit_log?action=member.role_changed', own())
    expect(body.data.length).toBe(4)
  })

  it('is found by a path into the claims', async () => {
    await connectOwn({ ...mapped, group_claim: 'realm_access.roles' })
    const email = newAddress()
    expect(await attempt({ sub: '1', email, realm_access: { roles: ['admins'] } })).toBe(`${email} admin`)
  })

  it('is missing without a group and a default: the person is refused', async () => {
    await connectOwn({ ...mapped, default_role: null })
    const email = newAddress()
    expect(await attempt({ sub: '1', email, groups: ['x'] })).toContain('no default role')
    expect(await attempt({ sub: '1', email, groups: ['editors'] })).toBe(`${email} manager`)
    expect(await attempt({ sub: '1', email, groups: [] })).toContain('no default role')
  })

  it('of the owner is neither given nor taken', async () => {
    await connectOwn(mapped)
    const { email } = (await app.get('/v1/me', own())).body.data.account
    expect(await attempt({ sub: '1', email, groups: [] })).toBe(`${email} owner`)
    const answer = await app.post(
      '/v1/sso_connections',
      oidcConnection(provider.issuer, { ...mapped, group_roles: [{ group: 'a', role: 'owner' }] }),
      own(),
    )
    expect(answer.status).toBe(422)
  })

  it('that an admin has given stays, where no group is mapped', async () => {
    await connectOwn({ default_role: 'member' })
    const email = newAddress()
    await invite(email, 'manager')
    expect(await attempt({ sub: '1', email })).toBe(`${email} manager`)
  })
})

describe('a session of single sign-on', () => {
  /** An account with a place in `other`, and the provider of `workspace`, which says what its admins want. */
  async function impersonated(): Promise<{ browser: TestBrowser; email: string; victim: TestWorkspace }> {
    const victim = await app.workspace(`Victim ${++count}`)
    const email = newAddress()
    await connect(app, oidcConnection(provider.issuer), victim.key)
    expect(await attempt({ sub: 'real', email }, new TestBrowser(app), victim.id)).toBe(`${email} member`)
    await connectOwn()
    const browser = new TestBrowser(app)
    // A person who has never signed in by a way of their own needs no invitation: the session reaches no other workspace.
    expect(await attempt({ sub: 'fake', email }, browser)).toBe(`${email} member`)
    return { browser, email, victim }
  }

  it('reaches the workspace of its connection, and no other of the account', async () => {
    const { browser, victim } = await impersonated()
    const at = (id: string) => browser.get('/v1/workspace', { headers: { 'signoff-workspace': id } })
    expect((await at(workspace.id)).body.data.id).toBe(workspace.id)
    expect((await at(victim.id)).status).toBe(404)
    expect((await browser.get('/v1/workspace')).body.data.id).toBe(workspace.id)
    const me = await browser.get('/v1/me')
    expect(me.body.data.workspaces.map(({ id }: { id: string }) => id)).toEqual([workspace.id])
  })

  it('leaves no entry in the audit log of another workspace', async () => {
    const { victim } = await impersonated()
    const started = (key: string) => app.get('/v1/audit_log?action=session.started', { key })
    expect((await started(victim.key)).body.data).toHaveLength(1)
    expect((await started(workspace.key)).body.data).toHaveLength(1)
  })

  it('changes no way to sign in, and sees no session of another workspace', async () => {
    const { browser } = await impersonated()
    const change = await browser.call('POST', '/auth/password/change', {
      body: { new: 'correct horse battery' },
    })
    expect(change.body.error.code).toBe('own_sign_in_required')
    const { body } = await browser.get('/v1/sessions')
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).toMatchObject({ current: true, method: 'oidc' })
  })

  it('is admitted by no route of an account that is not marked for it', () => {
    const admitted = app.routes
      .filter(({ admitsSso }) => admitsSso)
      .map(({ method, path }) => `${method} ${path}`)
    expect(admitted.sort()).toEqual(['DELETE /v1/sessions/{id}', 'GET /v1/sessions', 'POST /auth/sign_out'])
  })

  it('that signs out everywhere ends those of its workspace', async () => {
    const { browser, email, victim } = await impersonated()
    const real = new TestBrowser(app)
    expect(await attempt({ sub: 'real', email }, real, victim.id)).toBe(`${email} member`)
    expect((await browser.call('POST', '/auth/sign_out', { body: { everywhere: true } })).status).toBe(204)
    expect((await real.get('/v1/me')).status).toBe(200)
  })
})

describe('a workspace that insists on single sign-on', () => {
  const policy = '/v1/workspace/sign_in_policy'

  it('needs a connection that was tested or used', async () => {
    const insist = () => app.patch(policy, { sso_required: true }, own())
    expect((await insist()).body.error.code).toBe('last_way_in')
    const id = await connectOwn()
    expect((await insist()).body.error.code).toBe('last_way_in')
    await app.post(`/v1/sso_connections/${id}/test`, undefined, own())
    expect((await insist()).body.data).toMatchObject({ sso_required: true, second_factor_required: false })
    expect((await app.get(policy, own())).body.data.sso_required).toBe(true)
  })

  it('keeps its last connection that works', async () => {
    const id = await connectOwn({ allowed_domains: ['example.com', 'example.org'] })
    await attempt({ sub: '1', email: newAddress() })
    await app.patch(policy, { sso_required: true }, own())
    const path = `/v1/sso_connections/${id}`
    const changes = [
      () => app.del(path, own()),
      () => app.patch(path, { active: false }, own()),
      () => app.patch(path, { client_id: 'other' }, own()),
      () => app.patch(path, { client_secret: 'wrong' }, own()),
      () => app.patch(path, { scopes: ['openid'] }, own()),
      () => app.patch(path, { email_claim: 'nothing' }, own()),
      () => app.patch(path, { allowed_domains: ['example.org'] }, own()),
      () =>
        app.patch(
          path,
          { default_role: null, group_claim: 'groups', group_roles: [{ group: 'none', role: 'admin' }] },
          own(),
        ),
    ]
    for (const change of changes) expect((await change()).body.error?.code).toBe('last_way_in')
    const harmless = { name: 'New', allowed_domains: ['example.com', 'example.org', 'example.net'] }
    expect((await app.patch(path, harmless, own())).status).toBe(200)
    expect(await attempt({ sub: '2', email: newAddress() })).toContain('member')
    await app.patch(policy, { sso_required: false }, own())
    expect((await app.del(path, own())).status).toBe(204)
  })

  it('is closed to sessions of other ways, at once, and open to keys', async () => {
    await connectOwn()
    const email = newAddress()
    const sso = new TestBrowser(app)
    await attempt({ sub: '1', email }, sso)
    await app.patch(policy, { sso_required: true }, own())
    expect((await sso.get('/v1/me')).status).toBe(200)
    expect((await app.get('/v1/me', own())).status).toBe(200)
    // The same session, as if it had begun with a password.
    await app.db.query({
      text: "update sessions set method = 'password', sso_workspace_id = null where account_id = (select id from accounts where email = $1)",
      values: [email],
    } as never)
    await expect.poll(async () => (await sso.get('/v1/me')).body.error?.code).toBe('sso_required')
    // The reset by the operator also verifies the account.
    await app.db.query(sql`update accounts set verified_at = now() where email = ${email}`)
    await app.db.query({
      text: "update sessions set method = 'operator' where account_id = (select id from accounts where email = $1)",
      values: [email],
    } as never)
    await expect.poll(async () => (await sso.get('/v1/me')).status).toBe(200)
  })

  it('is set by owners and admins alone', async () => {
    await connectOwn()
    const browser = new TestBrowser(app)
    await attempt({ sub: '1', email: newAddress() }, browser)
    for (const path of ['/v1/sso_connections', policy])
      expect((await browser.get(path)).body.error.code, path).toBe('insufficient_role')
    expect((await browser.call('PATCH', policy, { body: {} })).body.error.code).toBe('insufficient_role')
  })
})

describe('a connection', () => {
  it('never shows its secret', async () => {
    const id = await connectOwn({ client_secret: 'top-secret-value' })
    const path = `/v1/sso_connections/${id}`
    for (const answer of [
      await app.get(path, own()),
      await app.get('/v1/sso_connections', own()),
      await app.patch(path, { name: 'Renamed', client_secret: 'another-top-secret' }, own()),
      await app.get('/v1/audit_log', own()),
    ])
      expect(answer.text).not.toContain('top-secret')
    expect((await app.get(path, own())).body.data).toMatchObject({
      name: 'Renamed',
      has_client_secret: true,
      callback_url: `${publicUrl}/auth/oidc/callback`,
      sign_in_url: `${publicUrl}/auth/oidc/${workspace.id}?connection=${id}`,
    })
    const rows = await app.db.query({
      text: 'select client_secret from sso_connections where id = $1',
      values: [id],
    } as never)
    expect(String((rows[0] as { client_secret: Buffer }).client_secret)).not.toContain('secret')
  })

  it('does not take its secret to another issuer', async () => {
    const id = await connectOwn()
    const evil = await ForgingProvider.start()
    const answer = await app.patch(`/v1/sso_connections/${id}`, { issuer: evil.issuer }, own())
    expect(answer.body.details[0]).toMatchObject({ field: 'client_secret', code: 'missing' })
  })

  it.each([
    ['no issuer', { issuer: undefined }, 'issuer'],
    ['an issuer without TLS', { issuer: 'http://login.example.com' }, 'issuer'],
    ['an issuer with a password', { issuer: 'https://a:b@login.example.com' }, 'issuer'],
    ['an issuer in a private network', { issuer: 'https://10.0.0.5/realms/a' }, 'issuer'],
    ['no client', { client_id: undefined }, 'client_id'],
    ['no openid', { scopes: ['email'] }, 'scopes'],
    ['any person as member', { allowed_domains: [] }, 'allowed_domains'],
    [
      'trust in all domains',
      { allowed_domains: [], just_in_time: false, trust_email: true },
      'allowed_domains',
    ],
    ['groups without a claim', { group_roles: [{ group: 'a', role: 'admin' }] }, 'group_claim'],
    ['settings of SAML', { sso_url: 'https://login.example.com' }, 'sso_url'],
    ['a broken domain', { allowed_domains: ['@example.com'] }, 'allowed_domains[0]'],
  ])('with %s is refused', async (_, more, field) => {
    const answer = await app.post('/v1/sso_connections', oidcConnection(provider.issuer, more), own())
    expect([answer.status, answer.body.details?.[0]?.field]).toEqual([422, field])
  })

  it('is out of reach of other workspaces', async () => {
    const id = await connectOwn()
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
    ] as const)
      expect((await app.call(method, `/v1/sso_connections/${id}${path}`)).status).toBe(404)
    expect((await new TestBrowser(app).get(`/auth/oidc/${app.id}?connection=${id}`)).status).toBe(404)
  })

  it('leaves its changes and refusals in the audit log', async () => {
    const id = await connectOwn()
    await app.patch(`/v1/sso_connections/${id}`, { name: 'New' }, own())
    await app.post(`/v1/sso_connections/${id}/test`, undefined, own())
    await attempt({ sub: 'x', email: 'x@other.example' })
    await app.del(`/v1/sso_connections/${id}`, own())
    const { body } = await app.get('/v1/audit_log?resource=sso_connection', own())
    expect(body.data.map(({ action }: { action: string }) => action).reverse()).toEqual([
      'sso_connection.created',
      'sso_connection.updated',
      'sso_connection.tested',
      'sso_connection.sign_in_refused',
      'sso_connection.deleted',
    ])
  })
})
