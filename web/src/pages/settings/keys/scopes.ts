import type { ApiKeyInput } from '@signoff/sdk'
import type { Scope } from '#api/client.ts'

export type Grant = NonNullable<ApiKeyInput['scopes']>[number]

export const actions = ['read', 'write', 'delete'] as const
type ScopeAction = (typeof actions)[number]

/** The resources of the API, those that people use most first. */
export const resources = [
  'signatures',
  'marketing_campaigns',
  'teammates',
  'emails',
  'smart_fields',
  'folders',
  'assets',
  'analytics',
  'installations',
  'integrations',
  'scim',
  'webhooks',
  'members',
  'api_keys',
  'workspace',
  'audit_log',
  'financial_documents',
] as const
type ScopeResource = (typeof resources)[number]

/** Every single scope that the API knows, whether the person has it or not. */
export const scopeOf = (resource: ScopeResource, action: ScopeAction): Scope =>
  `${resource}:${action}` as Scope

const covers = (grant: string, scope: string): boolean => {
  const [noun, action] = scope.split(':')
  return (
    grant === '*' || grant === scope || grant === `${noun}:*` || (grant === '*:read' && action === 'read')
  )
}

/** The single scopes behind the grants of a key. */
export const expanded = (grants: readonly string[], allScopes: readonly Scope[]): readonly Scope[] =>
  allScopes.filter(scope => grants.some(grant => covers(grant, scope)))
