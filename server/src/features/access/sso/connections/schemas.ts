import { type Static, Type } from 'typebox'
import { type GivenRole, givenRoles } from '#features/access/members/index.ts'
import {
  Nullable,
  NullableText,
  NullableTimestamp,
  OneOf,
  Text,
  Timestamp,
  Uuid,
} from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { refusalCodes } from '../refusal.ts'

/** Single sign-on never gives and never takes the role of the owner. */
const MappedRole = (options: object = {}) => OneOf(givenRoles, options)
const Domain = () =>
  Type.String({
    maxLength: 253,
    pattern: '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$',
  })
const GroupRole = ClosedObject({
  group: Text(1_000, { description: 'As the provider sends it: a name or an id.' }),
  role: MappedRole(),
})

const clientId = Text(500, {
  description: 'OIDC: the id that the provider has given to this service.',
  examples: ['signoff'],
})
const scopes = Type.Array(Text(100, { pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$' }), {
  title: 'SsoScopes',
  maxItems: 20,
  uniqueItems: true,
  description:
    'OIDC: what is asked of the provider. Contains `openid`. Default: `openid`, `email`, `profile`.',
  examples: [['openid', 'email', 'profile']],
})
const issuer = Text(1_000, {
  description: 'OIDC: the address of the provider, as its discovery document names it. SAML: its entity id.',
  examples: ['https://login.example.com'],
})
const ssoUrl = Text(2_000, {
  description: 'SAML: where the browser is sent, by HTTP-Redirect.',
  examples: ['https://login.example.com/saml'],
})
const certificates = Type.Array(Text(20_000), {
  title: 'SsoCertificates',
  maxItems: 10,
  description:
    'SAML: the certificates that the provider signs with, in PEM. Several are possible, for the time in which the provider changes from one to the next.',
})
const metadataUrl = Text(2_000, { description: 'SAML: where the metadata was read.' })
const emailClaim = Text(500, {
  description: 'The claim or attribute with the email address; null: its usual names.',
})
const groupClaim = Text(500, {
  description:
    'The claim or attribute with the groups, such as `groups` or `realm_access.roles`; null: none.',
  examples: ['groups'],
})
const groupRoles = Type.Array(GroupRole, {
  title: 'SsoGroupRoles',
  maxItems: 500,
  description:
    'The role of each group; of several, the highest counts. With at least one, the role of a member follows the groups at each sign-in. The owner keeps the role.',
  examples: [[{ group: 'signoff-admins', role: 'admin' }]],
})
const defaultRole = MappedRole({
  description:
    'For people without such a group. Null: they are refused, unless the workspace has no group at all and they are members.',
})
const allowedDomains = Type.Array(Domain(), {
  title: 'SsoDomains',
  maxItems: 100,
  uniqueItems: true,
  description: 'Only people with an address of these domains can sign in. Empty: of any.',
  examples: [['example.com']],
})
const trustEmail = Type.Boolean({
  description:
    'Addresses of `allowed_domains` count as confirmed although the provider does not say so. Needed for Microsoft Entra ID and for SAML. Default: true for SAML, false for OIDC.',
})
const justInTime = Type.Boolean({
  description:
    'A person of `allowed_domains` who is not a member becomes one at the first sign-in. Default: false.',
})
const idpInitiated = Type.Boolean({
  description:
    'SAML: sign-ins that begin at the provider are accepted. A page of another site can then sign a browser in unasked. Default: false.',
})
const ownerTrusted = Type.Boolean({
  description:
    'The owner of the workspace can sign in through the connection. True after the owner or the operator has created it, or has changed which persons the provider can name; false after another member has. Only the owner sets it.',
})
const active = Type.Boolean({ description: 'Only an active connection signs people in. Default: true.' })
const name = Text(200, { description: 'Shown on the sign-in page.', examples: ['Example login'] })

export const SsoConnection = NamedObject(
  'SsoConnection',
  {
    id: Uuid(),
    kind: OneOf(['oidc', 'saml']),
    name,
    active,
    issuer,
    client_id: Nullable<string>(clientId),
    has_client_secret: Type.Boolean(),
    scopes,
    sso_url: Nullable<string>(ssoUrl),
    certificates,
    metadata_url: Nullable<string>(metadataUrl),
    idp_initiated: idpInitiated,
    email_claim: Nullable<string>(emailClaim),
    group_claim: Nullable<string>(groupClaim),
    group_roles: groupRoles,
    default_role: Nullable<GivenRole>(defaultRole),
    allowed_domains: allowedDomains,
    trust_email: trustEmail,
    just_in_time: justInTime,
    owner_trusted: ownerTrusted,
    sign_in_url: Text(2_000, { description: 'Opens the provider in a browser.' }),
    callback_url: Text(2_000, {
      description: 'For the provider: the redirect URI (OIDC), or the assertion consumer service (SAML).',
    }),
    entity_id: NullableText(2_000),
    tested_at: NullableTimestamp(),
    last_sign_in_at: NullableTimestamp(),
    last_refusal: Type.Unsafe<{ code: string; message: string; at: string } | null>({
      type: ['object', 'null'],
      description:
        'The last sign-in that this service refused. `message` has the exact reason, which the person who signed in was not shown.',
      required: ['code', 'message', 'at'],
      additionalProperties: false,
      properties: { code: OneOf(Object.keys(refusalCodes)), message: Text(1_000), at: Timestamp() },
    }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { description: 'An identity provider of the workspace. Its secret is never shown.' },
)

const changeable = {
  name: Type.Optional(name),
  active: Type.Optional(active),
  issuer: Type.Optional(issuer),
  client_id: Type.Optional(clientId),
  client_secret: Type.Optional(
    Nullable<string>(
      Text(2_000, {
        description: 'OIDC: stored encrypted and never shown. Null for a client without a secret.',
      }),
    ),
  ),
  scopes: Type.Optional(scopes),
  sso_url: Type.Optional(ssoUrl),
  certificates: Type.Optional(certificates),
  metadata_url: Type.Optional(
    Text(2_000, {
      description:
        'SAML: read now, instead of `issuer`, `sso_url` and `certificates`. Send it again when the provider changes its certificate.',
    }),
  ),
  metadata_xml: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512 * 1024,
      description: 'SAML: the metadata of the provider, instead of `issuer`, `sso_url` and `certificates`.',
    }),
  ),
  idp_initiated: Type.Optional(idpInitiated),
  email_claim: Type.Optional(Nullable<string>(emailClaim)),
  group_claim: Type.Optional(Nullable<string>(groupClaim)),
  group_roles: Type.Optional(groupRoles),
  default_role: Type.Optional(Nullable<GivenRole>(defaultRole)),
  allowed_domains: Type.Optional(allowedDomains),
  trust_email: Type.Optional(trustEmail),
  just_in_time: Type.Optional(justInTime),
}

export const SsoConnectionInput = NamedObject('SsoConnectionInput', {
  kind: OneOf(['oidc', 'saml']),
  ...changeable,
  name,
})
export type SsoConnectionInput = Static<typeof SsoConnectionInput>

export const SsoConnectionPatch = NamedObject('SsoConnectionPatch', {
  ...changeable,
  owner_trusted: Type.Optional(ownerTrusted),
})
export type SsoConnectionPatch = Static<typeof SsoConnectionPatch>

export const SsoCheck = NamedObject('SsoCheck', {
  ok: Type.Boolean({ description: 'No step has failed.' }),
  steps: Type.Array(
    ClosedObject({
      name: Text(100),
      status: OneOf(['ok', 'warning', 'failed', 'skipped']),
      message: Text(2_000),
      remedy: NullableText(2_000),
    }),
  ),
})
