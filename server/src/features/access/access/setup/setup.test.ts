import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { createSetupLink, readSetup } from '../index.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
  await app.db.query(sql`update accounts set email = 'owner@localhost', email_key = 'owner@localhost'
    where email_key = 'owner@example.com'`)
})

const link = () => createSetupLink(app.db, 'http://localhost:3000', app.parts.secondFactors)
const tokenIn = (address: string | undefined) => /#([A-Za-z0-9_-]{43})$/.exec(address ?? '')?.[1] ?? ''
const chosen = { name: 'Ada', email: 'ada@example.com', password: 'seven green bicycles' }
const setUp = (token: string, body: object = chosen) =>
  app.post('/auth/setup', { token, ...body }, { key: null })

describe('the set-up link', () => {
  it('lets the owner choose address, name and password, and signs in', async () => {
    const address = await link()
    expect(address).toMatch(/^http:\/\/localhost:3000\/setup#[A-Za-z0-9_-]{43}$/)
    const answer = await setUp(tokenIn(address))
    expect([answer.status, answer.text]).toEqual([204, ''])
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
    const me = await app.browser(cookie).get('/v1/me')
    expect(me.body.data.account).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
    expect(me.body.data.member.role).toBe('owner')
    const signedIn = await app.post('/auth/password', chosen, { key: null })
    expect(fieldErrors(signedIn)).toEqual({ name: 'unknown_property' })
    const { name: _, ...credentials } = chosen
    expect((await app.post('/auth/password', credentials, { key: null })).status).toBe(204)
    const [entry] = (await app.get('/v1/audit_log?action=session.started&limit=1')).body.data
    expect(entry.member_name).toBe('Ada')
    expect(await link()).toBeUndefined()
  })

  it('works once, also when two browsers open it at the same time, and ends with another one', async () => {
    const [firstToken, secondToken] = [tokenIn(await link()), tokenIn(await link())]
    expect((await setUp(firstToken)).status).toBe(404)
    const answers = await Promise.all([setUp(secondToken), setUp(secondToken), setUp(secondToken)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404])
    for (const token of [firstToken, secondToken])
      expect((await setUp(token)).body.error).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('setup-link'),
      })
  })

  it('is refused after 24 hours, and when it was never made', async () => {
    const token = tokenIn(await link())
    await app.db.query(sql`update sign_in_tokens set expires_at = now() - interval '1 second'`)
    expect((await setUp(token)).status).toBe(404)
    expect((await setUp('A'.repeat(43))).status).toBe(404)
  })

  it('survives a weak password, a missing address and one that another account has', async () => {
    const token = tokenIn(await link())
    const refused = async (change: object) => fieldErrors(await setUp(token, { ...chosen, ...change }))
    expect(await refused({ password: 'short' })).toEqual({ password: 'weak_password' })
    expect(await refused({ password: 'passwordpassword' })).toEqual({ password: 'leaked_password' })
    expect(await refused({ email: undefined })).toEqual({ email: 'missing' })
    expect(await refused({ email: 'x' })).toEqual({ email: 'invalid' })
    const other = await app.signIn({ role: 'admin' })
    expect(await refused({ email: other.email })).toEqual({ email: 'taken' })
    expect((await setUp(token)).status).toBe(204)
  })

  it('keeps the address that the operator has set', async () => {
    await app.db.query(sql`update accounts set email = 'Boss@Example.com', email_key = 'boss@example.com'
      where email_key = 'owner@localhost'`)
    const token = tokenIn(await link())
    expect(await readSetup(app.db, token)).toEqual({ email: 'Boss@Example.com' })
    expect(fieldErrors(await setUp(token))).toEqual({ email: 'not_allowed' })
    expect((await setUp(token, { name: 'Boss', password: chosen.password })).status).toBe(204)
  })

  it('is made only while the owner has no way in', async () => {
    const withWays = (ways: object) =>
      createSetupLink(app.db, 'http://localhost:3000', { ...app.parts.secondFactors, ...ways })
    expect(await withWays({ hasSingleSignOn: async () => true })).toBeUndefined()
    expect(await withWays({ secondFactorsOf: async () => ['passkey'] })).toBeUndefined()
    // No mail reaches the address of an owner who has none yet.
    expect(await withWays({ sendsMail: true })).toBeDefined()
    await app.db.query(sql`update accounts set email = 'boss@example.com', email_key = 'boss@example.com'
      where email_key = 'owner@localhost'`)
    expect(await withWays({ sendsMail: true })).toBeUndefined()
    expect(await link()).toBeDefined()
  })

  it('is refused when the account is not the owner any more', async () => {
    const token = tokenIn(await link())
    await app.db.query(
      sql`update members set role = 'admin' where workspace_id = ${app.id} and role = 'owner'`,
    )
    expect((await setUp(token)).status).toBe(404)
  })

  it('is not taken from a page of another origin', async () => {
    const token = tokenIn(await link())
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const answer = await app.post('/auth/setup', { token, ...chosen }, { key: null, headers })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'cross_origin'])
  })
})
