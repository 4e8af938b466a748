// What ends links by mail, and what strangers cannot use up.
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
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
import { createSignInLink } from '../index.ts'

let app: TestApp
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  app = await testApp({ env: { ...proxied, SIGNOFF_SMTP_URL: mail.url } })
})

const newPassword = 'nine copper kettles sing'

async function mailsTo({ email }: Person): Promise<string[]> {
  await runAllJobs(app)
  return mail.mails.filter(({ to }) => to === email).map(({ text }) => text)
}

const resetTokenIn = (text = ''): string => /\/reset#([\w-]{43})/.exec(text)?.[1] ?? ''

/** A link that signs in the browser of `jar`, and a token for a new password. */
async function askForBoth(person: Person, jar: Jar) {
  await jar.post('/auth/link', { email: person.email })
  await jar.post('/auth/password/forgot', { email: person.email })
  const texts = (await mailsTo(person)).join('\n')
  const link = /\/auth\/link\/[\w-]{43}/.exec(texts)?.[0] ?? ''
  const token = resetTokenIn(texts)
  expect([link, token]).not.toContain('')
  return { link, token }
}

describe('links that an intruder has asked for', () => {
  it.each([
    ['a change of the password', '/auth/password/change', { current: goodPassword, new: newPassword }],
    ['a sign-out everywhere', '/auth/sign_out', { everywhere: true }],
  ])('end with %s', async (_name, path, body) => {
    const person = await newPerson(app)
    const own = new Jar(app)
    await signInByPasswordIn(own, person)
    const intruder = new Jar(app)
    const { link, token } = await askForBoth(person, intruder)
    expect((await own.post(path, body)).status).toBe(204)
    expect((await intruder.get(link)).headers.location).toBe('/sign-in?problem=used_link')
    const reset = await intruder.post('/auth/password/reset', { token, password: 'ten silver spoons shine' })
    expect(reset.status).toBe(404)
  })
})

describe('a person whose limits strangers have used up', () => {
  it('signs in after a new password', async () => {
    const person = await newPerson(app)
    for (let i = 0; i < 10; i++) await signInByPasswordIn(new Jar(app), person, 'wrong')
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(429)
    const jar = new Jar(app)
    await jar.post('/auth/password/forgot', { email: person.email })
    const token = resetTokenIn((await mailsTo(person)).at(-1))
    expect((await jar.post('/auth/password/reset', { token, password: newPassword })).status).toBe(204)
    expect((await signInByPasswordIn(jar, person, newPassword)).status).toBe(204)
  })

  it('gets mails that a browser of its own asks for, five of them in an hour', async () => {
    const person = await newPerson(app)
    const own = new Jar(app)
    await signInByPasswordIn(own, person)
    for (let i = 0; i < 7; i++) await new Jar(app).post('/auth/link', { email: person.email })
    expect(await mailsTo(person)).toHaveLength(5)
    for (let i = 0; i < 4; i++) await own.post('/auth/password/forgot', { email: person.email })
    for (let i = 0; i < 4; i++) await own.post('/auth/link', { email: person.email })
    expect(await mailsTo(person)).toHaveLength(10)
  })
})

describe('a sign-in link of the operator', () => {
  it('signs in any browser, once, and is in the audit log', async () => {
    const person = await newPerson(app)
    const link = new URL(await createSignInLink(app.db, { id: person.accountId }, 'http://localhost:3000'))
      .pathname
    const [row] = await app.db.query<{ hash: Buffer; minutes: number }>(sql`
      select hash, round(extract(epoch from expires_at - now()) / 60)::int as minutes from sign_in_tokens
      where account_id = ${person.accountId}`)
    expect(row?.minutes).toBe(15)
    expect(link).not.toContain(row?.hash.toString('base64url'))
    const [browser, other] = [new Jar(app), new Jar(app)]
    const answers = await Promise.all([browser.get(link), other.get(link)])
    expect(answers.map(({ headers }) => headers.location).sort()).toEqual([
      '/sign-in/workspace?return_to=%2F',
      '/sign-in?problem=used_link',
    ])
    const signedIn = [browser, other].filter(jar => jar.cookies.has('signoff'))
    expect(signedIn).toHaveLength(1)
    expect((await signedIn[0]!.get('/v1/me')).body.data.account.email).toBe(person.email)
    const log = await app.get(
      `/v1/audit_log?action=account.sign_in_link_created&resource_id=${person.accountId}`,
    )
    expect(log.body.data).toMatchObject([{ member_id: null }])
  })

  it('does not work after 15 minutes', async () => {
    const person = await newPerson(app)
    const link = new URL(await createSignInLink(app.db, { id: person.accountId }, 'http://localhost:3000'))
      .pathname
    await app.db.query(
      sql`update sign_in_tokens set expires_at = now() where account_id = ${person.accountId}`,
    )
    expect((await new Jar(app).get(link)).headers.location).toBe('/sign-in?problem=used_link')
  })
})
