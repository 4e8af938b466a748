// People whom a connection does not know yet: new ones, invited ones, and those who use an account already.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { runAllJobs, runScheduled } from '#test/support/jobs.ts'
import { type MailServer, readMail, startMailServer } from '#test/support/mail/mail.ts'
import { newPerson } from '#test/support/person.ts'
import { ForgingProvider } from '#test/support/sign-in/oidc-provider.ts'
import {
  connect,
  oidcConnection,
  outcomeOf,
  signInAt,
  ssoEnv,
  TestBrowser,
} from '#test/support/sign-in/sso.ts'

let app: TestApp
let mail: MailServer
let provider: ForgingProvider
let workspace: TestWorkspace
let count = 0
beforeAll(async () => {
  mail = await startMailServer()
  app = await testApp({ env: { ...ssoEnv, SIGNOFF_SMTP_URL: mail.url } })
  provider = await ForgingProvider.start()
})
beforeEach(async () => {
  workspace = await app.workspace(`Test ${++count}`)
})

const own = () => ({ key: workspace.key })
const newAddress = () => `person${++count}@example.com`
const connectOwn = (more: object = {}) => connect(app, oidcConnection(provider.issuer, more), workspace.key)

async function attempt(claims: object): Promise<string> {
  provider.forgery = { claims: { ...claims } }
  const browser = new TestBrowser(app)
  const answer = await signInAt(provider, browser, workspace.id)
  if (answer.status !== 303) return outcomeOf(answer)
  return (await browser.get('/v1/me')).body.data.member.role
}

async function memberOf(email: string) {
  const { body } = await app.get('/v1/members', own())
  return body.data.find((member: { email: string }) => member.email === email)
}

const idIn = async ({ key }: TestWorkspace, email: string): Promise<string> => {
  const { body } = await app.get('/v1/members', { key })
  return body.data.find((member: { email: string }) => member.email === email).id
}

const mailsTo = async (email: string) => {
  await runAllJobs(app)
  return mail.mails.filter(({ to }) => to === email).map(({ source }) => readMail(source))
}

describe('a person who uses an account already', () => {
  it('is invited, and gets in once the invitation was accepted', async () => {
    await connectOwn()
    const { email } = await newPerson(app)
    expect(await attempt({ sub: '1', email })).toContain('invitation')
    expect(await memberOf(email)).toMatchObject({ status: 'invited', role: 'member' })
    const [first] = await mailsTo(email)
    const [, token = ''] = /\/invitation#([\w-]+)/.exec(first?.text ?? '') ?? []
    // The identity provider alone does not accept it.
    expect(await attempt({ sub: '1', email })).toContain('invitation')
    expect((await memberOf(email)).status).toBe('invited')
    const { cookie } = await app.signIn({ role: 'member', email })
    const accepted = await app.browser(cookie).post('/auth/invitation', { token })
    expect(accepted.status).toBe(204)
    expect(await attempt({ sub: '1', email })).toBe('member')
  })

  it('is not made a member by an invitation of the workspace either', async () => {
    await connectOwn({ just_in_time: false })
    const { email } = await newPerson(app)
    await app.post('/v1/members', { member: { email, role: 'manager' } }, own())
    expect(await attempt({ sub: '1', email })).toContain('invitation')
    expect((await memberOf(email)).status).toBe('invited')
  })
})

describe('a person who was removed', () => {
  it('gets in again only after another invitation', async () => {
    await connectOwn()
    const email = newAddress()
    expect(await attempt({ sub: '1', email })).toBe('member')
    expect((await app.del(`/v1/members/${(await memberOf(email)).id}`, own())).status).toBe(204)
    expect(await attempt({ sub: '1', email })).toContain('not a member')
    // Nor with another subject, or with the address in other letters.
    expect(await attempt({ sub: '2', email: email.toUpperCase() })).toContain('not a member')
    expect(await memberOf(email)).toBeUndefined()
    await app.post('/v1/members', { member: { email, role: 'manager' } }, own())
    expect(await attempt({ sub: '1', email })).toBe('manager')
  })

  it('is not invited by the provider either', async () => {
    await connectOwn()
    const { email } = await newPerson(app)
    expect(await attempt({ sub: '1', email })).toContain('invitation')
    await app.del(`/v1/members/${(await memberOf(email)).id}`, own())
    expect(await attempt({ sub: '1', email })).toContain('not a member')
    expect(await memberOf(email)).toBeUndefined()
  })
})

