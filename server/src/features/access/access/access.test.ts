import { beforeAll, describe, expect, it } from 'vitest'
import {
  addMember,
  findAccountByEmail,
  markVerified,
  updatePasswordHash,
} from '#features/workspace/accounts/index.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { type Answer, fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs, runScheduled } from '#test/support/jobs.ts'
import { quickHash } from '#test/support/person.ts'
import { hashPassword, verifyPassword } from './index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_TRUSTED_PROXIES: '127.0.0.1' } })
})

const password = 'seven green bicycles'
const passwordHash = quickHash(password)
let n = 0

/** A member who signs in with a password. */
async function createPerson(role: 'admin' | 'manager' | 'member' = 'admin', hash = passwordHash) {
  const email = `someone${++n}@example.com`
  const memberId = await addMember(app.db, app.id, { name: 'Someone', email, role })
  const account = await findAccountByEmail(app.db, email)
  await updatePasswordHash(app.db, account!.id, hash)
  await app.db.query(markVerified(account!.id))
  return { email, memberId, accountId: account!.id }
}

const signIn = (email: string, secret = password, headers: Record<string, string> = {}): Promise<Answer> =>
  app.post('/auth/password', { email, password: secret }, { key: null, headers })

/** The cookie that the browser sends back: `signoff=…`. */
const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';')[0] ?? ''

const from = (address: string) => ({ 'x-forwarded-for': address })
let address = 0
const freshAddress = () => `198.51.${Math.floor(++address / 250)}.${(address % 250) + 1}`

const actions = async (): Promise<string[]> =>
  (await app.get('/v1/audit_log?limit=100')).body.data.map((entry: { action: string }) => entry.action)

const change = (db: Db, statement: Parameters<Db['query']>[0]) => db.query(statement)

describe('a password', () => {
  it('is stored as argon2id and verified', async () => {
    const stored = await hashPassword(password)
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await verifyPassword(password, stored)).toBe(true)
    expect(await verifyPassword(`${password} `, stored)).toBe(false)
    expect(await verifyPassword(password, null)).toBe(false)
    expect(await hashPassword(password)).not.toBe(stored)
  })

  it('opens a session, whose cookie opens the API', async () => {
    const { email } = await createPerson()
    const answer = await signIn(` ${email.toUpperCase()} `)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const [session, browserMark] = [answer.headers['set-cookie']].flat()
    expect(browserMark).toMatch(
      /^signoff-browser=[A-Za-z0-9_-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const [pair, ...attributes] = String(session).split('; ')
    expect(pair).toMatch(/^signoff=[A-Za-z0-9_-]{43}$/)
    expect(attributes).toEqual(['Max-Age=2592000', 'Path=/', 'HttpOnly', 'SameSite=Lax'])
    const browser = app.browser(cookieOf(answer))
    const me = await browser.get('/v1/me')
    expect(me.body.data).toMatchObject({
      account: { email, name: 'Someone' },
      member: { role: 'admin' },
      workspace: { id: app.id },
      workspaces: [{ id: app.id, name: 'Own', role: 'admin' }],
    })
    expect((await browser.post('/v1/folders', { name: `of ${email}` })).status).toBe(201)
    const [entry] = (await app.get('/v1/audit_log?limit=1')).body.data
    expect(entry).toMatchObject({ action: 'folder.created', member_name: 'Someone', api_key_id: null })
    expect(entry.session_id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('that is wrong, and an address without an account, get the same answer', async () => {
    const { email } = await createPerson()
    const [wrong, unknown] = [
      await signIn(email, 'not the password', from(freshAddress())),
      await signIn('nobody@example.com', password, from(freshAddress())),
    ]
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'invalid_credentials'])
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
    expect(wrong.headers['set-cookie']).toBeUndefined()
    await runAllJobs(app)
    expect(await actions()).toContain('session.refused')
  })

  it('takes as long to refuse for an unknown address as for a wrong password', async () => {
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
    const timed = async (work: () => Promise<unknown>) => {
      const began = performance.now()
      await work()
      return performance.now() - began
    }
    const refuse = async (email: string) =>
      expect((await signIn(email, 'wrong wrong wrong', from(freshAddress()))).status).toBe(401)
    /** The medians of refusals, and of a hash, one after the other: a busy machine slows all of them down. */
    const usualHash = await hashPassword(password)
    const compareTimes = async () => {
      const times = { known: [] as number[], unknown: [] as number[], hash: [] as number[] }
      for (let round = 0; round < 7; round++) {
        const { email } = await createPerson('admin', usualHash)
        times.known.push(await timed(() => refuse(email)))
        times.unknown.push(await timed(() => refuse(`nobody.${email}`)))
        times.hash.push(await timed(() => hashPassword(password)))
      }
      return Math.abs(median(times.known) - median(times.unknown)) / median(times.hash)
    }
    // Without a hash for unknown addresses, the difference would be the whole time of a hash in every comparison.
    await expect.poll(compareTimes).toBeLessThan(0.5)
  })

  it.each([
    ['short', { new: 'weak_password' }],
    ['elevenchars', { new: 'weak_password' }],
    ['passwordpassword', { new: 'leaked_password' }],
    ['PasswordPassword', { new: 'leaked_password' }],
    ['123456789012', { new: 'leaked_password' }],
    ['x'.repeat(1_001), { new: 'too_long' }],
  ])('cannot be weak, leaked or endless (%#)', async (chosen, expected) => {
    const { email } = await createPerson()
    const browser = app.browser(cookieOf(await signIn(email)))
    const answer = await browser.post('/auth/password/change', { current: password, new: chosen })
    expect([answer.status, fieldErrors(answer)]).toEqual([422, expected])
  })

  it('cannot be the address of its account', async () => {
    const { email } = await createPerson()
    const browser = app.browser(cookieOf(await signIn(email)))
    const answer = await browser.post('/auth/password/change', { current: password, new: email })
    expect(fieldErrors(answer)).toEqual({ new: 'weak_password' })
  })

  it('that changes ends the other sessions, and gives this browser a new cookie', async () => {
    const { email } = await createPerson()
    const [here, elsewhere] = [cookieOf(await signIn(email)), cookieOf(await signIn(email))]
    const body = { current: password, new: 'nine blue bicycles' }
    const wrong = await app.browser(here).post('/auth/password/change', { ...body, current: 'wrong' })
    expect([wrong.status, fieldErrors(wrong)]).toEqual([422, { current: 'invalid' }])
    const answer = await app.browser(here).post('/auth/password/change', body)
    expect(answer.status).toBe(204)
    for (const old of [here, elsewhere])
      expect((await app.browser(old).get('/v1/me')).body.error.code).toBe('session_expired')
    expect((await app.browser(cookieOf(answer)).get('/v1/me')).status).toBe(200)
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, 'nine blue bicycles')).status).toBe(204)
    expect(await actions()).toContain('account.password_changed')
  })
})

