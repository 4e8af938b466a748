import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { Jar, newPerson, type Person, proxied, signInByPasswordIn } from '#test/support/person.ts'
import { type Ceremony, SoftwareAuthenticator } from '#test/support/sign-in/authenticator.ts'

let app: TestApp
let origin: string
beforeAll(async () => {
  app = await testApp({ env: { ...proxied, SIGNOFF_PUBLIC_URL: 'https://signoff.example.com' } })
  origin = 'https://signoff.example.com'
})

const cookieName = '__Host-signoff'
const code = ({ body }: Answer) => body?.error?.code

interface Registered {
  readonly person: Person
  readonly jar: Jar
  readonly authenticator: SoftwareAuthenticator
  readonly passkeyId: string
}

/** An account with one passkey. Without a password, the first sign-in is that of a test. */
async function register(hasPassword = true): Promise<Registered> {
  const person = await newPerson(app, 'admin', hasPassword)
  const jar = new Jar(app)
  if (hasPassword) await signInByPasswordIn(jar, person)
  else {
    const { cookie } = await app.signIn({ role: 'admin', email: person.email })
    jar.cookies.set(cookieName, cookie.slice(cookieName.length + 1))
  }
  const authenticator = new SoftwareAuthenticator()
  const options = (await jar.post('/v1/me/passkeys/options')).body.data
  const credential = authenticator.create(options, { origin })
  const added = await jar.post('/v1/me/passkeys', { name: 'Laptop', credential })
  expect(added.status).toBe(201)
  return { person, jar, authenticator, passkeyId: added.body.data.id }
}

async function signInWith(
  authenticator: SoftwareAuthenticator,
  ceremony: Partial<Ceremony> = {},
  jar = new Jar(app),
): Promise<Answer> {
  const options = (await jar.post('/auth/passkey/options')).body.data
  return jar.post('/auth/passkey', { credential: authenticator.get(options, { origin, ...ceremony }) })
}

