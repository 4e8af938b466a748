// Sign-in by SAML through the app: cookies, requests, replays.
import { inflateRawSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type Answer, type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import {
  encode,
  type ResponseOptions,
  type SamlProvider,
  samlProvider,
} from '#test/support/sign-in/saml-provider.ts'
import { connect, outcomeOf, publicUrl, ssoEnv, TestBrowser } from '#test/support/sign-in/sso.ts'

let app: TestApp
let provider: SamlProvider
let workspace: TestWorkspace
let connectionId: string
let count = 0
const own = () => ({ key: workspace.key })

beforeAll(async () => {
  app = await testApp({ env: ssoEnv })
  provider = await samlProvider()
})
const samlConnection = (more: object = {}) => ({
  kind: 'saml',
  name: 'SAML',
  metadata_xml: provider.metadata('https://idp.example/sso'),
  allowed_domains: ['example.com'],
  just_in_time: true,
  group_claim: 'groups',
  group_roles: [{ group: 'admins', role: 'admin' }],
  ...more,
})
beforeEach(async () => {
  workspace = await app.workspace(`SAML ${++count}`)
  connectionId = await connect(app, samlConnection(), workspace.key)
})

interface Begun {
  readonly requestId: string
  readonly relayState: string
  readonly location: URL
}

async function begin(browser: TestBrowser, id = workspace.id): Promise<Begun> {
  const answer = await browser.get(`/auth/saml/${id}?return_to=/docs/start`)
  const location = new URL(answer.headers.location ?? '')
  const request = inflateRawSync(
    Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64'),
  ).toString()
  return {
    location,
    relayState: location.searchParams.get('RelayState') ?? '',
    requestId: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
  }
}

const respond = (requestId: string | null, more: Partial<ResponseOptions> = {}, id = workspace.id) =>
  encode(
    provider.response({
      acsUrl: `${publicUrl}/auth/saml/${id}/acs`,
      audience: `${publicUrl}/auth/saml/${id}/metadata`,
      requestId,
      attributes: { email: `ada${count}@example.com`, displayName: 'Ada Lovelace' },
      ...more,
    }),
  )

const post = (browser: TestBrowser, response: string, RelayState: string, id = workspace.id) =>
  browser.postForm(`/auth/saml/${id}/acs`, { SAMLResponse: response, RelayState })

/** The whole way. */
async function signIn(browser: TestBrowser, more: Partial<ResponseOptions> = {}): Promise<Answer> {
  const { requestId, relayState } = await begin(browser)
  const answer = await post(browser, respond(requestId, more), relayState)
  return answer.status === 303 ? browser.get(answer.headers.location ?? '') : answer
}

describe('a sign-in by SAML', () => {
  it('leads to the provider, and back to the page that was asked for', async () => {
    const browser = new TestBrowser(app)
    const { location, relayState } = await begin(browser)
    expect(location.origin + location.pathname).toBe('https://idp.example/sso')
    expect(relayState.length).toBeLessThanOrEqual(80)
    const attributes = { email: `ada${count}@example.com`, displayName: 'Ada', groups: ['admins', 'x'] }
    const answer = await signIn(browser, { attributes })
    expect([answer.status, answer.headers.location]).toEqual([303, '/docs/start'])
    const { body } = await browser.get('/v1/me')
    expect(body.data).toMatchObject({ account: { name: 'Ada' }, member: { role: 'admin' } })
    expect(body.data.workspaces).toHaveLength(1)
    const stored = await app.get(`/v1/sso_connections/${connectionId}`, own())
    expect(stored.body.data.last_sign_in_at).not.toBeNull()
  })

  it('begins the session in the browser that has started it, and nowhere else', async () => {
    const attacker = new TestBrowser(app)
    const { requestId, relayState } = await begin(attacker)
    const victim = new TestBrowser(app)
    const posted = await post(victim, respond(requestId), relayState)
    expect(posted.status).toBe(303)
    expect(posted.headers['set-cookie']).toBeUndefined()
    const finish = posted.headers.location ?? ''
    expect(outcomeOf(await victim.get(finish))).toContain('not started in this browser')
    expect(victim.hasSession).toBe(false)
    expect((await attacker.get(finish)).status).toBe(303)
    expect(outcomeOf(await attacker.get(finish))).toContain('not started in this browser')
  })

  it('refuses a response that was used before', async () => {
    const browser = new TestBrowser(app)
    const { requestId, relayState } = await begin(browser)
    const response = respond(requestId)
    expect((await post(browser, response, relayState)).status).toBe(303)
    // Before and after the session has begun.
    expect(outcomeOf(await post(browser, response, relayState))).toContain('not started')
    const second = await begin(browser)
    expect(outcomeOf(await post(browser, response, second.relayState))).toContain('not valid')
    const sameId = { assertionId: 'twice' }
    const [third, fourth] = [await begin(browser), await begin(browser)]
    expect((await post(browser, respond(third.requestId, sameId), third.relayState)).status).toBe(303)
    expect(outcomeOf(await post(browser, respond(fourth.requestId, sameId), fourth.relayState))).toContain(
      'not valid',
    )
  })

  it('refuses a response to another request, of another workspace, or without one', async () => {
    const browser = new TestBrowser(app)
    const first = await begin(browser)
    const foreign = await begin(new TestBrowser(app))
    expect(outcomeOf(await post(browser, respond(foreign.requestId), first.relayState))).toContain(
      'not valid',
    )
    const second = await begin(browser)
    expect(outcomeOf(await post(browser, respond(null), second.relayState))).toContain('not valid')
    for (const relayState of ['', 'x', 'A'.repeat(64)])
      expect(outcomeOf(await post(browser, respond(first.requestId), relayState))).toContain('not started')
    const other = await app.workspace(`Other ${++count}`)
    await connect(app, samlConnection(), other.key)
    const response = respond(first.requestId)
    expect(outcomeOf(await post(browser, response, first.relayState, other.id))).toContain('not started')
    const there = await begin(browser, other.id)
    expect(outcomeOf(await post(browser, response, there.relayState, other.id))).toContain('not valid')
  })

  it('ends with a wrong response, which leaves one entry in the audit log', async () => {
    const browser = new TestBrowser(app)
    const { requestId, relayState } = await begin(browser)
    const wrong = () => post(browser, encode('<x/>'), relayState)
    const [first, ...others] = await Promise.all([wrong(), wrong(), wrong()])
    for (const answer of [first, ...others]) expect(answer?.body.error.code).toBe('sso_refused')
    expect(outcomeOf(await post(browser, respond(requestId), relayState))).toContain('not started')
    const { body } = await app.get('/v1/audit_log?action=sso_connection.sign_in_refused', own())
    expect(body.data).toHaveLength(1)
  })

  it.each([
    ['a forged signature', async () => ({ using: await samlProvider() })],
    ['another domain', async () => ({ more: { attributes: { email: 'x@other.example' } } })],
    ['no address', async () => ({ more: { attributes: {} } })],
  ] as const)('refuses %s, and says so at the connection', async (_, make) => {
    const { using, more } = { using: provider, more: {}, ...(await make()) }
    const browser = new TestBrowser(app)
    const { requestId, relayState } = await begin(browser)
    const response = encode(
      using.response({
        acsUrl: `${publicUrl}/auth/saml/${workspace.id}/acs`,
        audience: `${publicUrl}/auth/saml/${workspace.id}/metadata`,
        requestId,
        ...more,
      }),
    )
    const posted = await post(browser, response, relayState)
    const answer = posted.status === 303 ? await browser.get(posted.headers.location ?? '') : posted
    expect(answer.body.error.code).toBe('sso_refused')
    expect(browser.hasSession).toBe(false)
    const { body } = await app.get(`/v1/sso_connections/${connectionId}`, own())
    expect(body.data.last_refusal.code).toMatch(/invalid_answer|domain_not_allowed|no_address/)
  })

  it('that begins at the provider is refused, unless the connection allows it; then it works once', async () => {
    const unasked = (browser: TestBrowser, response = respond(null)) => post(browser, response, '/docs/start')
    expect(outcomeOf(await unasked(new TestBrowser(app)))).toContain('not started')
    await app.patch(`/v1/sso_connections/${connectionId}`, { idp_initiated: true }, own())
    const browser = new TestBrowser(app)
    const response = respond(null)
    const answer = await unasked(browser, response)
    expect([answer.status, browser.hasSession]).toEqual([303, false])
    const finish = answer.headers.location ?? ''
    expect(outcomeOf(await new TestBrowser(app).get(finish))).toContain('not started in this browser')
    const finished = await browser.get(finish)
    expect([finished.status, finished.headers.location, browser.hasSession]).toEqual([
      303,
      '/docs/start',
      true,
    ])
    expect(outcomeOf(await unasked(new TestBrowser(app), response))).toContain('not valid')
    const { requestId } = await begin(browser)
    expect(outcomeOf(await unasked(browser, respond(requestId)))).toContain('not valid')
  })

  it('that begins at the provider is known as one of the same browser the next time', async () => {
    await app.patch(`/v1/sso_connections/${connectionId}`, { idp_initiated: true }, own())
    const browser = new TestBrowser(app)
    const browsers = async () => {
      const posted = await post(browser, respond(null), '')
      expect((await browser.get(posted.headers.location ?? '')).status).toBe(303)
      const rows = await app.db.query(sql`
        select from known_browsers where account_id = (
          select account_id from members where workspace_id = ${workspace.id} and role = 'member')`)
      return rows.length
    }
    expect([await browsers(), await browsers()]).toEqual([1, 1])
    const { body } = await browser.get('/v1/sessions')
    expect(body.data).toHaveLength(1)
  })

  it('that begins at the provider and is forged is recorded, at most once a minute', async () => {
    await app.patch(`/v1/sso_connections/${connectionId}`, { idp_initiated: true }, own())
    for (let n = 0; n < 3; n++) await post(new TestBrowser(app), encode('<x/>'), '')
    const { body } = await app.get('/v1/audit_log?action=sso_connection.sign_in_refused', own())
    expect(body.data).toHaveLength(1)
  })

  it('goes on when the certificate changes', async () => {
    const next = await samlProvider()
    const certificates = [provider.certificate, next.certificate]
    await app.patch(`/v1/sso_connections/${connectionId}`, { certificates }, own())
    expect((await signIn(new TestBrowser(app))).status).toBe(303)
    const browser = new TestBrowser(app)
    const { requestId, relayState } = await begin(browser)
    const response = next.response({
      acsUrl: `${publicUrl}/auth/saml/${workspace.id}/acs`,
      audience: `${publicUrl}/auth/saml/${workspace.id}/metadata`,
      requestId,
    })
    expect((await post(browser, encode(response), relayState)).status).toBe(303)
  })

  it('links its person anew after the provider was replaced', async () => {
    const browser = new TestBrowser(app)
    expect((await signIn(browser)).status).toBe(303)
    await app.post(`/v1/sso_connections/${connectionId}/test`, undefined, own())
    await app.patch('/v1/workspace/sign_in_policy', { sso_required: true }, own())
    const path = `/v1/sso_connections/${connectionId}`
    const next = await samlProvider()
    const both = [provider.certificate, next.certificate]
    expect((await app.patch(path, { certificates: both }, own())).status).toBe(200)
    const refused = await app.patch(path, { certificates: [next.certificate] }, own())
    expect(refused.body.error.code).toBe('last_way_in')
    await app.patch('/v1/workspace/sign_in_policy', { sso_required: false }, own())
    expect((await app.patch(path, { certificates: [provider.certificate] }, own())).status).toBe(200)
    expect((await browser.get('/v1/me')).status).toBe(200)
    const links = () => app.db.query(sql`select from sso_identities where workspace_id = ${workspace.id}`)
    expect(await links()).toHaveLength(1)
    expect((await app.patch(path, { certificates: [next.certificate] }, own())).status).toBe(200)
    expect(await links()).toHaveLength(0)
    expect((await browser.get('/v1/me')).status).toBe(401)
    const { body } = await app.get('/v1/audit_log?action=member.sso_unlinked', own())
    expect(body.data).toHaveLength(1)
  })
})

describe('a SAML connection', () => {
  it('is checked step by step', async () => {
    const { body } = await app.post(`/v1/sso_connections/${connectionId}/test`, undefined, own())
    expect(body.data.steps.map((step: { name: string; status: string }) => [step.name, step.status])).toEqual(
      [
        ['sso_url', 'ok'],
        ['certificates', 'ok'],
        ['metadata', 'skipped'],
        ['members', 'ok'],
      ],
    )
  })

  it.each([
    ['no metadata', { metadata_xml: '<a/>' }, 'metadata_xml'],
    ['an entity bomb', { metadata_xml: '<!DOCTYPE a [<!ENTITY b "c">]><a/>' }, 'metadata_xml'],
    ['a private address', { metadata_xml: undefined, metadata_url: 'https://10.0.0.1/m' }, 'metadata_url'],
    [
      'no certificate',
      { metadata_xml: undefined, issuer: 'x', sso_url: 'https://a.example' },
      'certificates',
    ],
    ['a wrong certificate', { certificates: ['hello'] }, 'certificates[0]'],
    ['no domain', { allowed_domains: [] }, 'allowed_domains'],
    ['a secret', { client_secret: 'x' }, 'client_secret'],
  ])('with %s is refused', async (_, more, field) => {
    const answer = await app.post('/v1/sso_connections', samlConnection(more), own())
    expect([answer.status, answer.body.details?.[0]?.field]).toEqual([422, field])
  })

  it('has metadata for its provider', async () => {
    const answer = await app.get(`/auth/saml/${workspace.id}/metadata`, { key: null })
    expect(answer.headers['content-type']).toContain('application/samlmetadata+xml')
    expect(answer.text).toContain(`${publicUrl}/auth/saml/${workspace.id}/acs`)
  })

  it('takes forms and nothing else, and none that is too large', async () => {
    const path = `/auth/saml/${workspace.id}/acs`
    const browser = new TestBrowser(app)
    expect((await browser.call('POST', path, { body: { SAMLResponse: 'x' } })).status).toBe(415)
    const { relayState } = await begin(browser)
    expect((await post(browser, 'x'.repeat(450_000), relayState)).status).toBe(422)
    expect((await post(browser, 'x'.repeat(600_000), relayState)).status).toBe(413)
    expect(outcomeOf(await post(browser, encode('<'.repeat(200_000)), relayState))).toContain('not valid')
  })
})
