import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Ceremony, SoftwareAuthenticator } from '#test/support/sign-in/authenticator.ts'
import {
  assertionOptions,
  readClientData,
  registrationOptions,
  relyingPartyOf,
  userHandleOf,
  verifyAssertion,
  verifyRegistration,
} from './ceremonies.ts'

const party = { id: 'signoff.example.com', origin: 'https://signoff.example.com' }
const owner = {
  accountId: '01890000-0000-7000-8000-000000000001',
  email: 'jane@example.com',
  name: 'Jane',
}
const { origin } = party

async function register(ceremony: Partial<Ceremony> = {}) {
  const authenticator = new SoftwareAuthenticator()
  const options = await registrationOptions(party, owner, [], randomBytes(32))
  const response = authenticator.create(options as never, { origin, ...ceremony })
  return {
    authenticator,
    options,
    stored: await verifyRegistration(party, options.challenge, response as never),
  }
}

async function signIn(ceremony: Partial<Ceremony> = {}, counter = 0) {
  const { authenticator, stored } = await register()
  if (!stored) throw new Error('the passkey was refused')
  const options = await assertionOptions(party, [], randomBytes(32))
  const response = authenticator.get(options, { origin, ...ceremony })
  return verifyAssertion(party, options.challenge, { ...stored, counter }, response as never)
}

describe('the relying party', () => {
  it.each([
    ['https://signoff.example.com', { id: 'signoff.example.com', origin: 'https://signoff.example.com' }],
    ['https://sub.example.com:8443/', { id: 'sub.example.com', origin: 'https://sub.example.com:8443' }],
    ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://192.0.2.7:8080', null],
    ['http://[::1]:8080', null],
  ])('of %s is %j', (publicUrl, expected) => {
    expect(relyingPartyOf(publicUrl)).toEqual(expected)
  })
})

describe('a registration', () => {
  it('asks for a discoverable credential with user verification and without certificates', async () => {
    const { options, authenticator, stored } = await register()
    expect(options).toMatchObject({
      rp: { id: party.id, name: 'Signoff' },
      user: { name: owner.email, displayName: owner.name },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(Buffer.from(options.user.id, 'base64url')).toEqual(userHandleOf(owner.accountId))
    expect(stored).toMatchObject({
      credentialId: authenticator.credentialId,
      counter: 0,
      transports: ['internal'],
      isBackedUp: false,
    })
  })

  it('leaves out what the account has already', async () => {
    const credentialId = randomBytes(16)
    const options = await registrationOptions(
      party,
      owner,
      [{ credentialId, transports: ['usb'] }],
      randomBytes(32),
    )
    expect(options.excludeCredentials).toMatchObject([
      { id: credentialId.toString('base64url'), transports: ['usb'] },
    ])
  })

  const refused: readonly (readonly [string, Partial<Ceremony>])[] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin with another port', { origin: 'https://signoff.example.com:444' }],
    ['the origin without TLS', { origin: 'http://signoff.example.com' }],
    ['a subdomain', { origin: 'https://x.signoff.example.com' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['no user verification', { verifiesUser: false }],
    ['no user presence', { isPresent: false }],
    ['the type of a sign-in', { type: 'webauthn.get' }],
    ['an attestation with certificates', { attestation: 'android-safetynet' }],
    ['a packed attestation with certificates', { attestation: 'packed' }],
    ['an unknown attestation', { attestation: 'x' }],
  ]
  it.each(refused)('is refused with %s', async (_, ceremony) => {
    expect((await register(ceremony)).stored).toBeNull()
  })
})

describe('a sign-in', () => {
  it('is accepted with the signature, and returns the new counter', async () => {
    expect(await signIn()).toEqual({ counter: 1, isBackedUp: false })
    expect(await signIn({ counter: 9 }, 8)).toEqual({ counter: 9, isBackedUp: false })
    expect(await signIn({ counter: 0 })).toEqual({ counter: 0, isBackedUp: false })
  })

  const refused: readonly { name: string; ceremony: Partial<Ceremony>; counter?: number }[] = [
    { name: 'another origin', ceremony: { origin: 'https://evil.example' } },
    { name: 'another relying party', ceremony: { rpId: 'evil.example' } },
    { name: 'another challenge', ceremony: { challenge: randomBytes(32).toString('base64url') } },
    { name: 'no user verification', ceremony: { verifiesUser: false } },
    { name: 'no user presence', ceremony: { isPresent: false } },
    { name: 'the type of a registration', ceremony: { type: 'webauthn.create' } },
    { name: 'a counter that did not grow', ceremony: { counter: 5 }, counter: 5 },
    { name: 'a counter that went back', ceremony: { counter: 4 }, counter: 5 },
    { name: 'a counter that went back to 0', ceremony: { counter: 0 }, counter: 5 },
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
  it.each(refused)('is refused with $name', async ({ ceremony, counter }) => {
    expect(await signIn(ceremony, counter)).toBeNull()
  })

  it('is refused with the key of another passkey', async () => {
    const { stored } = await register()
    if (!stored) throw new Error('the passkey was refused')
    const options = await assertionOptions(party, [], randomBytes(32))
    const response = new SoftwareAuthenticator().get(options, { origin })
    expect(await verifyAssertion(party, options.challenge, stored, response as never)).toBeNull()
  })

  it('asks for user verification, and for the given credentials only', async () => {
    const { stored } = await register()
    if (!stored) throw new Error('the passkey was refused')
    expect(await assertionOptions(party, [stored], randomBytes(32))).toMatchObject({
      rpId: party.id,
      userVerification: 'required',
      allowCredentials: [{ id: stored.credentialId.toString('base64url') }],
    })
    expect((await assertionOptions(party, [], randomBytes(32))).allowCredentials).toBeUndefined()
  })
})

describe('client data', () => {
  const encoded = (data: unknown) => Buffer.from(JSON.stringify(data)).toString('base64url')
  it.each(['', '!', encoded(null), encoded(7), encoded({}), encoded({ challenge: 7 })])(
    'is not read from %j',
    text => {
      expect(readClientData(text)).toBeNull()
    },
  )

  it('says whether a frame of another site asked', () => {
    expect(readClientData(encoded({ challenge: 'a' }))).toEqual({ challenge: 'a', isCrossOrigin: false })
    expect(readClientData(encoded({ challenge: 'a', crossOrigin: true }))?.isCrossOrigin).toBe(true)
  })
})
