// The form of a connection: what is shown, and what is sent.
import type { SsoConnection, SsoConnectionInput, SsoConnectionPatch } from '@signoff/sdk'

/** The source of the description of a SAML provider. */
type SamlSource = 'metadata_url' | 'metadata_xml' | 'manual'

export interface ConnectionValues {
  readonly kind: 'oidc' | 'saml'
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
  readonly samlSource: SamlSource
  readonly metadata_url: string
  readonly metadata_xml: string
  readonly sso_url: string
  readonly certificates: string
  readonly allowed_domains: readonly string[]
  readonly just_in_time: boolean
  readonly trust_email: boolean
  readonly default_role: 'admin' | 'manager' | 'member' | 'none'
  readonly email_claim: string
  readonly group_claim: string
  readonly group_roles: readonly { readonly group: string; readonly role: 'admin' | 'manager' | 'member' }[]
  readonly idp_initiated: boolean
  readonly owner_trusted: boolean
}

export const emptyConnection: ConnectionValues = {
  kind: 'oidc',
  name: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  samlSource: 'metadata_url',
  metadata_url: '',
  metadata_xml: '',
  sso_url: '',
  certificates: '',
  allowed_domains: [],
  just_in_time: false,
  trust_email: false,
  default_role: 'none',
  email_claim: '',
  group_claim: '',
  group_roles: [],
  idp_initiated: false,
  owner_trusted: false,
}

export const valuesOfConnection = (stored: SsoConnection): ConnectionValues => ({
  ...emptyConnection,
  kind: stored.kind,
  name: stored.name,
  issuer: stored.issuer,
  client_id: stored.client_id ?? '',
  samlSource: 'manual',
  metadata_url: stored.metadata_url ?? '',
  sso_url: stored.sso_url ?? '',
  certificates: stored.certificates.join('\n'),
  allowed_domains: stored.allowed_domains,
  just_in_time: stored.just_in_time,
  trust_email: stored.trust_email,
  default_role: stored.default_role ?? 'none',
  email_claim: stored.email_claim ?? '',
  group_claim: stored.group_claim ?? '',
  group_roles: stored.group_roles,
  idp_initiated: stored.idp_initiated,
  owner_trusted: stored.owner_trusted,
})

const certificatesIn = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ??
  (text.trim() ? [text.trim()] : [])

function providerOf(values: ConnectionValues): Partial<SsoConnectionInput> {
  if (values.kind === 'oidc')
    return {
      issuer: values.issuer.trim(),
      client_id: values.client_id.trim(),
      ...(values.client_secret !== '' && { client_secret: values.client_secret }),
    }
  const saml = { idp_initiated: values.idp_initiated }
  if (values.samlSource === 'metadata_url') return { ...saml, metadata_url: values.metadata_url.trim() }
  if (values.samlSource === 'metadata_xml') return { ...saml, metadata_xml: values.metadata_xml }
  return {
    ...saml,
    issuer: values.issuer.trim(),
    sso_url: values.sso_url.trim(),
    certificates: certificatesIn(values.certificates),
  }
}

export const connectionInputOf = (values: ConnectionValues): SsoConnectionInput => ({
  kind: values.kind,
  name: values.name.trim(),
  ...providerOf(values),
  allowed_domains: [...values.allowed_domains],
  just_in_time: values.just_in_time,
  trust_email: values.trust_email,
  default_role: values.default_role === 'none' ? null : values.default_role,
  email_claim: values.email_claim.trim() || null,
  group_claim: values.group_claim.trim() || null,
  group_roles: values.group_roles.filter(({ group }) => group.trim() !== '').map(each => ({ ...each })),
})

/** Only what differs: sending a provider again can count as another provider. */
export function connectionPatch(stored: SsoConnection, values: ConnectionValues): SsoConnectionPatch {
  const { kind: _, ...after } = connectionInputOf(values)
  const before = connectionInputOf(valuesOfConnection(stored)) as unknown as Readonly<Record<string, unknown>>
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  )
  return {
    ...(Object.fromEntries(changed) as SsoConnectionPatch),
    ...(values.owner_trusted !== stored.owner_trusted && { owner_trusted: values.owner_trusted }),
  }
}
