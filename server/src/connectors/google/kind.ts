// Google Workspace as an integration: the directory, and the channel that writes signatures into Gmail.
import { Type } from 'typebox'
import { repairModes } from '#features/delivery/installations/index.ts'
import { DirectoryError } from '#features/people/directories/index.ts'
import {
  directorySettings,
  type IntegrationKind,
  type OpenIntegration,
  type SentIntegration,
  type TestStep,
} from '#features/workspace/integrations/index.ts'
import { EmailAddress, OneOf } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { invalid } from '#kernel/base/errors.ts'
import { createGoogleTokens, googleTokenUri, readServiceAccount } from './account.ts'
import { type AdminAccess, directoryScopes, freshTokens, readAdmin } from './admin-api.ts'
import { gmailScopes } from './gmail.ts'
import { createGoogleClient, googleReason } from './request.ts'

const address = (description: string) =>
  Type.Optional(Type.String({ format: 'uri', pattern: '^https?://', maxLength: 500, description }))

const settings = ClosedObject({
  admin: EmailAddress({
    description: 'An administrator of the domain: the service account acts for this user.',
    examples: ['admin@example.com'],
  }),
  ...directorySettings,
  repair: Type.Optional(
    OneOf(repairModes, {
      description:
        'What happens when a mailbox holds another signature than the one that was written, which a check finds once a day. `off`: mailboxes are not read. `report`: the installation becomes `drifted`. `restore`: it is also written again, at most once a day, and not against another tool that keeps writing. Default: report.',
    }),
  ),
})

const operatorSettings = Type.Object({
  api: address('Another address for the Gmail API, such as a proxy.'),
  directory_api: address('Another address for the Admin SDK.'),
  token_uri: address('Another address for access tokens.'),
})

const secret = ClosedObject({
  service_account_key: Type.String({
    minLength: 1,
    maxLength: 20_000,
    description: 'The JSON key file of the service account, as text.',
  }),
})

function accept({ settings, secret, isNew }: SentIntegration) {
  const field = 'secret.service_account_key'
  if (!secret) {
    if (isNew) throw invalid(field, 'missing', { missing: ['service_account_key'] })
    return { settings }
  }
  const key = String(secret.service_account_key)
  try {
    const { clientEmail } = readServiceAccount(key)
    return { settings: { ...settings, client_email: clientEmail }, secret: key }
  } catch (error) {
    throw invalid(field, 'invalid', { message: `${field} ${(error as Error).message}` })
  }
}

const laterRemedy = 'Try again in some minutes.'
const delegationRemedy = (scope: string): string =>
  `In the Admin console, under Security, API controls, Domain-wide delegation, add the client id of the service account with the scope ${scope}.`
const roleRemedy =
  'Give the administrator a role that may read users, groups, org units and domains; and enable the Admin SDK API in the project of the service account.'

/** The requests of the steps for a directory: each reads one entry of a list. */
const probes = [
  { name: 'users', path: 'users', kind: 'admin#directory#users', scope: directoryScopes.users, isList: true },
  {
    name: 'groups',
    path: 'groups',
    kind: 'admin#directory#groups',
    scope: directoryScopes.groups,
    isList: true,
  },
  {
    name: 'org_units',
    path: 'customer/my_customer/orgunits',
    kind: 'admin#directory#orgUnits',
    scope: directoryScopes.orgUnits,
    isList: false,
  },
  {
    name: 'domains',
    path: 'customer/my_customer/domains',
    kind: 'admin#directory#domains',
    scope: directoryScopes.domains,
    isList: false,
  },
] as const

async function probe(
  { name, path, kind, scope, isList }: (typeof probes)[number],
  access: AdminAccess,
): Promise<TestStep> {
  try {
    const query: Record<string, string> = isList ? { customer: 'my_customer', maxResults: '1' } : {}
    const body = await readAdmin(path, kind, query, access, [scope], 1)
    if (body) return { name, ok: true, message: 'Google answers.', remedy: null }
    return { name, ok: false, message: 'Google does not know this company.', remedy: roleRemedy }
  } catch (error) {
    if (access.signal.aborted)
      return { name, ok: false, message: 'Google answers too slowly.', remedy: laterRemedy }
    if (!(error instanceof DirectoryError)) throw error
    const { code, message } = error
    const remedy =
      code === 'unavailable'
        ? laterRemedy
        : /unauthorized_client/.test(message)
          ? delegationRemedy(scope)
          : roleRemedy
    return { name, ok: false, message, remedy }
  }
}

/** Tests if Google lets the service account act with a scope of the Gmail channel. */
async function probeGmail(name: string, scope: string, access: AdminAccess): Promise<TestStep> {
  const account = readServiceAccount(access.secret ?? '')
  const tokenUri = String(access.settings.token_uri ?? googleTokenUri)
  const user = String(access.settings.admin ?? '')
  const request = { account, user, scopes: [scope], tokenUri, signal: access.signal }
  try {
    const token = await createGoogleTokens(createGoogleClient()).get(request)
    if (typeof token === 'string')
      return { name, ok: true, message: `Google lets ${account.clientEmail} act for ${user}.`, remedy: null }
    const message = `Google answered ${token.status}: ${googleReason(token).message}.`
    return { name, ok: false, message, remedy: delegationRemedy(scope) }
  } catch (error) {
    const message = `Google cannot be reached: ${(error as Error).message}.`
    return { name, ok: false, message, remedy: laterRemedy }
  }
}

async function test({ settings, secret, capabilities }: OpenIntegration): Promise<TestStep[]> {
  const access = { settings, secret, signal: AbortSignal.timeout(25_000), freshTokens: freshTokens() }
  const steps: TestStep[] = []
  try {
    readServiceAccount(secret ?? '')
    steps.push({
      name: 'key',
      ok: true,
      message: 'The key of the service account is readable.',
      remedy: null,
    })
  } catch (error) {
    const remedy = 'Make a new key for the service account in the Google Cloud console, and send it.'
    return [{ name: 'key', ok: false, message: `The stored key ${(error as Error).message}.`, remedy }]
  }
  if (capabilities.includes('directory'))
    for (const request of probes) steps.push(await probe(request, access))
  if (capabilities.includes('channel')) {
    steps.push(await probeGmail('gmail_settings_basic', gmailScopes.basic, access))
    steps.push(await probeGmail('gmail_settings_sharing', gmailScopes.sharing, access))
  }
  return steps
}

export const googleKind: IntegrationKind = {
  kind: 'google_workspace',
  title: 'Google Workspace',
  capabilities: ['directory', 'channel'],
  defaultCapabilities: ['directory', 'channel'],
  settings,
  operatorSettings,
  secret,
  dashboardUrl: 'https://admin.google.com',
  accept,
  test,
}
