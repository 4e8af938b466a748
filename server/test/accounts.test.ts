import { HOTP, Secret } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { secondFactorsOf } from '#features/access/second-factors/index.ts'
import { addMember, setOrigin } from '#features/workspace/accounts/index.ts'
import { type TestApp, testApp } from './support/app.ts'
import { command } from './support/command.ts'
import { Jar, newPerson, type Person, proxied, signInByPasswordIn } from './support/person.ts'
import { urlOf } from './support/postgres/postgres.ts'

let app: TestApp
let env: Record<string, string>
beforeAll(async () => {
  app = await testApp({ env: proxied })
  env = { DATABASE_URL: urlOf(app.connection), SIGNOFF_DATA_DIR: app.config.dataDir }
})

const accounts = (...args: string[]) => command(['accounts', ...args], env)
const newPassword = 'nine copper kettles sing'

async function enrol(person: Person): Promise<Jar> {
  const jar = new Jar(app)
  await signInByPasswordIn(jar, person)
  const { secret } = (await jar.post('/v1/me/totp')).body.data
  const counter = Math.floor(Date.now() / 30_000)
  const code = HOTP.generate({ secret: Secret.fromBase32(secret), counter })
  expect((await jar.post('/v1/me/totp/confirm', { code })).status).toBe(200)
  return jar
}

/** A member of two workspaces, the first of which showed the invitation. */
async function newUnverified(): Promise<{ person: Person; jar: Jar }> {
  const person = await newPerson(app)
  await app.db.query(setOrigin(person.accountId, app.id))
  await addMember(app.db, app.other.id, { name: 'Pat', email: person.email, role: 'member' })
  const jar = new Jar(app)
  await signInByPasswordIn(jar, person)
  return { person, jar }
}

describe('signoff accounts', () => {
  it('lists accounts with their ways in', async () => {
    const [plain, strong] = [await newPerson(app), await newPerson(app)]
    await enrol(strong)
    const { out } = await accounts('list')
    const lineOf = (email: string) => out.split('\n').find(line => line.startsWith(email))
    expect(lineOf(plain.email)).toMatch(/Pat Person {2}yes +yes +none$/)
    expect(lineOf(strong.email)).toMatch(/Pat Person {2}yes +yes +totp$/)
    expect(lineOf('owner@example.com')).toMatch(/ no +no +none$/)
  })

  it('reset: prints a link that sets a new password and can remove second factors', async () => {
    const person = await newPerson(app)
    const jar = await enrol(person)
    const { code, out } = await accounts('reset', person.email.toUpperCase(), '--remove-second-factors')
    expect(code).toBe(0)
    const [link = ''] = out.split('\n')
    expect(link).toMatch(new RegExp(`^${app.config.publicUrl}/reset#[\\w-]{43}$`))
    // Nothing happens until the link is used.
    expect((await jar.get('/v1/me')).status).toBe(200)
    expect(await secondFactorsOf(app.db, person.accountId)).toEqual(['totp'])
    const reset = { token: link.split('#')[1], password: newPassword }
    const other = new Jar(app)
    expect((await other.post('/auth/password/reset', reset)).status).toBe(204)
    expect((await other.get('/v1/me')).body.data.account.email).toBe(person.email)
    expect((await jar.get('/v1/me')).body.error.code).toBe('session_expired')
    expect((await signInByPasswordIn(new Jar(app), person, newPassword)).status).toBe(204)
  })

  it('verify: the password of an account opens its other workspaces', async () => {
    const { person, jar } = await newUnverified()
    const inOther = () => jar.get('/v1/me', { headers: { 'signoff-workspace': app.other.id } })
    expect((await inOther()).body.error.code).toBe('unverified_account')
    const { code, out } = await accounts('verify', person.email)
    expect([code, out]).toEqual([0, expect.stringContaining(`${person.email} is verified`)])
    await expect.poll(async () => (await inOther()).status).toBe(200)
    expect((await accounts('verify', person.email)).err).toContain('is verified already')
  })

  it('reset: of an account that is not verified removes its factors and verifies it', async () => {
    const { person, jar } = await newUnverified()
    await enrol(person)
    const { out } = await accounts('reset', person.email)
    expect(out).toContain('removes the second factors')
    const reset = { token: out.split('\n')[0]?.split('#')[1], password: newPassword }
    const other = new Jar(app)
    expect((await other.post('/auth/password/reset', reset)).status).toBe(204)
    expect(await secondFactorsOf(app.db, person.accountId)).toEqual([])
    expect((await jar.get('/v1/me')).body.error.code).toBe('session_expired')
    const reached = await other.get('/v1/me', { headers: { 'signoff-workspace': app.other.id } })
    expect(reached.status).toBe(200)
  })

  it('remove-second-factor: leaves the password', async () => {
    const person = await newPerson(app)
    await enrol(person)
    expect((await accounts('remove-second-factor', person.email)).code).toBe(0)
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(204)
    const again = await accounts('remove-second-factor', person.email)
    expect([again.code, again.err]).toEqual([1, `${person.email} has no second factor.\n`])
  })

  it('sign-out: ends all sessions', async () => {
    const person = await newPerson(app)
    const jars = [new Jar(app), new Jar(app)]
    for (const jar of jars) await signInByPasswordIn(jar, person)
    expect((await accounts('sign-out', person.email)).out).toContain('Ended 2 sessions')
    for (const jar of jars) expect((await jar.get('/v1/me')).body.error.code).toBe('session_expired')
    const entries = (await app.get('/v1/audit_log?action=session.ended&limit=2')).body.data
    expect(entries.map(({ member_id }: { member_id: string }) => member_id)).toEqual([null, null])
  })

  it('says that an address has no account', async () => {
    for (const name of ['reset', 'verify', 'remove-second-factor', 'sign-out']) {
      const { code, err } = await accounts(name, 'unknown@example.com')
      expect([code, err]).toEqual([1, expect.stringContaining('no account with the address unknown@')])
    }
  })
})
