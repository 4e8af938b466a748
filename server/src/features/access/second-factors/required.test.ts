import { HOTP, Secret } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '#features/workspace/accounts/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { Jar, newPerson, type Person, proxied, signInByPasswordIn } from '#test/support/person.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: proxied })
})

const code = ({ body }: Answer) => body?.error?.code
const codeNow = (secret: string) =>
  HOTP.generate({ secret: Secret.fromBase32(secret), counter: Math.floor(Date.now() / 30_000) })

const requireFactor = async (isRequired: boolean) => {
  const patch = { sign_in_policy: { second_factor_required: isRequired } }
  const answer = await app.patch('/v1/workspace/sign_in_policy', patch, { key: app.other.key })
  expect(answer.status).toBe(200)
}

async function enrol(jar: Jar): Promise<string> {
  const { secret } = (await jar.post('/v1/me/totp')).body.data
  expect((await jar.post('/v1/me/totp/confirm', { code: codeNow(secret) })).status).toBe(200)
  return secret
}

const startsOf = async (accountId: string): Promise<number> => {
  const rows = await app.db.query(sql`
    select id from audit_log where action = 'session.started' and workspace_id = ${app.other.id} and member_id in (
      select id from members where account_id = ${accountId})`)
  return rows.length
}

describe('a workspace that requires a second factor', () => {
  it('refuses members without one, and leaves their other workspaces open', async () => {
    const person = await newPerson(app)
    await addMember(app.db, app.other.id, { name: 'There', email: person.email, role: 'admin' })
    await requireFactor(true)
    const jar = new Jar(app)
    expect((await signInByPasswordIn(jar, person)).status).toBe(204)
    const there = { headers: { 'signoff-workspace': app.other.id } }
    expect((await jar.get('/v1/folders')).status).toBe(200)
    expect(code(await jar.get('/v1/folders', there))).toBe('second_factor_required')
    const secret = await enrol(jar)
    expect((await jar.get('/v1/folders', there)).status).toBe(200)
    expect(code(await jar.delete('/v1/me/totp'))).toBe('second_factor_required')
    await requireFactor(false)
    // A factor that the account has is asked for, whatever workspaces require.
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(202)
    expect(secret).not.toBe('')
  })

  it('writes one entry for the start of a session that must set up a factor first', async () => {
    await requireFactor(true)
    const email = 'only.there@example.com'
    await addMember(app.db, app.other.id, { name: 'There', email, role: 'admin' })
    const { accountId, cookie } = await app.signIn({ workspace: app.other, role: 'admin', email })
    await app.db.query(sql`update sessions set has_second_factor = false where account_id = ${accountId}`)
    const jar = new Jar(app)
    jar.cookies.set('signoff', cookie.slice('signoff='.length))
    expect(code(await jar.get('/v1/me'))).toBe('second_factor_required')
    await enrol(jar)
    expect((await jar.get('/v1/me')).status).toBe(200)
    expect(await startsOf(accountId)).toBe(1)
    await requireFactor(false)
  })
})

describe('changes of factors', () => {
  it('are in the audit log: beginning with an app, and renaming a passkey', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    await jar.post('/v1/me/totp')
    const id = crypto.randomUUID()
    await app.db.query(sql`
      insert into passkeys (id, account_id, name, credential_id, public_key, counter, transports, is_backed_up, created_at)
      values (${id}, ${person.accountId}, 'Old', ${Buffer.from(id)}, ${Buffer.from('x')}, 0, '{}', false, now())`)
    expect((await jar.patch(`/v1/me/passkeys/${id}`, { name: 'New' })).status).toBe(200)
    const { data } = (await app.get(`/v1/audit_log?member_id=${person.memberId}`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['second_factor.begun', 'second_factor.renamed']),
    )
  })
})

describe('the beginning of a sign-in by passkey', () => {
  it('is limited per network', async () => {
    const network = { 'x-forwarded-for': '203.0.113.9' }
    const ask = () => new Jar(app, network).post('/auth/passkey/options')
    for (let i = 0; i < 120; i++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect([refused.status, code(refused)]).toEqual([429, 'too_many_attempts'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await new Jar(app).post('/auth/passkey/options')).status).toBe(200)
  })
})

describe('an Idempotency-Key', () => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
  const signedIn = async (): Promise<{ readonly jar: Jar; readonly person: Person }> => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    return { jar, person }
  }

  it('works on routes of people, and encrypts answers that hold a secret', async () => {
    const { jar } = await signedIn()
    const first = await jar.post('/v1/me/totp', undefined, keyed('a'))
    const again = await jar.post('/v1/me/totp', undefined, keyed('a'))
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true'])
    const other = await signedIn()
    const foreign = await other.jar.post('/v1/me/totp', undefined, keyed('a'))
    expect(foreign.body.data.secret).not.toBe(first.body.data.secret)
    const [row] = await app.db.query<{ text: string }>(
      sql`select string_agg(encode(body, 'escape') || headers::text, ' ') as text from idempotency_keys`,
    )
    expect(row?.text).not.toContain(first.body.data.secret)
  })

  it('stores no cookie', async () => {
    const { jar } = await signedIn()
    await enrol(jar)
    expect(
      (await jar.post('/v1/me/recovery_codes', undefined, keyed('b'))).headers['set-cookie'],
    ).toBeDefined()
    const rows = await app.db.query(sql`select key from idempotency_keys where headers::text like '%ookie%'`)
    expect(rows).toEqual([])
  })

  it('does not keep wrong codes from counting', async () => {
    const { jar, person } = await signedIn()
    await enrol(jar)
    const pending = new Jar(app)
    expect((await signInByPasswordIn(pending, person)).status).toBe(202)
    for (let i = 0; i < 10; i++)
      expect((await pending.post('/auth/totp', { code: '0000000' }, keyed(`k${i}`))).status).toBe(401)
    expect((await pending.post('/auth/totp', { code: '0000000' }, keyed('last'))).status).toBe(429)
  })
})

describe('If-Match', () => {
  it('protects the account from overwriting a change', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    const { etag } = (await jar.get('/v1/me/account')).headers
    const rename = (name: string) =>
      jar.call('PATCH', '/v1/me/account', { body: { name }, headers: { 'if-match': String(etag) } })
    expect((await rename('First')).status).toBe(200)
    const stale = await rename('Second')
    expect([stale.status, code(stale)]).toEqual([412, 'stale_resource'])
  })
})
