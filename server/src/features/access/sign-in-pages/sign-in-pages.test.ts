import { beforeAll, describe, expect, it } from 'vitest'
import { createSetupLink } from '#features/access/access/index.ts'
import { addMember } from '#features/workspace/accounts/index.ts'
import { encodeWorkspaceId } from '#kernel/base/public-address.ts'
import { sql } from '#kernel/db/db.ts'
import { html } from '#pages/markup.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { languageOf } from './language.ts'
import { pathWith } from './visit.ts'

let app: TestApp
let cookie: string
const password = 'four green ducks swim'
const own = { 'sec-fetch-site': 'same-origin' }

beforeAll(async () => {
  app = await testApp()
  await addMember(app.db, app.other.id, { name: 'Ada', email: 'owner@example.com', role: 'manager' })
})

const open = (path: string, headers: Record<string, string> = {}) => app.get(path, { key: null, headers })
const send = (path: string, form: Record<string, string>, headers: Record<string, string> = own) =>
  app.call('POST', path, {
    key: null,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const me = async (session: string) =>
  (await app.get('/v1/me', { key: null, headers: { cookie: session } })).body.data
/** `name=value` of the session's cookie. */
const sessionIn = ({ headers }: Answer): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .find(text => text.startsWith('signoff='))
    ?.split(';')[0] ?? ''

describe('the sign-in pages', () => {
  it('complete the set-up by forms, and redirect with the cookie', async () => {
    const [, token = ''] =
      (await createSetupLink(app.db, app.config.publicUrl, app.parts.secondFactors))?.split('#') ?? []
    expect((await send('/setup', { token: 'wrong' })).status).toBe(422)
    const asked = await send('/setup', { token: `http://localhost:3000/setup#${token}` })
    expect(asked.text).toContain('value="owner@example.com" readonly')
    const fields = { token, step: 'account', name: 'Ada', password }
    const blank = await send('/setup', { ...fields, name: ' ' })
    expect([blank.status, blank.text.includes('id="name-wrong"')]).toEqual([422, true])
    const done = await send('/setup', fields)
    expect([done.status, done.headers.location]).toEqual([303, '/setup/passkey'])
    cookie = sessionIn(done)
    const offer = await open('/setup/passkey', { cookie })
    expect(offer.text).toContain('href="/sign-in/workspace?return_to=%2Fwelcome"')
    expect((await open('/setup/passkey')).headers.location).toBe('/sign-in?return_to=%2Fwelcome')
    expect((await me(cookie)).account.name).toBe('Ada')
  })

  it('have headers that allow only their own style and scripts, by hash, and no cache', async () => {
    for (const path of ['/sign-in', '/setup', '/invitation', '/reset', '/forgot', '/signed-out']) {
      const { status, headers } = await open(path)
      expect(status, path).toBe(200)
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'sha256-[^']+' 'sha256-[^']+' 'sha256-[^']+'; style-src 'sha256-[^']+';/,
      )
      expect(headers['content-security-policy']).toContain("form-action 'self'; frame-ancestors 'none'")
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
    }
  })

  it('refuse forms of other sites, and change nothing', async () => {
    const strange = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]
    for (const headers of strange) {
      const signIn = await send('/sign-in', { email: 'owner@example.com', password }, headers)
      expect([signIn.status, signIn.headers['set-cookie']], JSON.stringify(headers)).toEqual([403, undefined])
      expect(signIn.text).toContain('The form came from another place')
      for (const path of ['/sign-out', '/sign-in/workspace', '/sign-in/second-factor/app'])
        expect((await send(path, {}, { ...headers, cookie })).status, path).toBe(403)
    }
    expect((await me(cookie)).account.name).toBe('Ada')
  })

  it('accept forms of a browser that sends only Origin, as all do over plain http', async () => {
    const headers = { origin: app.config.publicUrl }
    expect((await send('/sign-in', { email: 'owner@example.com', password }, headers)).status).toBe(303)
  })

  it('escape what they show again', async () => {
    const email = '"><script>alert(1)</script>@example.com'
    const { text } = await send('/sign-in', { email, password: 'x' })
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;@example.com"')
    expect(text).not.toContain('<script>alert(1)')
    expect(text).not.toContain('value="x"')
  })

  it('answer alike whether the account exists, and stop after ten attempts', async () => {
    const attempt = (email: string) => send('/sign-in', { email, password: 'wrong password 1' })
    const words = ({ text }: Answer) => /class="(?:wrong|note bad)"[^>]*>([^<]+)/.exec(text)?.[1]
    const before = [await attempt('owner@example.com'), await attempt('nobody@example.com')]
    expect(new Set(before.map(words))).toEqual(new Set(['Address or password is not right.']))
    for (let n = 0; n < 9; n++) await attempt('nobody@example.com')
    const after = await attempt('nobody@example.com')
    expect([after.status, words(after)]).toEqual([429, 'Too many attempts. Wait 15 minutes, then try again.'])
  })

  it('lead to the page that was asked for, never to another site', async () => {
    for (const [target, location] of [
      ['/account?done=profile', '/account?done=profile'],
      ['/signatures?folder_id=none', '/signatures?folder_id=none'],
      ['//evil.example', '/'],
      ['https://evil.example', '/'],
      ['/auth/sign_out', '/'],
      ['/%61uth/sign_out', '/'],
      ['/c/token', '/'],
      ['', '/'],
    ] as const) {
      const answer = await open(`/sign-in?return_to=${encodeURIComponent(target)}`, { cookie })
      expect([answer.status, answer.headers.location]).toEqual([303, location])
    }
  })

  it('let people with several workspaces choose', async () => {
    const { status, text } = await open('/sign-in/workspace', { cookie })
    expect([status, text.includes('>Own<'), text.includes('>Other<')]).toEqual([200, true, true])
    const chosen = await send('/sign-in/workspace', { workspace_id: app.other.id }, { ...own, cookie })
    expect(chosen.headers.location).toBe('/')
    expect((await me(cookie)).workspace.name).toBe('Other')
    const foreign = await send(
      '/sign-in/workspace',
      { workspace_id: '01890000-0000-7000-8000-000000000000' },
      { ...own, cookie },
    )
    expect(foreign.headers.location).toBe('/sign-in')
  })

  it('show the company at its own address', async () => {
    const { text } = await open(`/sign-in/${encodeWorkspaceId(app.other.id)}`)
    expect(text).toContain('<title>Sign in · Other</title>')
    expect((await open('/sign-in/nothing-here')).status).toBe(404)
    expect((await open('/sign-in')).text).toContain('<title>Sign in · Signoff</title>')
  })

  it('send a visitor without a session to the sign-in', async () => {
    for (const path of ['/account', '/sign-in/second-factor', '/sign-in/workspace']) {
      const { status, headers } = await open(`${path}?return_to=%2Faccount`)
      expect([status, headers.location?.split('?')[0]], path).toEqual([303, '/sign-in'])
    }
    for (const path of ['/sign-in/second-factor/app', '/sign-in/second-factor/app/confirm']) {
      const { status, headers } = await send(path, { return_to: '/me' })
      expect([status, headers.location], path).toEqual([303, '/sign-in?return_to=%2Fme'])
    }
  })

  it('say that a link is not possible without a mail server', async () => {
    const link = await send('/sign-in', { email: 'owner@example.com', way: 'link' })
    expect([link.status, link.text.includes('sends no mail')]).toEqual([503, true])
    expect((await open('/forgot')).text).toContain('signoff accounts reset')
  })

  it('look for single sign-on by the domain of the address, only where the company is not known', async () => {
    expect((await open(`/sign-in/${encodeWorkspaceId(app.id)}`)).text).not.toContain('value="sso"')
    const asked = await send('/sign-in', { email: 'ada@unknown.example', way: 'sso' })
    expect([asked.status, asked.text.includes('no single sign-on for this address')]).toEqual([422, true])
    const blank = await send('/sign-in', { email: 'ada', way: 'sso' })
    expect([blank.status, blank.text.includes('not a complete email address')]).toEqual([422, true])
  })

  it('sign out everywhere', async () => {
    const { headers } = await send('/sign-out', { everywhere: 'true' }, { ...own, cookie })
    expect(headers.location).toBe('/signed-out')
    expect((await open('/sign-in/workspace', { cookie })).headers.location).toBe('/sign-in')
  })
})

