import { HOTP, Secret } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail/mail.ts'
import {
  goodPassword,
  Jar,
  newPerson,
  type Person,
  proxied,
  signInByPasswordIn,
} from '#test/support/person.ts'
import { createResetLink } from '../index.ts'

let app: TestApp
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  app = await testApp({ env: { ...proxied, SIGNOFF_SMTP_URL: mail.url } })
})

const code = ({ body }: Answer) => body?.error?.code
const newPassword = 'nine copper kettles sing'

/** The texts of mails to this person, the last one first. */
async function mailsTo({ email }: Pick<Person, 'email'>): Promise<string[]> {
  await runAllJobs(app)
  return mail.mails
    .filter(({ to }) => to === email)
    .map(({ text }) => text)
    .reverse()
}

const linkIn = (text = ''): string => /\/auth\/link\/[\w-]{43}/.exec(text)?.[0] ?? ''
const tokenIn = (text = ''): string => /\/reset#([\w-]{43})/.exec(text)?.[1] ?? ''

async function mailedLink(jar: Jar, person: Person, more: object = {}): Promise<string> {
  expect((await jar.post('/auth/link', { email: person.email, ...more })).status).toBe(202)
  const [text] = await mailsTo(person)
  expect(linkIn(text)).not.toBe('')
  return linkIn(text)
}

const emailOf = async (jar: Jar) => (await jar.get('/v1/me')).body?.data?.account?.email

/** Adds an authenticator app, and returns its secret. */
async function enrol(person: Person): Promise<string> {
  const jar = new Jar(app)
  await signInByPasswordIn(jar, person)
  const { secret } = (await jar.post('/v1/me/totp')).body.data
  await jar.post('/v1/me/totp/confirm', { code: codeNow(secret) })
  await app.db.query(
    sql`update totp_secrets set last_step = last_step - 10 where account_id = ${person.accountId}`,
  )
  return secret
}

const codeNow = (secret: string) =>
  HOTP.generate({ secret: Secret.fromBase32(secret), counter: Math.floor(Date.now() / 30_000) })

