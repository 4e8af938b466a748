// LDAP and Active Directory as an integration. Only the command line connects it.
import type { IntegrationKind, SentIntegration } from '#features/integrations/index.ts'
import { invalid } from '#kernel/errors.ts'
import { testLdap } from './probe.ts'
import { checkLdapSettings, ldapOperatorSettings, ldapSecret, ldapSettings } from './settings.ts'

function accept({ settings, secret, isNew, isOperator }: SentIntegration) {
  if (isOperator) checkLdapSettings(settings)
  const field = 'secret.password'
  if (isNew && settings.bind_dn !== undefined && !secret)
    throw invalid(field, 'missing', { missing: ['password'] })
  return { settings, ...(secret && { secret: String(secret.password) }) }
}

export const ldapKind: IntegrationKind = {
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
  test: testLdap,
}
