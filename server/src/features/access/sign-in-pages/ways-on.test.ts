// Every page leads on: after a link that was used, another person's session, or a refusal.
import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { createResetLink, hashPassword } from '#features/access/access/index.ts'
import { findAccountByEmail, updatePasswordHash } from '#features/workspace/accounts/index.ts'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { goodPassword, newPerson } from '#test/support/person.ts'

let app: TestApp
const own = { 'sec-fetch-site': 'same-origin' }
const browser = { accept: 'text/html,application/xhtml+xml' }

beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_DASHBOARD: 'off' } })
})

const open = (path: string, headers: Record<string, string> = {}) => app.get(path, { key: null, headers })
const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  app.call('POST', path, {
    key: null,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...own, ...headers },
  })
const cookiesOf = ({ headers }: Answer): readonly string[] => [headers['set-cookie'] ?? []].flat()
const pairOf = (cookies: readonly string[], name: string): string =>
  cookies.find(text => text.startsWith(`${name}=`))?.split(';')[0] ?? ''

async function addConnection(): Promise<string> {
  const { id, now } = newRow()
  await app.db.query(sql`
    insert into sso_connections (workspace_id, id, kind, name, active, issuer, scopes, certificates, idp_initiated,
      group_roles, allowed_domains, trust_email, just_in_time, owner_trusted, created_at, updated_at)
    values (${app.id}, ${id}, 'oidc', 'Company login', true, 'https://idp.example', '{}', '{}', false, '[]',
      '{example.org}', false, false, true, ${now}, ${now})`)
  return id
}

describe('the start page of a service without dashboard', () => {
  it('names the person who is signed in', async () => {
    expect((await open('/')).text).toContain('<strong>Sign in</strong>')
    const { cookie, email } = await app.signIn({ role: 'manager' })
    await app.db.query(sql`update accounts set name = '<b>Ada' where email = ${email}`)
    const { text, headers } = await open('/', { cookie })
    expect(text).toContain('href="/sign-in/workspace?again=1"><strong>Signed in as &#60;b&#62;Ada</strong>')
    expect(headers['cache-control']).toBe('no-store')
  })
})

describe('a page of the dashboard', () => {
  it('is opened after the sign-in with the query that it had', async () => {
    const { headers } = await open('/people?search=ada%20b&page=2')
    const location = new URL(String(headers.location), 'http://localhost')
    expect(location.searchParams.get('return_to')).toBe('/people?search=ada%20b&page=2')
  })
})

describe('an address that is not there', () => {
  it('is a page for browsers, and JSON for programs and in the API', async () => {
    const page = await open('/nothing', { ...browser, 'accept-language': 'de' })
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Diese Seite gibt es nicht')
    expect(page.text).toContain('href="/"')
    expect((await open('/nothing')).body.error.code).toBe('route_not_found')
    for (const path of ['/v1/nothing', '/auth/nothing'])
      expect((await open(path, browser)).body.error.code, path).toBe('route_not_found')
  })
})

describe('single sign-on that a workspace requires', () => {
  it('is offered after the right password alone, whatever the domain of the address', async () => {
    expect((await open('/sign-in')).text).not.toContain('value="sso"')
    const person = await newPerson(app)
    const id = await addConnection()
    expect((await open('/sign-in')).text).toContain('value="sso"')
    await app.db.query(sql`
      insert into sign_in_policies (workspace_id, sso_required, second_factor_required, updated_at)
      values (${app.id}, true, false, ${new Date()})`)
    const { email } = person
    const wrong = await send('/sign-in', { email, password: 'wrong password 1' })
    expect(wrong.text).not.toContain('Company login')
    const right = await send('/sign-in', { email, password: goodPassword })
    expect([right.status, right.text.includes('Continue with Company login')]).toEqual([403, true])
    expect(right.text).toContain(
      `class="button full first" href="/auth/oidc/${app.id}?connection=${id}&amp;return_to=%2F"`,
    )
    await app.db.query(sql`delete from sign_in_policies where workspace_id = ${app.id}`)
  })
})

describe('an invitation for another person than the one who is signed in', () => {
  it('names both, and continues after signing out', async () => {
    const invited = await app.signIn({ workspace: app.other, role: 'member' })
    const current = await app.signIn({ role: 'manager' })
    const member = { email: invited.email, role: 'member' }
    const { invitation_url } = (await app.post('/v1/members', { member })).body.data
    const token = invitation_url.split('#')[1]
    const page = await send('/invitation', { token }, { cookie: current.cookie })
    expect(page.text).toContain(`You are signed in as ${current.email}.`)
    const fields = { return_to: '/invitation/continue', email: invited.email }
    const left = await send('/sign-out', fields, { cookie: current.cookie })
    expect(left.headers.location).toBe(
      `/sign-in?${new URLSearchParams({ done: 'invited', return_to: '/invitation/continue', email: invited.email })}`,
    )
    expect(pairOf(cookiesOf(page), 'signoff-invitation')).toContain(token)
    expect((await open('/sign-in/workspace', { cookie: current.cookie })).headers.location).toBe('/sign-in')
  })
})

describe('the link for a new password', () => {
  it('names the account and what it removes, and says when it does not work any more', async () => {
    const { email } = await newPerson(app)
    const account = await findAccountByEmail(app.db, email)
    const link = await createResetLink(app.db, { id: account?.id ?? '' }, app.config.publicUrl, true)
    const token = link.split('#')[1] ?? ''
    const { text } = await send('/reset', { token })
    expect(text).toContain(`value="${email}" readonly`)
    expect(text).toContain('All browsers will be signed out. Your authenticator app')
    const done = await send('/reset', { token, step: 'password', password: 'seven paper boats float' })
    expect(done.status).toBe(303)
    const dead = await send('/reset', { token })
    expect([dead.status, dead.text.includes('This link has expired or was used')]).toEqual([422, true])
    expect(dead.text).toContain('href="/forgot"')
    expect(dead.text).not.toContain('type="password"')
  })
})