describe('a link by mail', () => {
  it('signs in the browser that asked, and leads to the page that it wanted', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    const link = await mailedLink(jar, person, { return_to: '/account?page=2' })
    // A link in a mail is opened from another site.
    const opened = await jar.get(link, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect([opened.status, opened.headers.location]).toEqual([
      303,
      '/sign-in/workspace?return_to=%2Faccount%3Fpage%3D2',
    ])
    expect(await emailOf(jar)).toBe(person.email)
  })

  it('works once', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    const link = await mailedLink(jar, person)
    const answers = await Promise.all([jar.get(link), jar.get(link), jar.get(link)])
    expect(answers.map(({ headers }) => headers.location).sort()).toEqual([
      '/sign-in/workspace?return_to=%2F',
      '/sign-in?problem=used_link',
      '/sign-in?problem=used_link',
    ])
    expect((await jar.get(link)).headers.location).toBe('/sign-in?problem=used_link')
  })

  it('does not work in another browser, which does not use it up', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    const link = await mailedLink(jar, person)
    const scanner = new Jar(app)
    const other = new Jar(app)
    await other.post('/auth/link', { email: 'somebody@example.com' })
    for (const stranger of [scanner, other]) {
      expect((await stranger.get(link)).headers.location).toBe('/sign-in?problem=wrong_browser')
      expect(stranger.cookies.has('signoff')).toBe(false)
    }
    expect((await jar.get(link)).headers.location).toBe('/sign-in/workspace?return_to=%2F')
    expect(await emailOf(jar)).toBe(person.email)
  })

  it('is not used up by requests that only look', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    const link = await mailedLink(jar, person)
    await jar.call('HEAD', link)
    await jar.get(link, { headers: { 'sec-purpose': 'prefetch;prerender' } })
    expect(jar.cookies.has('signoff')).toBe(false)
    expect((await jar.get(link)).headers.location).toBe('/sign-in/workspace?return_to=%2F')
  })

  it('expires after 15 minutes', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    const link = await mailedLink(jar, person)
    const [row] = await app.db.query<{ minutes: number }>(sql`
      select round(extract(epoch from expires_at - now()) / 60)::int as minutes from sign_in_tokens
      where account_id = ${person.accountId}`)
    expect(row?.minutes).toBe(15)
    await app.db.query(
      sql`update sign_in_tokens set expires_at = now() where account_id = ${person.accountId}`,
    )
    expect((await jar.get(link)).headers.location).toBe('/sign-in?problem=used_link')
    expect(jar.cookies.has('signoff')).toBe(false)
  })

  it('does not replace the second factor', async () => {
    const person = await newPerson(app)
    const secret = await enrol(person)
    const jar = new Jar(app)
    const link = await mailedLink(jar, person, { return_to: '/docs/a?b=c' })
    expect((await jar.get(link)).headers.location).toBe(
      '/sign-in/second-factor?return_to=%2Fdocs%2Fa%3Fb%3Dc',
    )
    expect(code(await jar.get('/v1/me'))).toBe('second_factor_required')
    expect((await jar.post('/auth/totp', { code: codeNow(secret) })).status).toBe(204)
    expect(await emailOf(jar)).toBe(person.email)
  })

  it('never leads to another site', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    const link = await mailedLink(jar, person, { return_to: '//evil.example' })
    expect((await jar.get(link)).headers.location).toBe('/sign-in/workspace?return_to=%2F')
  })

  it('is asked for alike whether there is an account or not', async () => {
    const person = await newPerson(app)
    const ask = (email: string) => new Jar(app).post('/auth/link', { email })
    const answer = await ask(person.email)
    const unknown = await ask('unknown@example.com')
    expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body])
    // Both do the same: one count of the network and one job. The job looks for the account.
    const tasks = await app.db.query<{ count: number }>(sql`
      select count(*)::int as count from graphile_worker.jobs where task_identifier = 'access.sign-in-link'`)
    expect(tasks[0]?.count).toBe(2)
    expect(await mailsTo({ email: 'unknown@example.com' })).toEqual([])
    expect(await mailsTo(person)).toHaveLength(1)
  })

  it('takes the same time whether there is an account or not', async () => {
    const person = await newPerson(app)
    const took = async (email: string) => {
      const jar = new Jar(app)
      const began = performance.now()
      await jar.post('/auth/link', { email })
      return performance.now() - began
    }
    const accountTimes: number[] = []
    const unknown: number[] = []
    for (let i = 0; i < 40; i++) {
      accountTimes.push(await took(person.email))
      unknown.push(await took(`unknown${i}@example.com`))
    }
    const median = (list: number[]) => list.sort((a, b) => a - b)[20] ?? 0
    expect(median(accountTimes) / median(unknown)).toBeGreaterThan(0.5)
    expect(median(accountTimes) / median(unknown)).toBeLessThan(2)
    await app.db.query(sql`delete from graphile_worker._private_jobs`)
  })

  it('is mailed five times an hour to one address', async () => {
    const person = await newPerson(app)
    for (let i = 0; i < 8; i++)
      expect((await new Jar(app).post('/auth/link', { email: person.email })).status).toBe(202)
    expect(await mailsTo(person)).toHaveLength(5)
    await app.db.query(
      sql`update sign_in_mail_counts set window_start = window_start - interval '61 minutes'`,
    )
    await new Jar(app).post('/auth/link', { email: person.email })
    expect(await mailsTo(person)).toHaveLength(6)
  })

  it('is sent at most 30 times an hour for one network, which the answer does not tell', async () => {
    const network = { 'x-forwarded-for': '203.0.113.77' }
    const [early, late] = [await newPerson(app), await newPerson(app)]
    const ask = (email: string, path = '/auth/link') => new Jar(app, network).post(path, { email })
    for (let i = 0; i < 29; i++) await ask(`x${i}@example.com`)
    const [within, beyond] = [await ask(early.email), await ask(late.email)]
    expect([within.status, beyond.status]).toEqual([202, 202])
    expect(beyond.body).toEqual(within.body)
    expect((await ask(late.email, '/auth/password/forgot')).status).toBe(202)
    expect(await mailsTo(early)).toHaveLength(1)
    expect(await mailsTo(late)).toEqual([])
  })

  it('that is refused is in the audit log', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    const link = await mailedLink(jar, person)
    const refusals = async () => {
      const query = `action=session.refused&member_id=${person.memberId}`
      return (await app.get(`/v1/audit_log?${query}`)).body.data.length
    }
    expect((await new Jar(app).get(link)).headers.location).toBe('/sign-in?problem=wrong_browser')
    expect(await refusals()).toBe(1)
    expect((await jar.get(link)).headers.location).not.toContain('problem=')
    expect(await refusals()).toBe(1)
    expect((await jar.get(link)).headers.location).toBe('/sign-in?problem=used_link')
    expect(await refusals()).toBe(2)
  })

  it('needs a mail server', async () => {
    const silent = await testApp()
    for (const path of ['/auth/link', '/auth/password/forgot']) {
      const answer = await new Jar(silent).post(path, { email: 'owner@example.com' })
      expect([answer.status, code(answer)]).toEqual([503, 'unavailable'])
      expect(answer.body.error.message).toContain('SIGNOFF_SMTP_URL')
    }
  })

  it('is not sent for a page of another origin', async () => {
    const foreign = { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }
    const answer = await new Jar(app).post('/auth/link', { email: 'a@example.com' }, foreign)
    expect(code(answer)).toBe('cross_origin')
  })
})

