import { findMember } from '#features/workspace/accounts/index.ts'
import { createKey, keysOf, revokeKey } from '#features/workspace/api-keys/index.ts'
import { mintKey } from '#kernel/api/bearer-keys.ts'
import { grants } from '#kernel/api/scopes.ts'
import { ApiError } from '#kernel/base/errors.ts'
import {
  CommandError,
  chooseWorkspace,
  print,
  table,
  type WorkspaceOption,
  withDatabase,
} from '../context.ts'

interface CreateOptions extends WorkspaceOption {
  readonly member?: string
  readonly scopes: string
  readonly expires?: string
}

export const mint = (): void => print(mintKey())

const expiryOf = (date: string | undefined): { expires_at?: string | null } => {
  if (date === undefined) return {}
  if (date === 'never') return { expires_at: null }
  const at = new Date(date)
  if (Number.isNaN(at.getTime()))
    throw new CommandError(`--expires must be a date such as 2030-01-31, or never; not ${date}.`)
  return { expires_at: at.toISOString() }
}

export const create = (name: string, options: CreateOptions): Promise<void> =>
  withDatabase('keys', async ({ db }) => {
    const by = await chooseWorkspace(db, options.workspace)
    const scopes = options.scopes.split(',').map(scope => scope.trim())
    const unknownScopes = scopes.filter(scope => !grants.includes(scope))
    if (unknownScopes.length > 0)
      throw new CommandError(`Unknown scope ${unknownScopes.join(', ')}; there are: ${grants.join(' ')}`)
    const member = await findMember(db, by.workspaceId, options.member)
    if (!member)
      throw new CommandError(
        `There is no member ${options.member} in this workspace; add them with \`members add\`.`,
      )
    try {
      const { id, key } = await createKey(db, by, member.id, { name, scopes, ...expiryOf(options.expires) })
      print(
        `${key}\n\nThis key acts as ${member.name} <${member.email}> (${member.role}). It is shown this once.\nIts id, to revoke it: ${id}`,
      )
    } catch (error) {
      throw error instanceof ApiError ? new CommandError(error.message) : error
    }
  })

export const list = (options: WorkspaceOption): Promise<void> =>
  withDatabase('keys', async ({ db }) => {
    const by = await chooseWorkspace(db, options.workspace)
    const rows = (await keysOf(db, by.workspaceId)).map(key => [
      key.id,
      `${key.prefix}…`,
      key.name,
      key.scopes.join(','),
      key.expires_at ?? 'never',
      key.last_used_at ?? 'never',
    ])
    print(table([['ID', 'KEY', 'NAME', 'SCOPES', 'EXPIRES', 'LAST USED'], ...rows]))
  })

export const revoke = (id: string, options: WorkspaceOption): Promise<void> =>
  withDatabase('keys', async ({ db }) => {
    const by = await chooseWorkspace(db, options.workspace)
    const exists = (await keysOf(db, by.workspaceId)).some(key => key.id === id)
    if (!exists || !(await revokeKey(db, by, id)))
      throw new CommandError(`There is no key ${id}; \`keys list\` shows them.`)
    print('Revoked.')
  })
