import { Type } from 'typebox'
import { Workspace } from '#features/workspace/workspaces/index.ts'
import { roles, scopes } from '#kernel/api/scopes.ts'
import { EmailAddress, Nullable, OneOf, PersonName, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

/** A longer one takes longer to hash, and helps no one. */
const Password = () => Type.String({ minLength: 1, maxLength: 1_000 })

const LinkSecret = () => Type.String({ minLength: 1, maxLength: 200 })

export const SetupBody = ClosedObject({
  token: LinkSecret(),
  name: PersonName(),
  email: Type.Optional(EmailAddress({ maxLength: 254 })),
  password: Password(),
})

export const PasswordBody = ClosedObject({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Password(),
})

export const PasswordChangeBody = ClosedObject({ current: Type.Optional(Password()), new: Password() })

export const SignOutBody = ClosedObject({ everywhere: Type.Optional(Type.Boolean()) })

export const SecondFactorNeeded = NamedObject('MissingSecondFactor', {
  second_factor: Type.Array(OneOf(['totp', 'passkey']), {
    description: 'One of these completes the sign-in. Empty: the account must set up its first factor.',
  }),
})

export const Session = NamedObject('Session', {
  id: Uuid(),
  method: OneOf(['password', 'link', 'passkey', 'oidc', 'saml', 'setup', 'invitation', 'operator'], {
    description: 'How the person signed in.',
  }),
  browser: Text(200),
  network: Text(200, { description: 'The address of the client; of IPv6, the network.' }),
  current: Type.Boolean({ description: 'The session of this request.' }),
  created_at: Timestamp(),
  last_used_at: Timestamp(),
  expires_at: Timestamp(),
})

const Role = () => OneOf(roles)

export const Me = NamedObject('Me', {
  account: ClosedObject({
    id: Uuid(),
    name: Type.String(),
    email: Type.String(),
    locale: Nullable<string>(
      Type.String({ description: 'The language that the person has chosen; null: that of the browser.' }),
    ),
  }),
  member: ClosedObject({ id: Uuid(), role: Role() }),
  workspace: Workspace,
  workspaces: Type.Array(ClosedObject({ id: Uuid(), name: Type.String(), role: Role() }), {
    description: 'The workspaces of the account. For an API key, the one that it belongs to.',
  }),
  scopes: Type.Array(OneOf(scopes), { description: 'What this caller is allowed to do.' }),
})
