import { type Static, Type } from 'typebox'
import { NullableTimestamp, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

export const secondFactors = ['totp', 'passkey'] as const

export const PasskeySchema = NamedObject('Passkey', {
  id: Uuid(),
  name: Type.String(),
  is_synced: Type.Boolean({ description: 'Whether the passkey is copied to other devices of its owner.' }),
  last_used_at: NullableTimestamp(),
  created_at: Timestamp(),
})

export type Passkey = Static<typeof PasskeySchema>

export const AddedPasskeySchema = NamedObject('AddedPasskey', {
  ...PasskeySchema.properties,
  recovery_codes: Type.Array(Type.String(), {
    description: 'With the first second factor of the account: ten codes, shown this once. Else empty.',
  }),
})

export const FactorList = NamedObject('SecondFactors', {
  totp: ClosedObject({ enabled: Type.Boolean() }, { description: 'The authenticator app.' }),
  passkeys: Type.Array(PasskeySchema),
  recovery_codes: ClosedObject({ remaining: Type.Integer({ description: 'Codes that were not used yet.' }) }),
  second_factor: Type.Array(OneOf(secondFactors), {
    description: 'What a sign-in by password or link asks for; empty when it asks for nothing.',
  }),
  has_password: Type.Boolean(),
})

export const TotpSetUp = NamedObject('TotpSetUp', {
  secret: Type.String({ description: 'In base32, to type into the app. It is shown this once.' }),
  uri: Type.String({ description: '`otpauth://totp/…`: what the QR code says.' }),
  qr_code: Type.String({ description: 'A PNG as a `data:` URL.' }),
})

const aboutCodes = 'Ten codes that replace the second factor, once each. They are shown this once.'

export const RecoveryCodes = NamedObject('RecoveryCodes', {
  codes: Type.Array(Type.String(), { description: aboutCodes }),
})

/** With the first factor of an account. */
export const FirstCodes = NamedObject('FactorAdded', {
  recovery_codes: Type.Array(Type.String(), {
    description: `${aboutCodes} Empty when the account has codes already.`,
  }),
})

export const CodeInput = NamedObject('CodeInput', {
  code: Text(100, {
    examples: ['123456'],
    description: 'Six digits of the authenticator app, or a recovery code.',
  }),
})

const passkeyName = Text(100, { examples: ['Laptop'] })

export const PasskeyPatch = NamedObject('PasskeyPatch', { name: passkeyName })

/** Bytes in base64url, as `PublicKeyCredential.toJSON()` writes them. */
const Bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })

const credential = {
  id: Bytes(1_400),
  rawId: Bytes(1_400),
  type: OneOf(['public-key']),
  authenticatorAttachment: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
  clientExtensionResults: Type.Optional(Type.Object({})),
}

/** Browsers add properties; those that are not listed here are not used. */
export const RegistrationInput = NamedObject('PasskeyInput', {
  name: Type.Optional(passkeyName),
  credential: Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: Bytes(8_000),
      attestationObject: Bytes(32_000),
      transports: Type.Optional(Type.Array(Text(50), { maxItems: 10 })),
    }),
  }),
})

export const AssertionInput = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: Bytes(8_000),
      authenticatorData: Bytes(8_000),
      signature: Bytes(8_000),
      userHandle: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100 })),
    }),
  },
  { title: 'PasskeyAssertion' },
)

/** Options of WebAuthn for `navigator.credentials`; see PublicKeyCredential.parseCreationOptionsFromJSON. */
export const PasskeyOptions = Type.Unsafe<object>({
  type: 'object',
  required: ['challenge'],
  properties: { challenge: { type: 'string' } },
  title: 'PasskeyOptions',
  additionalProperties: true,
  description: 'The options for `navigator.credentials`, in the JSON form of WebAuthn.',
})
