// LDAP and Active Directory as an integration. Only the command line connects it.
import type { Directory } from '#features/people/directories/index.ts'
import type { IntegrationKind, SentIntegration } from '#features/workspace/integrations/index.ts'
import { invalid } from '#kernel/base/errors.ts'
import type { Connector } from '../connector.ts'
import { ldapAttributes } from './presets.ts'
import { checkLdapSettings, ldapOperatorSettings, ldapSecret, ldapSettings } from './settings.ts'

function accept({ settings, secret, isNew, isOperator }: SentIntegration) {
  if (isOperator) checkLdapSettings(settings)
  const field = 'secret.password'
  if (isNew && settings.bind_dn !== undefined && !secret)
    throw invalid(field, 'missing', { missing: ['password'] })
  return { settings, ...(secret && { secret: String(secret.password) }) }
}

const kind: IntegrationKind = {
  kind: 'ldap',
  title: 'LDAP',
  isOperatorOnly: true,
  capabilities: ['directory'],
  defaultCapabilities: ['directory'],
  settings: ldapSettings,
  operatorSettings: ldapOperatorSettings,
  secret: ldapSecret,
  dashboardUrl: null,
  accept,
  test: async integration => (await import('./probe.ts')).testLdap(integration),
}

/** The protocol is loaded by the first use: most services have no LDAP directory, and it takes 3 MB. */
const directory: Directory = {
  isScheduled: true,
  attributes: ldapAttributes,
  async *read(connection, since) {
    yield* (await import('./directory.ts')).readLdap(connection, since)
  },
  photo: async (connection, externalId) =>
    (await import('./directory.ts')).readLdapPhoto(connection, externalId),
}

export const ldapConnector: Connector = { kind: 'ldap', integration: () => kind, directory: () => directory }
