// Sign-in by SAML through the app: cookies, requests, replays.
import { inflateRawSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { encode, type ResponseOptions, type SamlProvider, samlProvider } from '#test/support/saml-provider.ts'
import { connect, outcomeOf, publicUrl, ssoEnv, TestBrowser } from '#test/support/sso.ts'

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
  const answer = await browser.get(`/auth/saml/${id}?return_to=/signatures`)
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
    expect([answer.status, answer.headers.location]).toEqual([303, '/signatures'])
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
    expect(outcomeOf(await post(browser, respond(null), first.relayState))).toContain('not valid')
    for (const relayState of ['', 'x', 'A'.repeat(64)])
      expect(outcomeOf(await post(browser, respond(first.requestId), relayState))).toContain('not started')
    const other = await app.workspace(`Other ${++count}`)
    await connect(app, samlConnection(), other.key)
    const response = respond(first.requestId)
    expect(outcomeOf(await post(browser, response, first.relayState, other.id))).toContain('not started')
    const there = await begin(browser, other.id)
    expect(outcomeOf(await post(browser, response, there.relayState, other.id))).toContain('not valid')
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
    const unasked = (browser: TestBrowser, response = respond(null)) => post(browser, response, '/signatures')
    expect(outcomeOf(await unasked(new TestBrowser(app)))).toContain('not started')
    await app.patch(`/v1/sso_connections/${connectionId}`, { idp_initiated: true }, own())
    const browser = new TestBrowser(app)
    const response = respond(null)
    const answer = await unasked(browser, response)
    expect([answer.status, answer.headers.location, browser.hasSession]).toEqual([303, '/signatures', true])
    expect(outcomeOf(await unasked(new TestBrowser(app), response))).toContain('not valid')
    const { requestId } = await begin(browser)
    expect(outcomeOf(await unasked(browser, respond(requestId)))).toContain('not valid')
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
