import { HOTP, Secret } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { membershipsOf } from '#features/workspace/accounts/index.ts'
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

let app: TestApp
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  app = await testApp({ env: { ...proxied, SIGNOFF_SMTP_URL: mail.url } })
})

const code = ({ body }: Answer) => body?.error?.code
const stepNow = () => Math.floor(Date.now() / 30_000)
const codeAt = (secret: string, step: number) =>
  HOTP.generate({ secret: Secret.fromBase32(secret), counter: step })

/** Codes that were used before can be used again: as if minutes had passed. */
const passTime = (accountId: string) =>
  app.db.query(sql`update totp_secrets set last_step = last_step - 10 where account_id = ${accountId}`)

interface Enrolled {
  readonly person: Person
  readonly jar: Jar
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

async function enrol(): Promise<Enrolled> {
  const person = await newPerson(app)
  const jar = new Jar(app)
  expect((await signInByPasswordIn(jar, person)).status).toBe(204)
  const begun = await jar.post('/v1/me/totp')
  const { secret } = begun.body.data
  const confirmed = await jar.post('/v1/me/totp/confirm', { code: codeAt(secret, stepNow()) })
  expect(confirmed.status).toBe(200)
  return { person, jar, secret, recoveryCodes: confirmed.body.data.recovery_codes }
}

async function pendingJar(person: Person): Promise<Jar> {
  const jar = new Jar(app)
  expect((await signInByPasswordIn(jar, person)).status).toBe(202)
  return jar
}

describe('an authenticator app', () => {
  it('is set up by a secret, a QR code and the first code', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    const { secret, uri, qr_code } = (await jar.post('/v1/me/totp')).body.data
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect(qr_code).toMatch(/^data:image\/png;base64,/)
    // Until it is confirmed it asks for nothing.
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(204)
    const wrong = await jar.post('/v1/me/totp/confirm', { code: codeAt(secret, stepNow() - 5) })
    expect([wrong.status, code(wrong)]).toEqual([422, 'invalid'])
    const confirmed = await jar.post('/v1/me/totp/confirm', { code: codeAt(secret, stepNow()) })
    expect(confirmed.body.data.recovery_codes).toHaveLength(10)
    expect((await jar.get('/v1/me/second_factors')).body.data).toEqual({
      totp: { enabled: true },
      passkeys: [],
      recovery_codes: { remaining: 10 },
      second_factor: ['totp'],
      has_password: true,
    })
    const again = await jar.post('/v1/me/totp')
    expect([again.status, code(again)]).toEqual([409, 'second_factor_exists'])
    const [stored] = await app.db.query<{ text: string }>(
      sql`select encode(secret, 'escape') as text from totp_secrets where account_id = ${person.accountId}`,
    )
    expect(stored?.text).not.toContain(secret)
  })

  it('is asked for after the password, and opens nothing before', async () => {
    const { person, secret } = await enrol()
    const jar = new Jar(app)
    const answer = await signInByPasswordIn(jar, person)
    expect([answer.status, answer.body]).toEqual([202, { data: { second_factor: ['totp'] } }])
    for (const path of ['/v1/me', '/v1/folders', '/v1/sessions'])
      expect(code(await jar.get(path)), path).toBe('second_factor_required')
    const before = jar.cookies.get('signoff')
    await passTime(person.accountId)
    const done = await jar.post('/auth/totp', { code: codeAt(secret, stepNow()) })
    expect(done.status).toBe(204)
    expect(jar.cookies.get('signoff')).not.toBe(before)
    expect((await jar.get('/v1/me')).body.data.account.email).toBe(person.email)
  })

  it('accepts a code one step early or late, and no other', async () => {
    const { person, secret } = await enrol()
    for (const [delta, status] of [
      [-1, 204],
      [0, 204],
      [1, 204],
      [-3, 401],
      [3, 401],
    ] as const) {
      await passTime(person.accountId)
      const jar = await pendingJar(person)
      expect((await jar.post('/auth/totp', { code: codeAt(secret, stepNow() + delta) })).status).toBe(status)
    }
  })

  it('accepts each code once, also of two requests at the same time', async () => {
    const { person, secret } = await enrol()
    await passTime(person.accountId)
    const used = codeAt(secret, stepNow())
    const jars = await Promise.all([pendingJar(person), pendingJar(person), pendingJar(person)])
    const answers = await Promise.all(jars.map(jar => jar.post('/auth/totp', { code: used })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401])
    const later = await pendingJar(person)
    expect(code(await later.post('/auth/totp', { code: used }))).toBe('invalid_credentials')
    // A code of an earlier step is refused too.
    expect((await later.post('/auth/totp', { code: codeAt(secret, stepNow() - 1) })).status).toBe(401)
  })

  it('cannot be guessed: wrong codes count, and a right password does not set the count back', async () => {
    const { person, secret } = await enrol()
    await passTime(person.accountId)
    const right = codeAt(secret, stepNow())
    const wrong = right === '000000' ? '000001' : '000000'
    const statuses: number[] = []
    for (let i = 0; i < 10; i++) {
      const jar = await pendingJar(person)
      statuses.push((await jar.post('/auth/totp', { code: wrong })).status)
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 401))
    const password = await signInByPasswordIn(new Jar(app), person)
    expect([password.status, code(password)]).toEqual([429, 'too_many_attempts'])
    expect(Number(password.headers['retry-after'])).toBeGreaterThan(0)
    await app.db.query(sql`update sign_in_failures set failed_at = failed_at - interval '15 minutes'`)
    expect((await (await pendingJar(person)).post('/auth/totp', { code: right })).status).toBe(204)
  })