describe('a person whom only another workspace has let in by single sign-on', () => {
  it('joins by an invitation, also where that workspace insists on single sign-on', async () => {
    await connectOwn()
    const email = newAddress()
    expect(await attempt({ sub: '1', email })).toBe('member')
    const insisted = await app.patch('/v1/workspace/sign_in_policy', { sso_required: true }, own())
    expect(insisted.status).toBe(200)
    const tokenFor = async (next: TestWorkspace) => {
      await app.post('/v1/members', { member: { email, role: 'manager' } }, { key: next.key })
      const mails = await mailsTo(email)
      return /\/invitation#([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
    }
    const reply = { name: 'Pia', password: 'seven quiet herons at dusk' }
    const headers = { origin: app.config.publicUrl }
    const first = { token: await tokenFor(app.other), ...reply }
    expect((await app.post('/auth/invitation', first, { key: null, headers })).status).toBe(204)
    // The account is in use now: it signs in to accept another one.
    await app.del(`/v1/members/${await idIn(app.other, email)}`, { key: app.other.key })
    const signIn = () =>
      app.post('/auth/password', { email, password: reply.password }, { key: null, headers })
    expect((await signIn()).body.error.code).toBe('sso_required')
    const token = await tokenFor(await app.workspace('Third'))
    const session = await signIn()
    expect(session.status).toBe(204)
    const cookie = [session.headers['set-cookie']].flat()[0]?.split(';')[0] ?? ''
    expect((await app.browser(cookie).post('/auth/invitation', { token })).status).toBe(204)
  })
})

describe('an invitation', () => {
  const invite = async (role: string, caller = own()) => {
    const email = newAddress()
    const answer = await app.post('/v1/members', { member: { email, role } }, caller)
    expect(answer.status).toBe(201)
    return email
  }
  const expire = (email: string) =>
    app.db.query(sql`update members set invitation_expires_at = now() where email = ${email}`)

  it('that has expired gives no role: the default role counts', async () => {
    await connectOwn()
    const email = await invite('admin')
    await expire(email)
    expect(await attempt({ sub: '1', email })).toBe('member')
  })

  it('that has expired lets no person in where the connection makes no members', async () => {
    await connectOwn({ just_in_time: false })
    const email = await invite('admin')
    await expire(email)
    expect(await attempt({ sub: '1', email })).toContain('not a member')
  })

  it('of an admin who is none any more gives no role', async () => {
    await connectOwn()
    const inviter = await app.signIn({ workspace, role: 'admin' })
    const email = newAddress()
    await inviter.post('/v1/members', { member: { email, role: 'admin' } })
    await app.patch(`/v1/members/${inviter.memberId}`, { role: 'manager' }, own())
    expect(await attempt({ sub: '1', email })).toBe('member')
  })
})

describe('a role that the groups change', () => {
  it('is told by mail, and a first role is not', async () => {
    await connectOwn({ group_claim: 'groups', group_roles: [{ group: 'editors', role: 'manager' }] })
    const email = newAddress()
    expect(await attempt({ sub: '1', email })).toBe('member')
    const changes = async () => (await mailsTo(email)).filter(({ subject }) => /role/i.test(subject))
    expect(await changes()).toHaveLength(0)
    expect(await attempt({ sub: '1', email, groups: ['editors'] })).toBe('manager')
    expect(await changes()).toHaveLength(1)
  })
})

describe('the hourly job', () => {
  it('deletes sign-ins that were given up, and assertions that have expired', async () => {
    await connectOwn()
    await new TestBrowser(app).get(`/auth/oidc/${workspace.id}`)
    await app.db.query(sql`update sso_attempts set expires_at = now() - interval '1 s'`)
    await app.db.query(sql`
      insert into sso_used_assertions (workspace_id, hash, expires_at)
      values (${workspace.id}, decode('01', 'hex'), now() - interval '1 s'), (${workspace.id}, decode('02', 'hex'), now() + interval '1 h')`)
    await new TestBrowser(app).get(`/auth/oidc/${workspace.id}`)
    await runScheduled(app, 'sso.delete-expired')
    expect(await app.db.query(sql`select from sso_attempts`)).toHaveLength(1)
    expect(await app.db.query(sql`select from sso_used_assertions`)).toHaveLength(1)
  })
})