describe('the choice of a workspace', () => {
  /** A person of two workspaces, signed in through the identity provider of one of them. */
  async function signedInBySso() {
    const person = await app.signIn({ role: 'manager' })
    const { email, accountId } = person
    await addMember(app.db, app.other.id, { name: 'Two', email, role: 'admin' })
    await app.db.query(sql`
      update sessions set method = 'oidc', sso_workspace_id = ${app.id}, workspace_id = ${app.id}
      where account_id = ${accountId}`)
    return person
  }

  it('shows nothing of other workspaces after single sign-on', async () => {
    const { cookie } = await signedInBySso()
    const choice = await open('/sign-in/workspace', { cookie })
    expect([choice.status, choice.headers.location]).toEqual([303, '/'])
    const { text } = await open('/sign-in/workspace?again=1', { cookie })
    expect([text.includes('>Own<'), text.includes('Other')]).toEqual([true, false])
    const foreign = await send('/sign-in/workspace', { workspace_id: app.other.id }, { ...own, cookie })
    expect(foreign.headers.location).toBe('/sign-in')
    const names = (await me(cookie)).workspaces.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Own'])
    const renamed = await app.call('PATCH', '/v1/me/account', {
      key: null,
      body: { name: 'Eve' },
      headers: { ...own, cookie },
    })
    expect(renamed.body.error.code).toBe('own_sign_in_required')
  })

  it('is a page that leads on for a person without a workspace, who can sign out', async () => {
    const { cookie, accountId } = await app.signIn({ role: 'manager' })
    await app.db.query(sql`delete from members where account_id = ${accountId}`)
    const { status, text } = await open('/sign-in/workspace?return_to=%2Faccount', { cookie })
    expect([status, text.includes('You belong to no workspace')]).toEqual([200, true])
    expect(text).toContain('action="/sign-out"')
  })

  it('leads on where the workspace that a session has chosen is not open to it', async () => {
    const { email, accountId, cookie } = await app.signIn({ role: 'manager' })
    await addMember(app.db, app.other.id, { name: 'Two', email, role: 'admin' })
    await app.db.query(sql`
      insert into sign_in_policies (workspace_id, sso_required, second_factor_required, updated_at)
      values (${app.other.id}, false, true, ${new Date()})`)
    await app.db.query(sql`
      update sessions set has_second_factor = false, workspace_id = ${app.other.id} where account_id = ${accountId}`)
    const refused = await app.get('/v1/me', { key: null, headers: { cookie } })
    expect(refused.body.error.code).toBe('second_factor_required')
    const { text } = await open('/sign-in/workspace?return_to=%2Faccount', { cookie })
    expect([text.includes('>Own<'), text.includes('>Other<')]).toEqual([true, true])
    const choose = (workspace_id: string) =>
      send('/sign-in/workspace', { workspace_id, return_to: '/account' }, { ...own, cookie })
    const asked = (await choose(app.other.id)).headers.location ?? ''
    expect(asked).toBe('/sign-in/second-factor?return_to=%2Faccount')
    expect((await open(asked, { cookie })).text).toContain('Set one up to go on.')
    expect((await choose(app.id)).headers.location).toBe('/account')
    expect((await me(cookie)).workspace.name).toBe('Own')
    await app.db.query(sql`delete from sign_in_policies where workspace_id = ${app.other.id}`)
  })

  it('lets people choose a workspace only by forms of its own', async () => {
    const person = await app.signIn({ role: 'manager' })
    const { email, accountId } = person
    await addMember(app.db, app.other.id, { name: 'Two', email, role: 'admin' })
    const current = async () =>
      (await app.db.query(sql`select workspace_id from sessions where account_id = ${accountId}`))[0]
    const choose = (headers: Record<string, string>) =>
      send('/sign-in/workspace', { workspace_id: app.other.id }, { ...headers, cookie: person.cookie })
    expect((await choose({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect(await current()).toEqual({ workspace_id: app.id })
    expect((await choose(own)).headers.location).toBe('/')
    expect(await current()).toEqual({ workspace_id: app.other.id })
    expect((await person.get('/v1/me')).body.data.workspace.id).toBe(app.other.id)
    for (const workspace_id of [` ${app.id} `, app.id.toUpperCase(), 'x', '']) {
      const sent = { workspace_id }
      const refused = await send('/sign-in/workspace', sent, { ...own, cookie: person.cookie })
      expect([refused.status, await current()], workspace_id).toEqual([303, { workspace_id: app.other.id }])
    }
  })
})

describe('an invitation to an account that exists', () => {
  const cookiesOf = ({ headers }: Answer) => [headers['set-cookie'] ?? []].flat()

  it('waits in a cookie while the person signs in, never in an address', async () => {
    const person = await app.signIn({ workspace: app.other, role: 'member' })
    const member = { email: person.email, role: 'member' }
    const { invitation_url } = (await app.post('/v1/members', { member })).body.data
    const token = invitation_url.split('#')[1]
    const asked = await send('/invitation', { token })
    expect(asked.text).toContain('return_to=%2Finvitation%2Fcontinue')
    expect(asked.text).not.toContain(token)
    const [setCookie = ''] = cookiesOf(asked)
    expect(setCookie).toMatch(/^signoff-invitation=[\w-]{43}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax/)
    const cookie = `${setCookie.split(';')[0]}; ${person.cookie}`
    const continued = await open('/invitation/continue', { cookie })
    expect(continued.text).toContain(`name="token" value="${token}"`)
    const accepted = await send('/invitation', { token, step: 'accept' }, { ...own, cookie })
    expect(accepted.headers.location).toBe('/')
    expect(cookiesOf(accepted).some(text => text.startsWith('signoff-invitation=; Max-Age=0'))).toBe(true)
    expect((await open('/invitation/continue', { cookie })).status).toBe(422)
    expect((await open('/invitation/continue')).headers.location).toBe('/invitation')
  })
})

describe('an error of a page', () => {
  it('is a page too: a body of another kind, and a fault of the service', async () => {
    const json = await app.call('POST', '/sign-in', {
      key: null,
      payload: '{}',
      headers: { 'content-type': 'application/json', 'accept-language': 'de' },
    })
    expect([json.status, json.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8'])
    expect(json.text).toContain('Das Formular ist nicht lesbar')
    const broken = await testApp()
    await broken.db.query(sql`alter table workspaces rename to elsewhere`)
    const fault = await broken.get('/sign-in', { key: null })
    expect([fault.status, fault.text.includes('Not possible right now')]).toEqual([500, true])
    expect(fault.headers['content-security-policy']).toContain("default-src 'none'")
  })
})

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr,en;q=0.5,de;q=0.7', 'de'],
    ['en-GB,de', 'en'],
    ['de;q=0,en', 'en'],
    ['fr,*', 'en'],
    ['de;q=x', 'en'],
  ])('of %j is %s', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })
})

describe('a long list of languages', () => {
  it('is read in part', () => {
    expect(languageOf(`${'x,'.repeat(10_000)}de`)).toBe('en')
  })
})

describe('markup', () => {
  it('escapes values, and leaves out what is not there', () => {
    const value = `<b title="'">&</b>`
    expect(html`<p>${value}${null}${false}${undefined}${[html`<i>${1}</i>`]}</p>`.text).toBe(
      '<p>&lt;b title=&quot;&#39;&quot;&gt;&amp;&lt;/b&gt;<i>1</i></p>',
    )
  })

  it('adds queries to paths', () => {
    expect(pathWith('/a', { b: undefined, c: '' })).toBe('/a')
    expect(pathWith('/a?x=1', { b: '/c?d' })).toBe('/a?x=1&b=%2Fc%3Fd')
  })
})