  it('refuses even the right code after too many wrong ones, also when they come at once', async () => {
    const { person, secret } = await enrol()
    await passTime(person.accountId)
    const jar = await pendingJar(person)
    const right = codeAt(secret, stepNow())
    const wrong = right === '000000' ? '000001' : '000000'
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => jar.post('/auth/totp', { code: wrong })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
    expect((await jar.post('/auth/totp', { code: right })).status).toBe(429)
  })

  it('writes sign-ins, failures and changes into the audit log', async () => {
    const { person } = await enrol()
    const jar = await pendingJar(person)
    await jar.post('/auth/totp', { code: '000000' })
    const entries = (await app.get(`/v1/audit_log?member_id=${person.memberId}&limit=100`)).body.data
    const actions = entries.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(
      expect.arrayContaining([
        'session.started',
        'session.pending',
        'second_factor.added',
        'session.refused',
      ]),
    )
  })
})

describe('recovery codes', () => {
  it('stand in for the factor once, in any spelling', async () => {
    const { person, recoveryCodes } = await enrol()
    const [first = '', second = ''] = recoveryCodes
    const jar = await pendingJar(person)
    expect((await jar.post('/auth/totp', { code: first.toUpperCase().replaceAll('-', ' ') })).status).toBe(
      204,
    )
    expect((await jar.get('/v1/me/second_factors')).body.data.recovery_codes).toEqual({ remaining: 9 })
    const other = await pendingJar(person)
    expect(code(await other.post('/auth/totp', { code: first }))).toBe('invalid_credentials')
    expect((await other.post('/auth/totp', { code: second })).status).toBe(204)
  })

  it('work for one of two requests at the same time', async () => {
    const { person, recoveryCodes } = await enrol()
    const jars = await Promise.all([pendingJar(person), pendingJar(person), pendingJar(person)])
    const answers = await Promise.all(jars.map(jar => jar.post('/auth/totp', { code: recoveryCodes[0] })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401])
  })

  it('are hashed, and those of another account do not work', async () => {
    const enrolment = await enrol()
    const other = await enrol()
    const jar = await pendingJar(other.person)
    expect((await jar.post('/auth/totp', { code: enrolment.recoveryCodes[0] })).status).toBe(401)
    const [row] = await app.db.query<{ text: string }>(
      sql`select string_agg(encode(hash, 'hex'), ' ') as text from recovery_codes`,
    )
    expect(row?.text).not.toContain(enrolment.recoveryCodes[0]?.replaceAll('-', ''))
  })

  it('are replaced by new ones', async () => {
    const { person, jar, recoveryCodes } = await enrol()
    const renewed = (await jar.post('/v1/me/recovery_codes')).body.data.codes
    expect(renewed).toHaveLength(10)
    const pending = await pendingJar(person)
    expect((await pending.post('/auth/totp', { code: recoveryCodes[0] })).status).toBe(401)
    expect((await pending.post('/auth/totp', { code: renewed[0] })).status).toBe(204)
  })

  it('need a second factor', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    expect((await jar.post('/v1/me/recovery_codes')).status).toBe(404)
  })
})

