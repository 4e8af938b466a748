// An account whose invitation was shown to members: its password leads to no other workspace until the address is
// verified.
import { HOTP, Secret } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { secondFactorsOf } from '#features/access/second-factors/index.ts'
import { addMember, findAccountByEmail } from '#features/workspace/accounts/index.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail/mail.ts'
import { goodPassword, Jar, proxied } from '#test/support/person.ts'

let app: TestApp
/** The same installation after it got a mail server. */
let mailing: TestApp
let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
  app = await testApp({ env: proxied })
  const { connection } = app
  mailing = await testApp({ connection, env: { ...proxied, SIGNOFF_SMTP_URL: server.url } })
})

const code = ({ status, body }: Answer) => body?.error?.code ?? status
let n = 0

const tokenOf = ({ body }: Answer): string => body.data.invitation_url.split('#')[1]

/** An admin of the app's workspace invites the address, and accepts the invitation without its owner. */
async function takeAddress(): Promise<{ email: string; jar: Jar }> {
  const email = `carol${++n}@victim.example`
  const token = tokenOf(await app.post('/v1/members', { member: { email, role: 'member' } }))
  const jar = new Jar(app)
  const accepted = await jar.post('/auth/invitation', { token, name: 'Carol', password: goodPassword })
  expect(accepted.status).toBe(204)
  return { email, jar }
}

const inOther = (jar: Jar) => jar.get('/v1/me', { headers: { 'signoff-workspace': app.other.id } })
const inOwn = (jar: Jar) => jar.get('/v1/me', { headers: { 'signoff-workspace': app.id } })

async function enrol(jar: Jar): Promise<void> {
  const { secret } = (await jar.post('/v1/me/totp')).body.data
  const counter = Math.floor(Date.now() / 30_000)
  const totp = HOTP.generate({ secret: Secret.fromBase32(secret), counter })
  expect((await jar.post('/v1/me/totp/confirm', { code: totp })).status).toBe(200)
}

async function mailTo(address: string, pattern: RegExp): Promise<string> {
  await runAllJobs(mailing)
  const texts = server.mails.filter(({ to }) => to === address).map(({ text }) => text)
  return texts.map(text => pattern.exec(text.replaceAll(/=\r?\n/g, ''))?.[1]).findLast(Boolean) ?? ''
}

const byPassword = (email: string, password = goodPassword, jar = new Jar(app)) =>
  jar.post('/auth/password', { email, password })

const joinOther = (email: string) => addMember(app.db, app.other.id, { name: 'Carol', email, role: 'admin' })

describe('an account that is not verified', () => {
  it('reaches the workspace that showed its invitation, and none that adds its address later', async () => {
    const { email, jar } = await takeAddress()
    const second = await testApp({ connection: app.connection })
    await joinOther(email)
    await expect.poll(async () => code(await inOther(jar))).toBe('unverified_account')
    expect((await inOwn(jar)).status).toBe(200)
    const again = new Jar(second)
    expect((await byPassword(email, goodPassword, again)).status).toBe(204)
    expect([code(await inOther(again)), code(await inOwn(again))]).toEqual(['unverified_account', 200])
    const named = await again.patch('/v1/me/account', { name: 'Mallory' })
    expect(named.status).toBe(200)
    const members = await app.get('/v1/members', { key: app.other.key })
    expect(members.text).not.toContain('Mallory')
  })

  it('does not get further by an invitation that another workspace shows', async () => {
    const { email, jar } = await takeAddress()
    const invited = await app.post(
      '/v1/members',
      { member: { email, role: 'member' } },
      { key: app.other.key },
    )
    expect((await jar.post('/auth/invitation', { token: tokenOf(invited) })).status).toBe(204)
    expect([code(await inOther(jar)), code(await inOwn(jar))]).toEqual(['unverified_account', 200])
  })

  it('creates no workspace', async () => {
    const { jar } = await takeAddress()
    expect(code(await jar.post('/v1/workspaces', { name: 'Mine' }))).toBe('unverified_account')
  })
})

