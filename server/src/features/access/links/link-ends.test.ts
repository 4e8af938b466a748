// What ends links by mail, and what strangers cannot use up.
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail.ts'
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
