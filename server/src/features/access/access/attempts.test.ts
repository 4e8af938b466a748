import { beforeAll, describe, expect, it } from 'vitest'
import { lockAccount, membershipsOf, updatePasswordHash } from '#features/workspace/accounts/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import {
  goodPassword,
  Jar,
  newPerson,
  type Person,
  proxied,
  signInByPasswordIn,
} from '#test/support/person.ts'
import { lockWaits } from '#test/support/postgres/lock-waits.ts'
import { hashPassword } from './index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: proxied })
})

const actionsOf = async ({ memberId }: Person): Promise<string[]> =>
  (await app.get(`/v1/audit_log?member_id=${memberId}&limit=100`)).body.data.map(
    ({ action }: { action: string }) => action,
  )
const count = (actions: readonly string[], action: string) => actions.filter(each => each === action).length

describe('right sign-ins', () => {
  it('of one account are not refused, however many come at once', async () => {
    const person = await newPerson(app)
    const jars = Array.from({ length: 14 }, () => new Jar(app))
    const answers = await Promise.all(jars.map(jar => signInByPasswordIn(jar, person)))
    expect(answers.map(({ status }) => status)).toEqual(jars.map(() => 204))
  })

  it('of one network are not refused, however many come at once', async () => {
    const people = [await newPerson(app), await newPerson(app), await newPerson(app)]
    const network = { 'x-forwarded-for': '203.0.113.5' }
    const answers = await Promise.all(
      Array.from({ length: 33 }, (_, i) =>
        signInByPasswordIn(new Jar(app, network), people[i % 3] as Person),
      ),
    )
    expect(answers.every(({ status }) => status === 204)).toBe(true)
  })

  it('that single sign-on refuses do not count, and are in the audit log', async () => {
    const strict = await testApp({
      env: proxied,
      connection: app.connection,
      signInPolicyOf: async (tx, accountId) => ({
        ssoOnlyWorkspaces: (await membershipsOf(tx, accountId)).map(({ workspaceId }) => workspaceId),
        secondFactorWorkspaces: [],
      }),
    })
    const person = await newPerson(app)
    for (let i = 0; i < 11; i++)
      expect((await signInByPasswordIn(new Jar(strict), person)).body.error.code).toBe('sso_required')
    expect(count(await actionsOf(person), 'session.refused')).toBe(11)
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(204)
  })
})

describe('wrong passwords', () => {
  it('count for 15 minutes', async () => {
    const person = await newPerson(app)
    for (let i = 0; i < 10; i++)
      expect((await signInByPasswordIn(new Jar(app), person, 'wrong')).status).toBe(401)
    const pass = (seconds: number) =>
      app.db.query(sql`update sign_in_failures set failed_at = failed_at - make_interval(secs => ${seconds})`)
    await pass(14 * 60)
    const refused = await signInByPasswordIn(new Jar(app), person)
    expect([refused.status, Number(refused.headers['retry-after']) <= 60]).toEqual([429, true])
    await pass(60)
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(204)
  })

  it('from many accounts of one network exceed its limit by few, when they come at once', async () => {
    const network = { 'x-forwarded-for': '203.0.113.6' }
    const answers = await Promise.all(
      Array.from({ length: 45 }, (_, i) =>
        new Jar(app, network).post('/auth/password', { email: `ghost${i}@example.net`, password: 'wrong' }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429).length
    expect(refused).toBeGreaterThanOrEqual(12)
    expect(refused).toBeLessThanOrEqual(15)
  })
})

describe('a browser from which the person has signed in', () => {
  const lockOut = async (person: Person) => {
    for (let i = 0; i < 10; i++) await signInByPasswordIn(new Jar(app), person, 'wrong')
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(429)
  }

  it('is not locked out by wrong passwords of strangers, and has a limit of its own', async () => {
    const person = await newPerson(app)
    const own = new Jar(app)
    await signInByPasswordIn(own, person)
    await lockOut(person)
    const statuses = []
    for (let i = 0; i < 9; i++) statuses.push((await signInByPasswordIn(own, person, 'wrong')).status)
    statuses.push((await signInByPasswordIn(own, person)).status)
    for (let i = 0; i < 11; i++) statuses.push((await signInByPasswordIn(own, person, 'wrong')).status)
    const wrong = (times: number) => Array.from({ length: times }, () => 401)
    expect(statuses).toEqual([...wrong(9), 204, ...wrong(10), 429])
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(429)
  })

  it('is one of this person: neither another account nor single sign-on makes it known', async () => {
    const [person, other] = [await newPerson(app), await newPerson(app)]
    const jar = new Jar(app)
    await signInByPasswordIn(jar, other)
    await app.db.query(sql`
      insert into known_browsers (account_id, hash, own_sign_in, last_used_at)
      select ${person.accountId}, hash, false, now() from known_browsers where account_id = ${other.accountId}`)
    await lockOut(person)
    expect((await signInByPasswordIn(jar, person)).status).toBe(429)
    await app.db.query(
      sql`update known_browsers set own_sign_in = true where account_id = ${person.accountId}`,
    )
    expect((await signInByPasswordIn(jar, person)).status).toBe(204)
  })
})

describe('a password', () => {
  it('that changes while a sign-in checks it opens no session', async () => {
    const person = await newPerson(app)
    const changed = await hashPassword('another good passphrase')
    const [locked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const change = app.db.transaction(async tx => {
      await lockAccount(tx, person.accountId)
      await updatePasswordHash(tx, person.accountId, changed)
      locked.resolve()
      await gate.promise
    })
    await locked.promise
    const signIn = signInByPasswordIn(new Jar(app), person)
    await expect.poll(() => lockWaits(app.db)).toBe(1)
    gate.resolve()
    await change
    expect((await signIn).status).toBe(401)
  })

  it('that is the first one needs a sign-in within 15 minutes', async () => {
    const person = await newPerson(app, 'admin', false)
    const session = await app.signIn({ role: 'admin', email: person.email })
    const age = (minutes: number) =>
      app.db.query(
        sql`update sessions set created_at = now() - make_interval(mins => ${minutes}) where account_id = ${person.accountId}`,
      )
    await age(16)
    const refused = await session.post('/auth/password/change', { new: goodPassword })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'recent_sign_in_required'])
    await age(14)
    expect((await session.post('/auth/password/change', { new: goodPassword })).status).toBe(204)
  })

  it('that is wrong at a change is in the audit log', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    await jar.post('/auth/password/change', { current: 'wrong', new: 'another good passphrase' })
    expect(count(await actionsOf(person), 'session.refused')).toBe(1)
  })
})

describe('a sign-in', () => {
  it('ends the session that the browser had, which the audit log tells', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    await signInByPasswordIn(jar, person)
    const actions = await actionsOf(person)
    expect([count(actions, 'session.started'), count(actions, 'session.ended')]).toEqual([2, 1])
  })

  it('shows when the member was last seen', async () => {
    const person = await newPerson(app)
    const seen = async () => (await app.get(`/v1/members/${person.memberId}`)).body.data.last_seen_at
    expect(await seen()).toBeNull()
    await signInByPasswordIn(new Jar(app), person)
    expect(await seen()).not.toBeNull()
  })
})
