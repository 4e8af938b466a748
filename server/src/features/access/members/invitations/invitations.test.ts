import { beforeAll, describe, expect, it } from 'vitest'
import { addMember, findAccountByEmail, markVerified } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import type { Role } from '#kernel/api/scopes.ts'
import { sql } from '#kernel/db/db.ts'
import { type Answer, fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { startMailServer } from '#test/support/mail/mail.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

let n = 0
const newAddress = () => `guest${++n}@example.com`
const password = 'correct battery staple horse'
const statusAndCode = ({ status, body }: Answer) => [status, body?.error?.code]

interface Invitation {
  readonly id: string
  readonly email: string
  readonly token: string
}

async function invite(
  role: Role = 'manager',
  options: { key?: string; email?: string } = {},
): Promise<Invitation> {
  const { key = app.key, email = newAddress() } = options
  const { status, text, body } = await app.post('/v1/members', { member: { email, role } }, { key })
  if (status !== 201) throw new Error(text)
  const { id, invitation_url } = body.data
  return { id, email, token: invitation_url.split('#')[1] }
}

const origin = { origin: 'http://localhost:3000' }

/** As the browser with this cookie. */
const withCookie = (cookie: string) => ({ key: null, headers: { cookie, ...origin } })

const accept = (token: string, more: object = { name: 'Gus', password }, cookie?: string) =>
  app.post('/auth/invitation', { token, ...more }, cookie ? withCookie(cookie) : { key: null })

const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';')[0] ?? ''

/** A person who has accepted an invitation and is signed in. */
async function join(role: Role = 'manager', options: { key?: string; email?: string } = {}) {
  const invitation = await invite(role, options)
  const answer = await accept(invitation.token)
  if (answer.status !== 204) throw new Error(answer.text)
  return { ...invitation, cookie: cookieOf(answer) }
}

/** The operator vouches for the person. */
async function vouchFor({ email }: { readonly email: string }): Promise<void> {
  const account = await findAccountByEmail(app.db, email)
  await app.db.query(markVerified(account?.id ?? ''))
}

const details = (token: string, cookie?: string) =>
  app.post('/auth/invitation/details', { token }, cookie ? withCookie(cookie) : { key: null })