describe('the address that was typed', () => {
  it('is asked for first, and stands on the page after the mail', async () => {
    const blank = await send('/sign-in', { email: ' ', way: 'link' })
    expect([blank.status, blank.text.includes('Enter your email address first.')]).toEqual([422, true])
    const cookie = 'signoff-address=ada%40example.com%3Cb%3E'
    for (const path of ['/sign-in/link-sent', '/forgot/sent'])
      expect((await open(path, { cookie })).text, path).toContain(
        'account for ada@example.com&lt;b&gt;, a link',
      )
    expect((await open('/sign-in', { cookie })).text).toContain('value="ada@example.com&lt;b&gt;"')
    for (const broken of ['signoff-address=%', 'other=1'])
      expect((await open('/forgot/sent', { cookie: broken })).text).toContain('account for this address')
  })
})

describe('the language that a person has chosen', () => {
  it('is kept in a cookie for the pages before the next sign-in, and given up with the choice', async () => {
    const { cookie, email } = await app.signIn({ role: 'manager' })
    await app.db.query(sql`update accounts set locale = 'de' where email = ${email}`)
    const cookies = cookiesOf(await open('/sign-in/workspace', { cookie }))
    const language = pairOf(cookies, 'signoff-lang')
    expect(cookies).toContain('signoff-lang=de; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax')
    expect((await open('/sign-in', { cookie: language })).text).toContain('<html lang="de">')
    expect(cookiesOf(await open('/sign-in/workspace', { cookie: `${cookie}; ${language}` }))).toEqual([])
    await app.db.query(sql`update accounts set locale = null where email = ${email}`)
    const given = await open('/sign-in/workspace?again=1', { cookie: `${cookie}; ${language}` })
    expect(given.text).toContain('<html lang="en">')
    expect(pairOf(cookiesOf(given), 'signoff-lang')).toBe('signoff-lang=')
    expect((await open('/sign-in', { cookie: 'signoff-lang=xx' })).text).toContain('<html lang="en">')
  })
})

describe('the sign-in that a change asks for again', () => {
  it('fills in the address, and can be given up', async () => {
    const { cookie, email } = await app.signIn({ role: 'manager' })
    const { text } = await open('/sign-in?again=1&return_to=%2Faccount', { cookie })
    expect(text).toContain(`value="${email}"`)
    expect(text).toContain('<p class="outside"><a class="link" href="/account">Cancel</a></p>')
    expect(text).toContain('<p class="note" role="status">Sign in again')
  })
})

describe('a workspace that begins to require a second factor', () => {
  it('lets a person with an old session sign in again and set a factor up', async () => {
    const { cookie, accountId, email } = await app.signIn({ role: 'manager' })
    await updatePasswordHash(app.db, accountId, await hashPassword(goodPassword))
    await app.db.query(sql`
      insert into sign_in_policies (workspace_id, sso_required, second_factor_required, updated_at)
      values (${app.id}, false, true, ${new Date()})`)
    await app.db.query(
      sql`update sessions set created_at = now() - interval '1 day', has_second_factor = false where account_id = ${accountId}`,
    )
    const asked = await send('/sign-in/second-factor/app', { return_to: '/account' }, { cookie })
    const again = asked.headers.location ?? ''
    expect(again).toBe('/sign-in?again=1&return_to=%2Fsign-in%2Fsecond-factor%3Freturn_to%3D%252Faccount')
    const form = await open(again, { cookie })
    expect([form.status, form.text.includes(`value="${email}"`)]).toEqual([200, true])
    expect(form.text).toContain('Enter your password again, then set up your second factor.')
    const fields = { email, password: goodPassword, again: '1', return_to: '/account' }
    const signedIn = await send('/sign-in', fields, { cookie })
    expect(signedIn.headers.location).toBe('/sign-in/second-factor?return_to=%2Faccount')
    const renewed = { cookie: pairOf(cookiesOf(signedIn), 'signoff') }
    expect((await open(signedIn.headers.location ?? '', renewed)).text).toContain('>Sign out</button>')
    expect((await send('/sign-in/second-factor/app', {}, renewed)).text).toContain('Scan this picture')
    await app.db.query(sql`delete from sign_in_policies where workspace_id = ${app.id}`)
  })
})

describe('turning off a factor that a workspace requires', () => {
  it('is refused', async () => {
    const { cookie, accountId } = await app.signIn({ role: 'manager' })
    await updatePasswordHash(app.db, accountId, await hashPassword(goodPassword))
    await app.db.query(sql`
      insert into sign_in_policies (workspace_id, sso_required, second_factor_required, updated_at)
      values (${app.id}, false, true, ${new Date()})`)
    const call = (path: string, body?: object) =>
      app.call('POST', path, { key: null, body, headers: { ...own, cookie } })
    const { secret } = (await call('/v1/me/totp')).body.data
    const on = await call('/v1/me/totp/confirm', { code: new TOTP({ secret }).generate() })
    const renewed = pairOf(cookiesOf(on), 'signoff') || cookie
    const refused = await app.call('DELETE', '/v1/me/totp', {
      key: null,
      headers: { ...own, cookie: renewed },
    })
    expect(refused.body.error.code).toBe('second_factor_required')
    await app.db.query(sql`delete from sign_in_policies where workspace_id = ${app.id}`)
  })
})