describe('an account gets verified', () => {
  it('by a link by mail, which ends the password, factors and sessions that it had', async () => {
    const { email, jar } = await takeAddress()
    await enrol(jar)
    await joinOther(email)
    const carol = new Jar(mailing)
    await carol.post('/auth/link', { email })
    const token = await mailTo(email, /\/auth\/link\/([\w-]{43})/)
    const opened = await carol.get(`/auth/link/${token}`)
    expect(opened.headers.location).toContain('/sign-in/workspace')
    expect((await inOther(carol)).status).toBe(200)
    await expect.poll(async () => code(await inOwn(jar))).toBe('session_expired')
    expect(code(await byPassword(email))).toBe('invalid_credentials')
    const account = await findAccountByEmail(app.db, email)
    expect(account).toMatchObject({ isVerified: true, hasPassword: false })
    expect(await secondFactorsOf(app.db, account?.id ?? '')).toEqual([])
    const entries = await app.get('/v1/audit_log?action=account.verified', { key: app.other.key })
    expect(entries.body.data[0].resource_id).toBe(account?.id)
  })

  it('not by a link by mail that another browser opens', async () => {
    const { email, jar } = await takeAddress()
    await new Jar(mailing).post('/auth/link', { email })
    const token = await mailTo(email, /\/auth\/link\/([\w-]{43})/)
    await new Jar(mailing).get(`/auth/link/${token}`)
    expect((await inOwn(jar)).status).toBe(200)
    expect((await findAccountByEmail(app.db, email))?.isVerified).toBe(false)
  })

  it('by a new password with a mailed link, which ends factors and sessions', async () => {
    const { email, jar } = await takeAddress()
    await enrol(jar)
    await joinOther(email)
    const carol = new Jar(mailing)
    await carol.post('/auth/password/forgot', { email })
    const token = await mailTo(email, /\/reset#([\w-]{43})/)
    const password = 'nine copper kettles sing'
    expect((await carol.post('/auth/password/reset', { token, password })).status).toBe(204)
    await expect.poll(async () => code(await inOwn(jar))).toBe('session_expired')
    expect((await byPassword(email, password, carol)).status).toBe(204)
    expect((await inOther(carol)).status).toBe(200)
  })

  it('by a mailed invitation, whose address it gets', async () => {
    const email = `dora${++n}@victim.example`
    await app.post('/v1/members', { member: { email: email.toUpperCase(), role: 'member' } })
    await mailing.post('/v1/members', { member: { email, role: 'member' } })
    const token = await mailTo(email, /\/invitation#([\w-]{43})/)
    const dora = new Jar(mailing)
    const reply = { token, name: 'Dora', password: goodPassword }
    expect((await dora.post('/auth/invitation', reply)).status).toBe(204)
    expect(await findAccountByEmail(app.db, email)).toMatchObject({ email, isVerified: true })
    await joinOther(email)
    await expect.poll(async () => code(await inOther(dora))).toBe(200)
  })

  it('by a mailed invitation that a session of the account accepts', async () => {
    const { email, jar } = await takeAddress()
    await mailing.post('/v1/members', { member: { email, role: 'member' } })
    const token = await mailTo(email, /\/invitation#([\w-]{43})/)
    expect((await jar.post('/auth/invitation', { token })).status).toBe(204)
    const reached = await jar.get('/v1/me', { headers: { 'signoff-workspace': mailing.id } })
    expect(reached.status).toBe(200)
    expect((await byPassword(email)).status).toBe(204)
  })

  it('and then its password cannot be chosen by an invitation that is shown', async () => {
    const email = `edda${++n}@victim.example`
    await mailing.post('/v1/members', { member: { email, role: 'member' } })
    const edda = new Jar(mailing)
    await edda.post('/auth/link', { email })
    await edda.get(`/auth/link/${await mailTo(email, /\/auth\/link\/([\w-]{43})/)}`)
    const answer = await app.post('/v1/members', { member: { email, role: 'member' } })
    const reply = { token: tokenOf(answer), name: 'Mallory', password: goodPassword }
    expect(code(await new Jar(app).post('/auth/invitation', reply))).toBe('missing_session')
    expect((await edda.post('/auth/invitation', { token: tokenOf(answer) })).status).toBe(204)
    expect((await inOwn(edda)).status).toBe(200)
  })
})