describe('a passkey', () => {
  it('is added with a name and recovery codes, renamed and removed', async () => {
    const { jar, passkeyId } = await register()
    const listed = (await jar.get('/v1/me/second_factors')).body.data
    expect(listed).toMatchObject({
      passkeys: [{ id: passkeyId, name: 'Laptop', is_synced: false, last_used_at: null }],
      recovery_codes: { remaining: 10 },
      second_factor: ['passkey'],
    })
    const renamed = await jar.patch(`/v1/me/passkeys/${passkeyId}`, { name: 'Old laptop' })
    expect(renamed.body.data.name).toBe('Old laptop')
    const stranger = await register()
    expect((await stranger.jar.patch(`/v1/me/passkeys/${passkeyId}`, { name: 'x' })).status).toBe(404)
    expect((await stranger.jar.delete(`/v1/me/passkeys/${passkeyId}`)).status).toBe(404)
    expect((await jar.delete(`/v1/me/passkeys/${passkeyId}`)).status).toBe(204)
    expect((await jar.get('/v1/me/second_factors')).body.data).toMatchObject({
      passkeys: [],
      recovery_codes: { remaining: 0 },
      second_factor: [],
    })
  })

  it('signs in alone, without an address and without another factor', async () => {
    const { person, authenticator } = await register()
    const jar = new Jar(app)
    expect((await signInWith(authenticator, {}, jar)).status).toBe(204)
    expect((await jar.get('/v1/me')).body.data.account.email).toBe(person.email)
    expect((await jar.get('/v1/sessions')).body.data[0]).toMatchObject({ method: 'passkey', current: true })
    expect((await jar.get('/v1/me/second_factors')).body.data.passkeys[0].last_used_at).not.toBeNull()
  })

  it('is the second factor of a password, of its own account only', async () => {
    const { person, authenticator } = await register()
    const other = await register()
    const jar = new Jar(app)
    const answer = await signInByPasswordIn(jar, person)
    expect([answer.status, answer.body.data]).toEqual([202, { second_factor: ['passkey'] }])
    const options = (await jar.post('/auth/passkey/options')).body.data
    expect(options.allowCredentials).toMatchObject([{ id: authenticator.credentialId.toString('base64url') }])
    const foreign = other.authenticator.get(options, { origin })
    expect(code(await jar.post('/auth/passkey', { credential: foreign }))).toBe('invalid_credentials')
    expect(code(await jar.get('/v1/me'))).toBe('second_factor_required')
    expect((await signInWith(authenticator, { userHandle: null }, jar)).status).toBe(204)
    expect((await jar.get('/v1/me')).body.data.account.email).toBe(person.email)
    expect((await jar.get('/v1/sessions')).body.data[0]).toMatchObject({ method: 'password' })
  })

  it('can be replaced by a recovery code', async () => {
    const person = await newPerson(app)
    const jar = new Jar(app)
    await signInByPasswordIn(jar, person)
    const options = (await jar.post('/v1/me/passkeys/options')).body.data
    const credential = new SoftwareAuthenticator().create(options, { origin })
    const added = await jar.post('/v1/me/passkeys', { credential })
    expect(added.body.data.name).toBe('Passkey')
    const pending = new Jar(app)
    expect((await signInByPasswordIn(pending, person)).status).toBe(202)
    const [recoveryCode] = added.body.data.recovery_codes
    expect((await pending.post('/auth/totp', { code: recoveryCode })).status).toBe(204)
  })

  const wrong: readonly { readonly name: string; readonly ceremony: Partial<Ceremony> }[] = [
    { name: 'another origin', ceremony: { origin: 'https://evil.example' } },
    { name: 'another port', ceremony: { origin: 'https://signoff.example.com:8443' } },
    { name: 'another relying party', ceremony: { rpId: 'evil.example' } },
    { name: 'a challenge of its own', ceremony: { challenge: randomBytes(32).toString('base64url') } },
    { name: 'no user verification', ceremony: { verifiesUser: false } },
    { name: 'no user presence', ceremony: { isPresent: false } },
    { name: 'a frame of another site', ceremony: { crossOrigin: true } },
    { name: 'the type of a registration', ceremony: { type: 'webauthn.create' } },
    { name: 'no owner', ceremony: { userHandle: null } },
    { name: 'another owner', ceremony: { userHandle: randomBytes(16).toString('base64url') } },
    {
      name: 'changed data',
      ceremony: {
        tamper: data => {
          const changed = Buffer.from(data)
          changed.writeUInt32BE(99, 33)
          return changed
        },
      },
    },
  ]
  it.each(wrong)('is refused with $name', async ({ ceremony }) => {
    const { authenticator } = await register()
    const jar = new Jar(app)
    const answer = await signInWith(authenticator, ceremony, jar)
    expect([answer.status, code(answer)]).toEqual([401, 'invalid_credentials'])
    expect(jar.cookies.has(cookieName)).toBe(false)
    expect((await signInWith(authenticator)).status).toBe(204)
  })

  it('answers a challenge once, in the browser that asked, within five minutes', async () => {
    const { authenticator } = await register()
    const jar = new Jar(app)
    const options = (await jar.post('/auth/passkey/options')).body.data
    const credential = authenticator.get(options, { origin })
    const thief = new Jar(app)
    await thief.post('/auth/passkey/options')
    expect((await thief.post('/auth/passkey', { credential })).status).toBe(401)
    expect((await jar.post('/auth/passkey', { credential })).status).toBe(204)
    expect((await jar.post('/auth/passkey', { credential })).status).toBe(401)
    const late = (await jar.post('/auth/passkey/options')).body.data
    await app.db.query(sql`update passkey_challenges set expires_at = now()`)
    const answer = await jar.post('/auth/passkey', { credential: authenticator.get(late, { origin }) })
    expect(answer.status).toBe(401)
  })

  it('uses up the challenge also when it is refused', async () => {
    const { authenticator } = await register()
    const jar = new Jar(app)
    const options = (await jar.post('/auth/passkey/options')).body.data
    const bad = authenticator.get(options, { origin, verifiesUser: false })
    expect((await jar.post('/auth/passkey', { credential: bad })).status).toBe(401)
    const good = authenticator.get(options, { origin })
    expect((await jar.post('/auth/passkey', { credential: good })).status).toBe(401)
  })

  it('does not sign in with a challenge for a registration, nor the other way round', async () => {
    const { jar, authenticator } = await register()
    const forRegistration = (await jar.post('/v1/me/passkeys/options')).body.data
    const assertion = authenticator.get(forRegistration, { origin, rpId: 'signoff.example.com' })
    expect((await jar.post('/auth/passkey', { credential: assertion })).status).toBe(401)
    const forSignIn = (await jar.post('/auth/passkey/options')).body.data
    const user = forRegistration.user
    const credential = new SoftwareAuthenticator().create(
      { ...forSignIn, rp: { id: 'signoff.example.com' }, user },
      { origin },
    )
    const added = await jar.post('/v1/me/passkeys', { name: 'x', credential })
    expect([added.status, code(added)]).toEqual([422, 'invalid'])
  })

  it('is refused when its counter shows that it was copied', async () => {
    const { authenticator } = await register()
    expect((await signInWith(authenticator, { counter: 7 })).status).toBe(204)
    for (const counter of [7, 3, 0]) expect((await signInWith(authenticator, { counter })).status).toBe(401)
    expect((await signInWith(authenticator, { counter: 8 })).status).toBe(204)
    const jars = [new Jar(app), new Jar(app)]
    const copies = await Promise.all(jars.map(jar => signInWith(authenticator, { counter: 20 }, jar)))
    expect(copies.map(({ status }) => status).sort()).toEqual([204, 401])
  })

  it('cannot be added twice, nor with certificates, nor without user verification', async () => {
    const { jar, authenticator } = await register()
    const begin = async () => (await jar.post('/v1/me/passkeys/options')).body.data
    const add = async (passkey: SoftwareAuthenticator, ceremony: Partial<Ceremony> = {}) =>
      jar.post('/v1/me/passkeys', { credential: passkey.create(await begin(), { origin, ...ceremony }) })
    expect((await begin()).excludeCredentials).toMatchObject([
      { id: authenticator.credentialId.toString('base64url') },
    ])
    expect(code(await add(authenticator))).toBe('taken')
    expect(code(await add(new SoftwareAuthenticator(), { attestation: 'fido-u2f' }))).toBe('invalid')
    expect(code(await add(new SoftwareAuthenticator(), { verifiesUser: false }))).toBe('invalid')
    expect(code(await add(new SoftwareAuthenticator(), { origin: 'https://evil.example' }))).toBe('invalid')
    expect((await add(new SoftwareAuthenticator())).status).toBe(201)
    expect((await jar.get('/v1/me/second_factors')).body.data.passkeys).toHaveLength(2)
  })

  it('counts for the network when it is refused, not for the account', async () => {
    const { person, authenticator } = await register()
    const statuses: number[] = []
    const network = { 'x-forwarded-for': '203.0.113.31' }
    for (let i = 0; i < 31; i++)
      statuses.push((await signInWith(authenticator, { verifiesUser: false }, new Jar(app, network))).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429])
    expect((await signInWith(authenticator)).status).toBe(204)
    expect((await signInByPasswordIn(new Jar(app), person)).status).toBe(202)
  })

  it('is kept when it is the last way in', async () => {
    const { jar, passkeyId, authenticator } = await register(false)
    const answer = await jar.delete(`/v1/me/passkeys/${passkeyId}`)
    expect([answer.status, code(answer)]).toEqual([409, 'last_way_in'])
    expect((await signInWith(authenticator)).status).toBe(204)
    const options = (await jar.post('/v1/me/passkeys/options')).body.data
    await jar.post('/v1/me/passkeys', { credential: new SoftwareAuthenticator().create(options, { origin }) })
    expect((await jar.delete(`/v1/me/passkeys/${passkeyId}`)).status).toBe(204)
    expect((await signInWith(authenticator)).status).toBe(401)
  })

  it.each([
    {},
    { credential: {} },
    { credential: { id: '!', rawId: '!', type: 'public-key', response: {} } },
    { credential: { id: 'a', rawId: 'a', type: 'password', response: {} } },
    { credential: null },
  ])('is not %j', async body => {
    expect((await new Jar(app).post('/auth/passkey', body)).status).toBe(422)
  })

  it('that is unknown is refused like any other', async () => {
    expect(code(await signInWith(new SoftwareAuthenticator()))).toBe('invalid_credentials')
    const garbage = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' }
    const credential = { id: 'AA', rawId: 'AA', type: 'public-key', response: garbage }
    expect(code(await new Jar(app).post('/auth/passkey', { credential }))).toBe('invalid_credentials')
  })
})

describe('an installation without a host name', () => {
  it('offers no passkeys', async () => {
    const bare = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'http://192.0.2.7:8080' } })
    const answer = await new Jar(bare).post('/auth/passkey/options')
    expect([answer.status, answer.body.error.message]).toEqual([
      503,
      'Passkeys need a public URL with a host name: set SIGNOFF_PUBLIC_URL.',
    ])
  })
})