describe('an invitation', () => {
  it('makes an account with a password, and signs it in', async () => {
    const { id, email, token } = await invite('admin')
    expect((await details(token)).body.data).toEqual({
      workspace: { name: 'Own' },
      email,
      name: email.split('@')[0],
      role: 'admin',
      invited_by: 'Owner',
      needs: 'password',
    })
    const answer = await accept(token)
    expect(answer.status).toBe(204)
    const me = await app.get('/v1/me', withCookie(cookieOf(answer)))
    expect(me.body.data).toMatchObject({ account: { email, name: 'Gus' }, member: { id, role: 'admin' } })
    expect((await app.get(`/v1/members/${id}`)).body.data).toMatchObject({ name: 'Gus', status: 'active' })
    const [entry] = (await app.get('/v1/audit_log?action=member.joined')).body.data
    expect(entry).toMatchObject({ resource_id: id, member_id: id, member_name: 'Gus' })
    const signedIn = await app.post('/auth/password', { email, password }, { key: null })
    expect(signedIn.status).toBe(204)
  })

  it('works once, also when two browsers accept at the same moment', async () => {
    const { token } = await invite()
    const answers = await Promise.all([accept(token), accept(token), accept(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
    expect(statusAndCode(await accept(token))).toEqual([404, 'not_found'])
    expect(statusAndCode(await details(token))).toEqual([404, 'not_found'])
  })

  it('works for seven days', async () => {
    const { id, token } = await invite()
    const [row] = await app.db.query<{ days: number }>(sql`
      select extract(epoch from invitation_expires_at - now()) / 86400 as days from members where id = ${id}`)
    expect(Math.round(Number(row?.days))).toBe(7)
    await app.db.query(sql`update members set invitation_expires_at = now() where id = ${id}`)
    expect(statusAndCode(await accept(token))).toEqual([404, 'not_found'])
  })

  it('that was sent again is replaced', async () => {
    const { id, token } = await invite()
    const { status, body } = await app.post(`/v1/members/${id}/resend`)
    expect(status).toBe(200)
    expect(statusAndCode(await accept(token))).toEqual([404, 'not_found'])
    expect((await accept(body.data.invitation_url.split('#')[1])).status).toBe(204)
    expect(statusAndCode(await app.post(`/v1/members/${id}/resend`))).toEqual([409, 'already_member'])
  })

  it('that was withdrawn does not work, and the address is kept only where it is in use', async () => {
    const accounts = (email: string) => app.db.query(sql`select id from accounts where email = ${email}`)
    const { id, token, email } = await invite()
    const second = await invite('member', { key: app.other.key, email })
    await app.del(`/v1/members/${id}`)
    expect(statusAndCode(await accept(token))).toEqual([404, 'not_found'])
    expect(await accounts(email)).toHaveLength(1)
    await app.del(`/v1/members/${second.id}`, { key: app.other.key })
    expect(await accounts(email)).toHaveLength(0)
  })

  it.each(['', 'x', 'x'.repeat(43), 'x'.repeat(201)])('with the token %j is refused', async token => {
    expect([404, 422]).toContain((await accept(token)).status)
  })

  it('needs a name and a good password, and stays open after a bad one', async () => {
    const { token, email } = await invite()
    expect(fieldErrors(await accept(token, {}))).toEqual({ name: 'missing', password: 'missing' })
    for (const bad of ['short', 'password1234', email]) {
      const answer = await accept(token, { name: 'Gus', password: bad })
      expect(answer.status, bad).toBe(422)
    }
    expect((await accept(token)).status).toBe(204)
  })

  it('does not work when the inviter was removed or has a lower role since', async () => {
    const admin = async () => {
      const member = await addMember(app.db, app.id, { name: 'Ad', email: newAddress(), role: 'admin' })
      const { key } = await createKey(app.db, app.by, member, { name: 'k', scopes: ['*'] })
      return { member, key }
    }
    const [removed, demoted] = [await admin(), await admin()]
    const invitations = [
      await invite('admin', { key: removed.key }),
      await invite('admin', { key: demoted.key }),
      await invite('manager', { key: demoted.key }),
    ]
    await app.del(`/v1/members/${removed.member}`)
    await app.patch(`/v1/members/${demoted.member}`, { role: 'manager' })
    const answers = await Promise.all(invitations.map(({ token }) => accept(token)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 204])
    const again = await app.post(`/v1/members/${invitations[0]?.id}/resend`)
    expect((await accept(again.body.data.invitation_url.split('#')[1])).status).toBe(204)
  })

  it('sent by a page of another origin is refused', async () => {
    const { token } = await invite()
    const headers = { origin: 'https://evil.example' }
    const answer = await app.post('/auth/invitation', { token, name: 'x', password }, { key: null, headers })
    expect(statusAndCode(answer)).toEqual([403, 'cross_origin'])
  })
})

describe('an invitation to an account that is in use', () => {
  it('is accepted by the session of that account, without a password', async () => {
    const guest = await join()
    await vouchFor(guest)
    const second = await invite('member', { key: app.other.key, email: guest.email })
    expect((await details(second.token)).body.data.needs).toBe('sign_in')
    expect((await details(second.token, guest.cookie)).body.data.needs).toBe('nothing')
    const accepted = await accept(second.token, {}, guest.cookie)
    expect(accepted.status).toBe(204)
    // The session reaches a workspace more, so its old token is refused.
    expect(statusAndCode(await app.get('/v1/me', withCookie(guest.cookie)))).toEqual([401, 'session_expired'])
    const headers = { ...withCookie(cookieOf(accepted)).headers, 'signoff-workspace': app.other.id }
    const me = await app.get('/v1/me', { key: null, headers })
    expect(me.body.data).toMatchObject({ workspace: { id: app.other.id }, member: { role: 'member' } })
    expect(me.body.data.workspaces).toHaveLength(2)
  })

  it('never sets the password, and needs the session of that very account', async () => {
    const guest = await join()
    const stranger = await join()
    const { token } = await invite('admin', { key: app.other.key, email: guest.email })
    const other = { name: 'Mallory', password: 'another long pass phrase' }
    for (const cookie of [undefined, stranger.cookie, 'signoff=x'])
      expect(statusAndCode(await accept(token, other, cookie))).toEqual([401, 'missing_session'])
    const old = await app.post('/auth/password', { email: guest.email, password }, { key: null })
    expect(old.status).toBe(204)
    const changed = await app.post(
      '/auth/password',
      { email: guest.email, password: other.password },
      { key: null },
    )
    expect(changed.status).toBe(401)
    expect((await accept(token, {}, guest.cookie)).status).toBe(204)
  })

  it('does not open a member whom the operator added, who has no password yet', async () => {
    const email = newAddress()
    await addMember(app.db, app.other.id, { name: 'Key holder', email, role: 'admin' })
    const { token } = await invite('member', { email })
    expect(statusAndCode(await accept(token))).toEqual([401, 'missing_session'])
  })
})

describe('a session of a removed member', () => {
  it('ends in every process within 5 seconds', async () => {
    const guest = await join()
    const second = await testApp({ connection: app.connection })
    const read = (on: TestApp) => on.get('/v1/folders', withCookie(guest.cookie))
    expect([(await read(app)).status, (await read(second)).status]).toEqual([200, 200])
    await app.del(`/v1/members/${guest.id}`)
    const removedAt = Date.now()
    expect(statusAndCode(await read(app))).toEqual([401, 'session_expired'])
    await expect.poll(async () => (await read(second)).status).toBe(401)
    expect(Date.now() - removedAt).toBeLessThan(5_000)
  })

  it('keeps the other workspaces of the account', async () => {
    const guest = await join()
    await vouchFor(guest)
    const { token } = await invite('member', { key: app.other.key, email: guest.email })
    const cookie = cookieOf(await accept(token, {}, guest.cookie))
    await app.del(`/v1/members/${guest.id}`)
    const inWorkspace = (id: string) =>
      app.get('/v1/workspace', {
        key: null,
        headers: { ...withCookie(cookie).headers, 'signoff-workspace': id },
      })
    expect((await inWorkspace(app.other.id)).status).toBe(200)
    expect(statusAndCode(await inWorkspace(app.id))).toEqual([404, 'not_found'])
  })

  it('follows a changed role', async () => {
    const guest = await join('admin')
    const read = () => app.get('/v1/members', withCookie(guest.cookie))
    expect((await read()).status).toBe(200)
    await app.patch(`/v1/members/${guest.id}`, { role: 'member' })
    expect(statusAndCode(await read())).toEqual([403, 'insufficient_role'])
  })
})

describe('an owner who signs in', () => {
  it('is followed only by a member who can sign in', async () => {
    const { id: workspaceId, key } = await app.workspace('Handed over')
    const next = await join('admin', { key })
    expect((await app.post(`/v1/members/${next.id}/make_owner`, undefined, { key })).status).toBe(200)
    const keyHolder = await addMember(app.db, workspaceId, {
      name: 'Key holder',
      email: newAddress(),
      role: 'admin',
    })
    const other = await join('member', { key })
    // A change of rights ends the sessions of the new owner.
    expect(statusAndCode(await app.get('/v1/me', withCookie(next.cookie)))).toEqual([401, 'session_expired'])
    const credentials = { email: next.email, password }
    const session = withCookie(cookieOf(await app.post('/auth/password', credentials, { key: null })))
    const refused = await app.post(`/v1/members/${keyHolder}/make_owner`, undefined, session)
    expect(statusAndCode(refused)).toEqual([409, 'last_way_in'])
    const made = await app.post(`/v1/members/${other.id}/make_owner`, undefined, session)
    expect(made.status).toBe(200)
    const me = await app.get('/v1/me', withCookie(cookieOf(made)))
    expect(me.body.data.member.role).toBe('admin')
  })
})

describe('an address that looks like another', () => {
  it.each([
    '\u212aate@example.com',
    'kate@\uff45xample.com',
    '\u0130da@example.com',
    'me\u017fs@example.com',
  ])('%s is not invited', async email => {
    const answer = await app.post('/v1/members', { member: { email, role: 'member' } })
    expect(fieldErrors(answer)).toEqual({ email: 'invalid' })
    const added = addMember(app.db, app.id, { name: 'K', email, role: 'member' })
    await expect(added).rejects.toMatchObject({ code: 'invalid' })
  })

  it('other letters than ASCII stay possible', async () => {
    const email = `jürgen.groß${++n}@example.com`
    expect((await app.post('/v1/members', { member: { email, role: 'member' } })).status).toBe(201)
  })
})

describe('with a mail server', () => {
  it('an address gets five invitations in an hour', async () => {
    const server = await startMailServer()
    const mailing = await testApp({ env: { SIGNOFF_SMTP_URL: server.url } })
    const email = newAddress()
    const { id } = (await mailing.post('/v1/members', { member: { email, role: 'member' } })).body.data
    const resend = () => mailing.post(`/v1/members/${id}/resend`)
    for (let sent = 1; sent < 5; sent++) expect((await resend()).status).toBe(200)
    expect(statusAndCode(await resend())).toEqual([429, 'rate_limited'])
    const { key } = mailing.other
    const elsewhere = await mailing.post('/v1/members', { member: { email, role: 'member' } }, { key })
    expect(statusAndCode(elsewhere)).toEqual([429, 'rate_limited'])
    await runAllJobs(mailing)
    expect(server.mails.filter(({ to }) => to === email)).toHaveLength(5)
  })

  it('invitations and role changes are mailed, and no answer holds a link', async () => {
    const server = await startMailServer()
    const mailing = await testApp({ env: { SIGNOFF_SMTP_URL: server.url } })
    const email = newAddress()
    const invited = await mailing.post('/v1/members', { member: { email, name: 'Gus', role: 'member' } })
    expect(invited.text).not.toContain('invitation')
    await runAllJobs(mailing)
    const tokenIn = (text: string) => /\/invitation#([\w-]{43})/.exec(text.replaceAll(/=\r?\n/g, ''))?.[1]
    const [mail] = server.mails
    expect(mail?.to).toBe(email)
    const token = tokenIn(mail?.text ?? '')
    const answer = await mailing.post('/auth/invitation', { token, name: 'Gus', password }, { key: null })
    expect(answer.status).toBe(204)
    server.mails.length = 0
    await mailing.patch(`/v1/members/${invited.body.data.id}`, { role: 'manager' })
    await runAllJobs(mailing)
    expect(server.mails.map(({ to }) => to)).toContain(email)
  })
})
