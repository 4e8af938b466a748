// Sign-ins in browsers that are signed in already, addresses of several sources, and links that came by themselves.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { Jar, newPerson, signInByPasswordIn } from '#test/support/person.ts'
import { ForgingProvider } from '#test/support/sign-in/oidc-provider.ts'
import {
  attemptSignIn,
  connect,
  oidcConnection,
  outcomeOf,
  signInAt,
  ssoEnv,
  TestBrowser,
} from '#test/support/sign-in/sso.ts'
import { hasSingleSignOn } from '../index.ts'

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
  provider.forgery = {}
})

const connectOwn = (more: object = {}) => connect(app, oidcConnection(provider.issuer, more), workspace.key)
const newAddress = () => `person${++count}@example.com`
const claim = (claims: object) => {
  provider.forgery = { claims: { ...claims } }
}
const own = () => ({ key: workspace.key })

const attempt = (claims: object, browser = new TestBrowser(app), id = workspace.id): Promise<string> =>
  attemptSignIn(provider, browser, id, claims)

async function invite(email: string, role: string): Promise<string> {
  const answer = await app.post('/v1/members', { member: { email, role } }, own())
  return answer.body.data.id
}

describe('a browser that is signed in', () => {
  it('stays signed in as its account, whichever person the provider names', async () => {
    await connectOwn()
    const [ada, mallory] = [newAddress(), newAddress()]
    const browser = new TestBrowser(app)
    expect(await attempt({ sub: 'ada', email: ada }, browser)).toBe(`${ada} member`)
    expect(await attempt({ sub: 'mallory', email: mallory }, browser)).toContain('as another account')
    expect((await browser.get('/v1/me')).body.data.account.email).toBe(ada)
    const { data } = (await app.get('/v1/members', own())).body
    expect(data.map((member: { email: string }) => member.email)).not.toContain(mallory)
    expect(await attempt({ sub: 'ada', email: ada }, browser)).toBe(`${ada} member`)
    await browser.call('POST', '/auth/sign_out')
    expect(await attempt({ sub: 'mallory', email: mallory }, browser)).toBe(`${mallory} member`)
  })

  it('keeps a session by password, and is shown whose it is', async () => {
    await connectOwn()
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    claim({ sub: 'mallory', email: newAddress() })
    const headers = { 'sec-fetch-site': 'cross-site', accept: 'text/html' }
    const begun = await jar.get(`/auth/oidc/${workspace.id}`, { headers })
    const { code, state } = provider.authorize(begun.headers.location ?? '')
    const query = new URLSearchParams({ code, state })
    const refused = await jar.get(`/auth/oidc/callback?${query}`, { headers })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain(`signed in as ${person.email}`)
    expect(refused.text).toContain('other_account')
    expect((await jar.get('/v1/me')).body.data.account.email).toBe(person.email)
  })

  it('whose session has ended signs in as the person whom the provider names', async () => {
    await connectOwn()
    const [ada, bob] = [newAddress(), newAddress()]
    const browser = new TestBrowser(app)
    await attempt({ sub: 'ada', email: ada }, browser)
    await app.db.query(sql`
      update sessions set last_used_at = now() - interval '13 hours'
      where account_id = (select id from accounts where email = ${ada})`)
    expect(await attempt({ sub: 'bob', email: bob }, browser)).toBe(`${bob} member`)
  })
})

describe('single sign-on as the last way in', () => {
  it('counts for a person who was invited, not for one who became a member by it', async () => {
    await connectOwn()
    const [invited, unknown] = [newAddress(), newAddress()]
    await invite(invited, 'member')
    const counts = async (email: string) => {
      expect(await attempt({ sub: email, email })).toBe(`${email} member`)
      const [account] = await app.db.query<{ id: string }>(
        sql`select id from accounts where email = ${email}`,
      )
      return hasSingleSignOn(app.db, account?.id ?? '')
    }
    expect([await counts(invited), await counts(unknown)]).toEqual([true, false])
    const late = newAddress()
    await invite(late, 'member')
    await app.db.query(sql`update members set invitation_expires_at = now() where email = ${late}`)
    expect(await counts(late)).toBe(false)
  })
})

describe('an address', () => {
  it('is not confirmed by what another source says about another address', async () => {
    // The user-info endpoint is asked because the ID token has no groups.
    await connectOwn({ group_claim: 'groups' })
    const [email, another] = [newAddress(), newAddress()]
    const outcome = async (claims: object, userInfo: object) => {
      provider.forgery = { claims: { sub: '1', ...claims }, userInfo: { sub: '1', ...userInfo } }
      return outcomeOf(await signInAt(provider, new TestBrowser(app), workspace.id))
    }
    const unsaid = { email, email_verified: undefined }
    expect(await outcome(unsaid, { email: another, email_verified: true })).toContain('not confirm')
    expect(await outcome(unsaid, { email_verified: true })).toContain('not confirm')
    expect(await outcome({ email: undefined, email_verified: true }, { email })).toContain('not confirm')
    const nothing = { email: undefined, email_verified: undefined }
    expect(await outcome(nothing, { email, email_verified: true })).toBe('signed in')
  })
})

describe('a workspace', () => {
  const policy = '/v1/workspace/sign_in_policy'

  it('that asks for a second factor closes sessions without one at once', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    expect((await jar.get('/v1/me')).status).toBe(200)
    await app.patch(policy, { second_factor_required: true })
    expect((await jar.get('/v1/me')).body.error?.code).toBe('second_factor_required')
    await app.patch(policy, { second_factor_required: false })
    expect((await jar.get('/v1/me')).status).toBe(200)
  })
})
