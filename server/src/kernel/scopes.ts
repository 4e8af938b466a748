// Who may do what: a key's scopes narrow its member's role, never widen it.

const full = [
  'signatures',
  'teammates',
  'emails',
  'smart_fields',
  'folders',
  'assets',
  'marketing_campaigns',
  'webhooks',
  'api_keys',
] as const
const narrow = [
  'integrations:read',
  'integrations:write',
  'installations:read',
  'analytics:read',
  'analytics:write',
  'financial_documents:read',
  'workspace:read',
  'audit_log:read',
] as const

type Full = `${(typeof full)[number]}:${'read' | 'write' | 'delete'}`
export type Scope = Full | (typeof narrow)[number]

export const scopes: readonly Scope[] = [
  ...full.flatMap(noun => [`${noun}:read`, `${noun}:write`, `${noun}:delete`] as const),
  ...narrow,
]

const nouns = [...new Set(scopes.map(scope => scope.split(':')[0]))]

/** Everything a key may be given: single scopes, `resource:*`, `*:read`, `*`. */
export const grants: readonly string[] = ['*', '*:read', ...nouns.map(noun => `${noun}:*`), ...scopes]

const covers = (grant: string, scope: string): boolean => {
  if (grant === '*' || grant === scope) return true
  const [noun, action] = scope.split(':')
  return grant === `${noun}:*` || (grant === '*:read' && action === 'read')
}

export const allows = (granted: readonly string[], scope: string): boolean =>
  granted.some(grant => covers(grant, scope))

/** The single scopes behind a list of grants. */
export const expand = (granted: readonly string[]): Scope[] => scopes.filter(scope => allows(granted, scope))

/** From the one that may do most to the one that may do least. */
export const roles = ['owner', 'admin', 'manager', 'member'] as const
export type Role = (typeof roles)[number]

/** Whether the first may do less than the second. */
export const isBelow = (role: Role, other: Role): boolean => roles.indexOf(role) > roles.indexOf(other)

const managed = [
  'signatures',
  'marketing_campaigns',
  'teammates',
  'emails',
  'smart_fields',
  'folders',
  'assets',
  'analytics',
]
const alsoRead = ['installations:read', 'workspace:read']

export const roleGrants: Readonly<Record<Role, readonly string[]>> = {
  owner: ['*'],
  admin: ['*'],
  manager: [...managed.map(noun => `${noun}:*`), ...alsoRead],
  // Members also write their own smart-field values: routes marked `own` let them in, and their rules look closer.
  member: [...managed.map(noun => `${noun}:read`), ...alsoRead],
}

/** On whose behalf something is done. */
export interface Caller {
  readonly workspaceId: string
  /** The member whose rights the caller has, and who owns what it makes. Null at the command line, as is the key. */
  readonly memberId: string | null
  /** The member whom the audit log names: the one who was shown the key's secret. */
  readonly actorId: string | null
  readonly memberEmail: string | null
  readonly apiKeyId: string | null
  /** The integration whose directory sync acts; null for people, keys and the command line. */
  readonly directoryId: string | null
  readonly role: Role
  readonly scopes: readonly string[]
  /** When the rights of this caller end; null is never. Nothing that it makes may outlive it. */
  readonly expiresAt: Date | null
  readonly requestId: string | null
}

/** The command line: may do everything, in one workspace. */
export const operator = (workspaceId: string): Caller => ({
  workspaceId,
  memberId: null,
  actorId: null,
  memberEmail: null,
  apiKeyId: null,
  directoryId: null,
  role: 'owner',
  scopes: ['*'],
  expiresAt: null,
  requestId: null,
})