describe('a change of factors', () => {
  it('ends the other sessions, renews this one and is mailed', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' })
    const elsewhere = new Jar(app)
    await signInByPasswordIn(jar, person)
    await signInByPasswordIn(elsewhere, person)
    const before = jar.cookies.get('signoff')
    const { secret } = (await jar.post('/v1/me/totp')).body.data
    await jar.post('/v1/me/totp/confirm', { code: codeAt(secret, stepNow()) })
    expect(jar.cookies.get('signoff')).not.toBe(before)
    expect((await jar.get('/v1/me')).status).toBe(200)
    expect(code(await elsewhere.get('/v1/me'))).toBe('session_expired')
    await runAllJobs(app)
    const mails = mail.mails.filter(({ to }) => to === person.email)
    expect(mails.some(({ text }) => text.includes('Firefox on Linux'))).toBe(true)
    expect((await jar.delete('/v1/me/totp')).status).toBe(204)
    expect((await jar.get('/v1/me/second_factors')).body.data).toMatchObject({
      totp: { enabled: false },
      recovery_codes: { remaining: 0 },
      second_factor: [],
    })
    expect((await jar.delete('/v1/me/totp')).status).toBe(404)
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(204)
  })

  it('needs a sign-in within 15 minutes', async () => {
    const { person, jar } = await enrol()
    await app.db.query(
      sql`update sessions set created_at = now() - interval '16 minutes' where account_id = ${person.accountId}`,
    )
    const passkey = { name: 'x', credential: { id: 'a', rawId: 'a', type: 'public-key', response: {} } }
    for (const answer of [
      await jar.post('/v1/me/totp'),
      await jar.post('/v1/me/totp/confirm', { code: '123456' }),
      await jar.delete('/v1/me/totp'),
      await jar.post('/v1/me/recovery_codes'),
      await jar.post('/v1/me/passkeys/options'),
    ])
      expect([answer.status, code(answer)]).toEqual([403, 'recent_sign_in_required'])
    expect((await jar.post('/v1/me/passkeys', passkey)).status).toBe(422)
    expect((await jar.get('/v1/me/second_factors')).status).toBe(200)
  })

  it('is impossible while the factor of the sign-in is missing', async () => {
    const { person } = await enrol()
    const jar = await pendingJar(person)
    for (const answer of [
      await jar.post('/v1/me/totp'),
      await jar.post('/v1/me/totp/confirm', { code: '123456' }),
      await jar.delete('/v1/me/totp'),
      await jar.post('/v1/me/recovery_codes'),
      await jar.post('/v1/me/passkeys/options'),
      await jar.post('/auth/password/change', { current: goodPassword, new: 'another good passphrase' }),
    ])
      expect([answer.status, code(answer)]).toEqual([403, 'second_factor_required'])
  })

  it('is refused from a page of another origin, and with an API key', async () => {
    const { jar } = await enrol()
    const foreign = { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }
    expect(code(await jar.post('/v1/me/recovery_codes', undefined, foreign))).toBe('cross_origin')
    expect(code(await app.post('/v1/me/recovery_codes'))).toBe('missing_session')
  })
})

describe('a workspace that requires a second factor', () => {
  it('lets a member without one do nothing but set one up', async () => {
    const strict = await testApp({
      env: proxied,
      signInPolicyOf: async (tx, accountId) => ({
        ssoOnlyWorkspaces: [],
        secondFactorWorkspaces: (await membershipsOf(tx, accountId)).map(({ workspaceId }) => workspaceId),
      }),
    })
    const person = await newPerson(strict)
    const jar = new Jar(strict)
    const answer = await signInByPasswordIn(jar, person)
    expect([answer.status, answer.body.data]).toEqual([202, { second_factor: [] }])
    expect(code(await jar.get('/v1/folders'))).toBe('second_factor_required')
    expect(code(await jar.post('/v1/me/recovery_codes'))).toBe('second_factor_required')
    expect((await jar.get('/v1/me/second_factors')).status).toBe(200)
    const { secret } = (await jar.post('/v1/me/totp')).body.data
    expect((await jar.post('/v1/me/totp/confirm', { code: codeAt(secret, stepNow()) })).status).toBe(200)
    expect((await jar.get('/v1/folders')).status).toBe(200)
    const removal = await jar.delete('/v1/me/totp')
    expect([removal.status, code(removal)]).toEqual([403, 'second_factor_required'])
    expect((await jar.get('/v1/me/second_factors')).body.data.totp.enabled).toBe(true)
  })
})
