import { Type } from 'typebox'
import { Workspace } from '#features/workspace/workspaces/index.ts'
import { roles, scopes } from '#kernel/api/scopes.ts'
import { EmailAddress, Nullable, OneOf, PersonName, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { closed } from '#kernel/base/closed.ts'

/** A longer one takes longer to hash, and helps no one. */
const Password = () => Type.String({ minLength: 1, maxLength: 1_000 })

const LinkSecret = () => Type.String({ minLength: 1, maxLength: 200 })

export const SetupBody = Type.Object(
  {
    token: LinkSecret(),
    name: PersonName(),
    email: Type.Optional(EmailAddress({ maxLength: 254 })),
    password: Password(),
  },
  closed,
)

export const PasswordBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }), password: Password() },
  closed,
)

export const PasswordChangeBody = Type.Object({ current: Type.Optional(Password()), new: Password() }, closed)

export const SignOutBody = Type.Object({ everywhere: Type.Optional(Type.Boolean()) }, closed)

export const SecondFactorNeeded = Type.Object(
  {
    second_factor: Type.Array(OneOf(['totp', 'passkey']), {
      description: 'One of these completes the sign-in. Empty: the account must set up its first factor.',
    }),
  },
  { title: 'MissingSecondFactor', additionalProperties: false },
)

export const Session = Type.Object(
  {
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
  },
  { title: 'Session', additionalProperties: false },
)

const Role = () => OneOf(roles)

export const Me = Type.Object(
  {
    account: Type.Object(
      {
        id: Uuid(),
        name: Type.String(),
        email: Type.String(),
        locale: Nullable<string>(
          Type.String({ description: 'The language that the person has chosen; null: that of the browser.' }),
        ),
      },
      closed,
    ),
    member: Type.Object({ id: Uuid(), role: Role() }, closed),
    workspace: Workspace,
    workspaces: Type.Array(Type.Object({ id: Uuid(), name: Type.String(), role: Role() }, closed), {
      description: 'The workspaces of the account. For an API key, the one that it belongs to.',
    }),
    scopes: Type.Array(OneOf(scopes), { description: 'What this caller is allowed to do.' }),
  },
  { title: 'Me', additionalProperties: false },
)