describe('wrong passwords', () => {
  it('are limited to 10 per account, from many addresses and all at once', async () => {
    const { email } = await createPerson()
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => signIn(email, 'wrong', from(freshAddress()))),
    )
    const count = (status: number) => answers.filter(answer => answer.status === status).length
    expect([count(401), count(429)]).toEqual([10, 15])
    const refused = await signIn(email, password, from(freshAddress()))
    expect([refused.status, refused.body.error.code]).toEqual([429, 'too_many_attempts'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(13 * 60)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
    await change(app.db, sql`update sign_in_failures set failed_at = failed_at - interval '15 minutes'`)
    expect((await signIn(email)).status).toBe(204)
  })

  it('get the same 429 for an address without an account', async () => {
    const { email } = await createPerson()
    const last = async (target: string) => {
      for (let i = 0; i < 10; i++)
        expect((await signIn(target, 'wrong', from(freshAddress()))).status).toBe(401)
      return signIn(target, 'wrong', from(freshAddress()))
    }
    const [answer, unknown] = [await last(email), await last('ghost@example.com')]
    expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body])
  })

  it('are limited to 30 per network, for many accounts', async () => {
    const network = from('203.0.113.77')
    for (let i = 0; i < 30; i++)
      expect((await signIn(`ghost${i}@example.com`, 'wrong', network)).status).toBe(401)
    const { email } = await createPerson()
    expect((await signIn(email, password, network)).status).toBe(429)
    expect((await signIn(email, password, from('203.0.113.78'))).status).toBe(204)
  })

  it('are forgotten when the right one comes, and right ones do not count', async () => {
    const { email } = await createPerson()
    const network = from('203.0.113.90')
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 6; i++) expect((await signIn(email, 'wrong', network)).status).toBe(401)
      expect((await signIn(email, password, network)).status).toBe(204)
    }
    for (let i = 0; i < 3; i++) expect((await signIn(email, password, network)).status).toBe(204)
  })
})

