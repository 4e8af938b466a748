// Permissions. A key's scopes narrow the role of its member, and never widen it.

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
  'members',
] as const
const narrow = [
  'integrations:read',
  'integrations:write',
  'integrations:delete',
  'installations:read',
  'analytics:read',
  'analytics:write',
  'financial_documents:read',
  'workspace:read',
  'workspace:write',
  'audit_log:read',
  'scim:write',
] as const

type Full = `${(typeof full)[number]}:${'read' | 'write' | 'delete'}`
export type Scope = Full | (typeof narrow)[number]

export const scopes: readonly Scope[] = [
  ...full.flatMap(noun => [`${noun}:read`, `${noun}:write`, `${noun}:delete`] as const),
  ...narrow,
]

const nouns = [...new Set(scopes.map(scope => scope.split(':')[0]))]

/** Everything that a key can be granted: single scopes, `resource:*`, `*:read`, `*`. */
export const grants: readonly string[] = ['*', '*:read', ...nouns.map(noun => `${noun}:*`), ...scopes]

const covers = (grant: string, scope: string): boolean => {
  if (grant === '*' || grant === scope) return true
  const [noun, action] = scope.split(':')
  return grant === `${noun}:*` || (grant === '*:read' && action === 'read')
}

export const allows = (granted: readonly string[], scope: string): boolean =>
  granted.some(grant => covers(grant, scope))

/** The single scopes behind a list of grants. */
export const expandGrants = (granted: readonly string[]): Scope[] =>
  scopes.filter(scope => allows(granted, scope))

/** From the most powerful to the least. */
export const roles = ['owner', 'admin', 'manager', 'member'] as const
export type Role = (typeof roles)[number]

/** True if `role` has less power than `other`. */
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
  // Members also write their own smart-field values: routes marked `own` admit them, and the rules of the feature check
  // the rest.
  member: [...managed.map(noun => `${noun}:read`), ...alsoRead],
}

/** Rights of the role `member`, by the setting of the workspace: all reads, or those of their own data. */
export const memberAccesses = ['own', 'read'] as const
export type MemberAccess = (typeof memberAccesses)[number]

type Rank = Pick<Caller, 'role' | 'memberAccess'>

/** Such a caller is admitted by routes marked `own`, whose rules show and change the caller's own data only. */
export const seesOwnOnly = ({ role, memberAccess }: Rank): boolean =>
  role === 'member' && memberAccess === 'own'

export const grantsOf = (by: Rank): readonly string[] =>
  seesOwnOnly(by) ? ['workspace:read'] : roleGrants[by.role]

/** Ways to changes besides the API itself: MCP clients, and the personal pages of people. */
export const vias = ['mcp', 'personal_page'] as const

/** The member, API key or command on whose behalf code runs. */
export interface Caller {
  readonly workspaceId: string
  /**
   * The member whose rights the caller has, and who owns what it creates. Null at the command line, like `apiKeyId`.
   */
  readonly memberId: string | null
  /** The member whom the audit log names: the member who was shown the key's secret. */
  readonly actorId: string | null
  readonly memberEmail: string | null
  readonly apiKeyId: string | null
  /** The person who is signed in, and the session; null for API keys and the command line. */
  readonly accountId: string | null
  readonly sessionId: string | null
  /** The integration whose directory sync acts; null for people, keys and the command line. */
  readonly directoryId: string | null
  readonly role: Role
  readonly memberAccess: MemberAccess
  readonly scopes: readonly string[]
  /**
   * Time at which the rights of this caller end; null is never. Nothing that it creates is allowed to be valid longer.
   */
  readonly expiresAt: Date | null
  readonly requestId: string | null
  /** Through what the caller acts; null is the API itself or the command line. The audit log shows it. */
  readonly via: (typeof vias)[number] | null
}

/** The id of the API key or session with which the caller acts; null at the command line. */
export const credentialIdOf = ({ apiKeyId, sessionId }: Caller): string | null => apiKeyId ?? sessionId

/** The command line: all rights, in one workspace. */
export const operator = (workspaceId: string): Caller => ({
  workspaceId,
  memberId: null,
  actorId: null,
  memberEmail: null,
  apiKeyId: null,
  accountId: null,
  sessionId: null,
  directoryId: null,
  role: 'owner',
  memberAccess: 'read',
  scopes: ['*'],
  expiresAt: null,
  requestId: null,
  via: null,
})
