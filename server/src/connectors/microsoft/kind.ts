// Microsoft 365 as an integration: the directory, Microsoft Entra, and the channel, the Outlook add-in.
import { Type } from 'typebox'
import {
  addInSettings,
  addInSteps,
  ensureToken,
  refuseWrongAddInSettings,
  type TokenDeps,
} from '#features/delivery/outlook/index.ts'
import {
  directorySettings,
  type IntegrationKind,
  type SentIntegration,
} from '#features/workspace/integrations/index.ts'
import { OneOf, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { invalid } from '#kernel/base/errors.ts'
import { cloudNames } from './clouds.ts'
import {
  CredentialProblem,
  readCertificateCredential,
  storedCredential,
  thumbprintOf,
} from './credentials.ts'
import { testMicrosoft } from './steps.ts'

const address = (description: string) =>
  Type.Optional(Type.String({ format: 'uri', pattern: '^https?://', maxLength: 500, description }))
const pem = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 50_000, description }))

const settings = ClosedObject({
  tenant: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$',
      description: 'The Directory (tenant) ID, or a domain of the tenant. Required for a directory.',
      examples: ['11111111-2222-3333-4444-555555555555'],
    }),
  ),
  client_id: Type.Optional(
    Uuid({ description: 'The Application (client) ID of the app registration. Required for a directory.' }),
  ),
  cloud: Type.Optional(
    OneOf(cloudNames, { description: 'The cloud of Microsoft that the tenant is in. Default: `global`.' }),
  ),
  extra_attributes: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,127}$' }), {
      maxItems: 30,
      uniqueItems: true,
      description: 'Further properties of users, such as directory extensions.',
      examples: [['extension_0123456789abcdef0123456789abcdef_pronouns']],
    }),
  ),
  ...directorySettings,
  ...addInSettings,
})

const operatorSettings = Type.Object({
  graph_api: address('Another address for Microsoft Graph, such as a proxy.'),
  login_api: address('Another address for access tokens.'),
})

const secret = ClosedObject({
  client_secret: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_000, description: 'The value of a client secret.' }),
  ),
  certificate: pem('Instead of a client secret: the certificate that is uploaded to the app, in PEM form.'),
  private_key: pem('The private key of the certificate, in PEM form, without a password.'),
})

/** They stand for the tenant of a user who signs in; an app without users has to name its tenant. */
const sharedTenants = ['common', 'organizations', 'consumers']

/** Fields of the settings that describe a credential without revealing it. */
const shownCredential = (kind: string, sha256: string | null, expiresAt: string | null) => ({
  credential: kind,
  certificate_sha256: sha256,
  certificate_expires_at: expiresAt,
})

const refuse = (field: string, message: string) =>
  invalid(field, 'invalid', { message: `${field} ${message}` })

function acceptCertificate(certificate: string, key: string) {
  try {
    const credential = readCertificateCredential(certificate, key)
    if (credential.kind !== 'certificate') throw new CredentialProblem('certificate', 'is no certificate')
    const expiresAt = new Date(credential.certificate.validTo)
    if (expiresAt.getTime() <= Date.now())
      throw new CredentialProblem('certificate', `has expired on ${expiresAt.toISOString().slice(0, 10)}`)
    const sha256 = thumbprintOf(credential.certificate).toString('hex')
    return shownCredential('certificate', sha256, expiresAt.toISOString())
  } catch (error) {
    if (error instanceof CredentialProblem) throw refuse(`secret.${error.field}`, error.message)
    throw error
  }
}

function acceptSecret(secret: Readonly<Record<string, unknown>>) {
  const { client_secret: clientSecret, certificate, private_key: key } = secret
  if (clientSecret !== undefined) {
    if (certificate !== undefined || key !== undefined)
      throw refuse('secret.client_secret', 'cannot be sent together with a certificate: send one of the two')
    return {
      shown: shownCredential('client_secret', null, null),
      secret: storedCredential({ client_secret: String(clientSecret) }),
    }
  }
  for (const [field, value] of Object.entries({ certificate, private_key: key }))
    if (value === undefined) throw invalid(`secret.${field}`, 'missing', { missing: [field] })
  return {
    shown: acceptCertificate(String(certificate), String(key)),
    secret: storedCredential({ certificate: String(certificate), private_key: String(key) }),
  }
}

/** A directory needs a tenant, an app and a credential; the add-in needs nothing. */
function refuseIncompleteDirectory({ settings, secret, hasSecret }: SentIntegration): void {
  for (const name of ['tenant', 'client_id'])
    if (settings[name] === undefined) throw invalid(`settings.${name}`, 'missing', { missing: [name] })
  if (!secret && !hasSecret) throw invalid('secret.client_secret', 'missing', { missing: ['client_secret'] })
}

function accept(sent: SentIntegration) {
  const { capabilities, settings, secret } = sent
  if (sharedTenants.includes(String(settings.tenant ?? '').toLowerCase()))
    throw refuse('settings.tenant', 'must be the id of your tenant')
  if (capabilities.includes('directory')) refuseIncompleteDirectory(sent)
  refuseWrongAddInSettings(settings)
  if (!secret) return { settings }
  const credential = acceptSecret(secret)
  return { settings: { ...settings, ...credential.shown }, secret: credential.secret }
}

/** The tests of the capabilities that the integration has. */
const test =
  ({ publicUrl }: TokenDeps): IntegrationKind['test'] =>
  async integration => [
    ...(integration.capabilities.includes('channel') ? addInSteps(publicUrl) : []),
    ...(integration.capabilities.includes('directory') ? await testMicrosoft(integration) : []),
  ]

export const microsoftKind = (deps: TokenDeps): IntegrationKind => ({
  kind: 'microsoft_365',
  title: 'Microsoft 365',
  capabilities: ['directory', 'channel'],
  defaultCapabilities: settings => [settings.tenant === undefined ? 'channel' : 'directory'],
  settings,
  operatorSettings,
  secret,
  dashboardUrl: 'https://entra.microsoft.com',
  accept,
  onSave: (tx, by, { id, capabilities }) =>
    capabilities.includes('channel') ? ensureToken(tx, by, id, deps) : Promise.resolve(undefined),
  test: test(deps),
})