describe('a session', () => {
  it('begins with a new token, and ends the one that the browser had before', async () => {
    const { email } = await createPerson()
    const planted = cookieOf(await signIn(email))
    const answer = await app.post(
      '/auth/password',
      { email, password },
      { key: null, headers: { cookie: planted, 'sec-fetch-site': 'same-origin' } },
    )
    expect(cookieOf(answer)).not.toBe(planted)
    expect((await app.browser(cookieOf(answer)).get('/v1/me')).status).toBe(200)
    await expect.poll(async () => (await app.browser(planted).get('/v1/me')).status).toBe(401)
    // A token that the service did not make is not taken over either.
    const chosen = `signoff=${'A'.repeat(43)}`
    const other = await app.post(
      '/auth/password',
      { email, password },
      { key: null, headers: { cookie: chosen, 'sec-fetch-site': 'same-origin' } },
    )
    expect(cookieOf(other)).not.toBe(chosen)
    expect((await app.browser(chosen).get('/v1/me')).body.error.code).toBe('session_expired')
  })

  it('has the rights of the member as they are now', async () => {
    const manager = await app.signIn({ role: 'manager' })
    expect((await manager.get('/v1/api_keys')).body.error.code).toBe('insufficient_role')
    expect((await manager.get('/v1/folders')).status).toBe(200)
    await change(app.db, sql`update members set role = 'member' where id = ${manager.memberId}`)
    const write = () => manager.post('/v1/folders', { name: `n${++n}` })
    await expect.poll(async () => (await write()).status, { timeout: 5_000 }).toBe(403)
    await change(app.db, sql`update members set status = 'invited' where id = ${manager.memberId}`)
    await expect.poll(async () => (await manager.get('/v1/folders')).status, { timeout: 5_000 }).toBe(404)
  })

  it('ends after 12 hours without a request, and after 30 days in any case', async () => {
    const [idle, old] = [await app.signIn({ role: 'member' }), await app.signIn({ role: 'member' })]
    const age = (accountId: string, hours: string) =>
      sql`update sessions set last_used_at = now() - ${hours}::interval where account_id = ${accountId}`
    await change(app.db, age(idle.accountId, '11 hours 59 minutes'))
    expect((await idle.get('/v1/me')).status).toBe(200)
    // The request was stored as a use.
    const lastUse = async () => {
      const [row] = await app.db.query<{ minutes: number }>(
        sql`select extract(epoch from now() - last_used_at) / 60 as minutes from sessions where account_id = ${idle.accountId}`,
      )
      return Number(row?.minutes)
    }
    await expect.poll(lastUse).toBeLessThan(5)
    await change(app.db, age(idle.accountId, '12 hours 1 minute'))
    await expect.poll(async () => (await idle.get('/v1/me')).body.error?.code).toBe('session_expired')
    await change(
      app.db,
      sql`update sessions set expires_at = now() - interval '1 second' where account_id = ${old.accountId}`,
    )
    expect((await old.get('/v1/me')).body.error.code).toBe('session_expired')
    await runScheduled(app, 'access.delete-expired')
    const left = sql`select id from sessions where account_id in (${idle.accountId}, ${old.accountId})`
    expect(await app.db.query(left)).toEqual([])
  })

  it('is listed, and ends by its id', async () => {
    const { email } = await createPerson()
    const agent = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'
    const here = app.browser(cookieOf(await signIn(email, password, { 'user-agent': agent })))
    const elsewhere = app.browser(cookieOf(await signIn(email)))
    const { data } = (await here.get('/v1/sessions')).body
    expect(data).toHaveLength(2)
    const [own] = data.filter((session: { current: boolean }) => session.current)
    const [other] = data.filter((session: { current: boolean }) => !session.current)
    expect(own).toMatchObject({ browser: 'Firefox on Windows', method: 'password', network: '127.0.0.1' })
    const stranger = await app.signIn({ role: 'admin' })
    expect((await stranger.delete(`/v1/sessions/${other.id}`)).status).toBe(404)
    expect((await here.delete(`/v1/sessions/${other.id}`)).status).toBe(204)
    expect((await elsewhere.get('/v1/me')).body.error.code).toBe('session_expired')
    const last = await here.delete(`/v1/sessions/${own.id}`)
    expect([last.status, String(last.headers['set-cookie'])]).toEqual([
      204,
      expect.stringMatching(/^signoff=; Max-Age=0/),
    ])
    expect((await here.get('/v1/sessions')).status).toBe(401)
  })

  it('ends by a sign-out here, or everywhere', async () => {
    const { email } = await createPerson()
    const [first, second, third] = [await signIn(email), await signIn(email), await signIn(email)].map(
      answer => app.browser(cookieOf(answer)),
    )
    const out = await first!.post('/auth/sign_out')
    expect([out.status, String(out.headers['set-cookie'])]).toEqual([
      204,
      expect.stringMatching(/^signoff=; Max-Age=0/),
    ])
    expect((await first!.get('/v1/me')).status).toBe(401)
    expect((await second!.get('/v1/me')).status).toBe(200)
    expect((await second!.post('/auth/sign_out', { everywhere: true })).status).toBe(204)
    expect((await third!.get('/v1/me')).status).toBe(401)
    expect((await third!.post('/auth/sign_out')).body.error.code).toBe('session_expired')
    expect(await actions()).toContain('session.ended')
    const none = await app.post('/auth/sign_out', {}, { key: null })
    expect([none.status, none.body.error.code]).toEqual([401, 'missing_session'])
  })

  it('that ended in one process is refused by another within 5 seconds', async () => {
    const beside = await testApp({ connection: app.connection })
    const person = await app.signIn({ role: 'admin' })
    const there = beside.browser(person.cookie)
    expect((await there.get('/v1/me')).status).toBe(200)
    await person.post('/auth/sign_out')
    const began = performance.now()
    await expect.poll(async () => (await there.get('/v1/me')).status).toBe(401)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  it('chooses the workspace by a header, and remembers it', async () => {
    const person = await app.signIn({ role: 'admin' })
    await addMember(app.db, app.other.id, { name: 'There', email: person.email, role: 'manager' })
    const workspaceOf = async (headers: Record<string, string> = {}) => {
      const { status, body } = await person.get('/v1/me', { headers })
      return status === 200 ? body.data.workspace.id : body.error.code
    }
    expect(await workspaceOf()).toBe(app.id)
    const there = { 'signoff-workspace': app.other.id.toUpperCase() }
    await expect.poll(() => workspaceOf(there)).toBe(app.other.id)
    await expect.poll(() => workspaceOf()).toBe(app.other.id)
    const { body } = await person.get('/v1/me')
    expect(body.data.workspaces).toEqual([
      { id: app.id, name: 'Own', role: 'admin' },
      { id: app.other.id, name: 'Other', role: 'manager' },
    ])
    const foreign = (await app.workspace('Third')).id
    for (const wrong of [foreign, 'x', '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'])
      expect(await workspaceOf({ 'signoff-workspace': wrong })).toBe('not_found')
  })

  it('gives way to an API key', async () => {
    const person = await app.signIn({ role: 'member' })
    const both = await person.get('/v1/me', { key: app.key })
    expect(both.body.data.member.role).toBe('owner')
    const bad = await person.get('/v1/me', { key: 'sgn_wrong' })
    expect([bad.status, bad.body.error.code]).toEqual([401, 'invalid_api_key'])
    const sessions = await person.get('/v1/sessions', { key: app.key })
    expect([sessions.status, sessions.body.error.code]).toEqual([401, 'missing_session'])
    const key = await app.get('/v1/me')
    expect(key.body.data.workspaces).toEqual([{ id: app.id, name: 'Own', role: 'owner' }])
  })

  it('stores answers for an Idempotency-Key of its own, and only for itself', async () => {
    const [admin, colleague] = [await app.signIn({ role: 'admin' }), await app.signIn({ role: 'admin' })]
    const headers = { 'idempotency-key': 'the same' }
    const create = (person: typeof admin) =>
      person.post('/v1/api_keys', { name: 'K', scopes: ['folders:read'] }, { headers })
    const [first, replayed, other] = [await create(admin), await create(admin), await create(colleague)]
    expect([first.status, replayed.status, other.status]).toEqual([201, 201, 201])
    expect(replayed.body).toEqual(first.body)
    expect(replayed.headers['idempotent-replayed']).toBe('true')
    expect(other.body.data.id).not.toBe(first.body.data.id)
  })
})