describe('a new password by mail', () => {
  const askReset = async (person: Person) => {
    await new Jar(app).post('/auth/password/forgot', { email: person.email })
    const [text] = await mailsTo(person)
    expect(tokenIn(text)).not.toBe('')
    return tokenIn(text)
  }

  it('ends all sessions and does not sign in', async () => {
    const person = await newPerson(app)
    const elsewhere = new Jar(app)
    await signInByPasswordIn(elsewhere, person)
    const token = await askReset(person)
    const jar = new Jar(app)
    expect((await jar.post('/auth/password/reset', { token, password: newPassword })).status).toBe(204)
    expect(jar.cookies.has('signoff')).toBe(false)
    expect(code(await elsewhere.get('/v1/me'))).toBe('session_expired')
    expect((await signInByPasswordIn(jar, person)).status).toBe(401)
    expect((await signInByPasswordIn(jar, person, newPassword)).status).toBe(204)
  })

  it('works once, and not with a weak password, which does not use it up', async () => {
    const person = await newPerson(app)
    const token = await askReset(person)
    const reset = (password: string) => new Jar(app).post('/auth/password/reset', { token, password })
    expect(code(await reset('short'))).toBe('weak_password')
    expect(code(await reset(person.email))).toBe('weak_password')
    expect(code(await reset('passwordpassword'))).toBe('leaked_password')
    const answers = await Promise.all([reset(newPassword), reset(newPassword)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    expect((await reset(newPassword)).status).toBe(404)
  })

  it('expires after 30 minutes, and ends with another one', async () => {
    const person = await newPerson(app)
    const first = await askReset(person)
    const second = await askReset(person)
    const jar = new Jar(app)
    const link = await mailedLink(jar, person)
    const reset = (token: string) =>
      new Jar(app).post('/auth/password/reset', { token, password: newPassword })
    expect((await reset(first)).status).toBe(204)
    expect((await reset(second)).status).toBe(404)
    expect((await jar.get(link)).headers.location).toBe('/sign-in?problem=used_link')
    const late = await askReset(person)
    const [row] = await app.db.query<{ minutes: number }>(sql`
      select round(extract(epoch from expires_at - now()) / 60)::int as minutes from sign_in_tokens
      where account_id = ${person.accountId}`)
    expect(row?.minutes).toBe(30)
    await app.db.query(sql`update sign_in_tokens set expires_at = now()`)
    expect((await reset(late)).status).toBe(404)
  })

  it('does not replace the second factor, and is no link to sign in', async () => {
    const person = await newPerson(app)
    await enrol(person)
    const token = await askReset(person)
    const jar = new Jar(app)
    expect((await jar.get(`/auth/link/${token}`)).headers.location).toBe('/sign-in?problem=used_link')
    await jar.post('/auth/password/reset', { token, password: newPassword })
    expect((await signInByPasswordIn(jar, person, newPassword)).status).toBe(202)
  })
})

describe('a link of the operator', () => {
  const tokenOf = async (person: Person, removesSecondFactors: boolean) => {
    const link = await createResetLink(
      app.db,
      { id: person.accountId },
      app.config.publicUrl,
      removesSecondFactors,
    )
    expect(link.startsWith(`${app.config.publicUrl}/reset#`)).toBe(true)
    return tokenIn(link)
  }

  it('sets the password and signs in; the second factor is asked for', async () => {
    const person = await newPerson(app)
    const secret = await enrol(person)
    const jar = new Jar(app)
    const token = await tokenOf(person, false)
    const answer = await jar.post('/auth/password/reset', { token, password: newPassword })
    expect([answer.status, answer.body.data]).toEqual([202, { second_factor: ['totp'] }])
    expect((await jar.post('/auth/totp', { code: codeNow(secret) })).status).toBe(204)
    expect((await jar.get('/v1/sessions')).body.data[0].method).toBe('operator')
  })

  it('removes the second factors where the operator has said so', async () => {
    const person = await newPerson(app)
    await enrol(person)
    const jar = new Jar(app)
    const token = await tokenOf(person, true)
    expect((await jar.post('/auth/password/reset', { token, password: newPassword })).status).toBe(204)
    expect((await jar.get('/v1/me/second_factors')).body.data).toMatchObject({
      second_factor: [],
      recovery_codes: { remaining: 0 },
    })
    const entries = (await app.get('/v1/audit_log?limit=30')).body.data
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'account.reset_link_created', member_id: null }),
        expect.objectContaining({ action: 'second_factor.removed', member_id: null }),
      ]),
    )
  })

  it('opens an account where only single sign-on is allowed', async () => {
    const strict = await testApp({
      env: proxied,
      connection: app.connection,
      signInPolicyOf: async (tx, accountId) => {
        const rows = await tx.query<{ id: string }>(
          sql`select workspace_id as id from members where account_id = ${accountId}`,
        )
        return { ssoOnlyWorkspaces: rows.map(({ id }) => id), secondFactorWorkspaces: [] }
      },
    })
    const person = await newPerson(app)
    const jar = new Jar(strict)
    expect(code(await signInByPasswordIn(jar, person))).toBe('sso_required')
    const token = await tokenOf(person, false)
    expect((await jar.post('/auth/password/reset', { token, password: newPassword })).status).toBe(204)
    expect((await jar.get('/v1/me')).body.data.account.email).toBe(person.email)
  })
})

describe('a browser', () => {
  it('that an account has not used before is announced by mail', async () => {
    const person = await newPerson(app)
    const first = new Jar(app)
    await signInByPasswordIn(first, person)
    expect(await mailsTo(person)).toEqual([])
    await signInByPasswordIn(first, person)
    expect(await mailsTo(person)).toEqual([])
    const second = new Jar(app, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36' })
    await signInByPasswordIn(second, person)
    const [text] = await mailsTo(person)
    expect(text).toContain('Chrome on Windows')
    await signInByPasswordIn(second, person)
    expect(await mailsTo(person)).toHaveLength(1)
  })

  it('is announced only after the second factor', async () => {
    const person = await newPerson(app)
    const secret = await enrol(person)
    const before = (await mailsTo(person)).length
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person, goodPassword)
    expect(await mailsTo(person)).toHaveLength(before)
    await jar.post('/auth/totp', { code: codeNow(secret) })
    expect(await mailsTo(person)).toHaveLength(before + 1)
  })
})
