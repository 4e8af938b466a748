import { hashKey, mintKey } from '../../kernel/auth.ts'
import type { Db } from '../../kernel/db.ts'
import { apiError, found, invalid } from '../../kernel/errors.ts'
import { allows, type Caller, expand, roleGrants } from '../../kernel/scopes.ts'
import { type ApiKey, deleteKey, insertHash, insertKey, lockKey, retireHashes, updateKey } from './queries.ts'

const day = 24 * 3600_000
const prefixOf = (key: string): string => key.slice(0, 8)

/** A key never grants more than the one who makes it has. */
function checkScopes(by: Caller, scopes: readonly string[]): void {
  for (const scope of expand(scopes)) {
    if (!allows(by.scopes, scope)) {
      throw apiError('insufficient_scope', { message: `This API key lacks ${scope} and cannot grant it.` })
    }
    if (!allows(roleGrants[by.role], scope)) {
      throw apiError('insufficient_role', { message: `The role ${by.role} does not include ${scope}.` })
    }
  }
}

function expiry(sent: string | null | undefined): Date | null {
  if (sent === null) return null
  const at = sent === undefined ? new Date(Date.now() + 365 * day) : new Date(sent)
  if (!(at.getTime() > Date.now() && at.getUTCFullYear() <= 9999))
    throw invalid('expires_at', 'out_of_range', {
      message: 'expires_at must be in the future, before the year 10000',
    })
  return at
}

export interface NewKey {
  readonly name: string
  readonly scopes?: readonly string[]
  readonly expires_at?: string | null
}

/** `key` is given on the very first start alone, when the operator chose it. */
export async function createKey(
  db: Db,
  by: Caller,
  memberId: string,
  input: NewKey,
  key: string = mintKey(),
): Promise<ApiKey & { readonly key: string }> {
  const scopes = input.scopes ?? by.scopes
  checkScopes(by, scopes)
  const expiresAt = expiry(input.expires_at)
  return db.transaction(async tx => {
    const row = await insertKey(tx, by, {
      memberId,
      name: input.name,
      scopes,
      prefix: prefixOf(key),
      expiresAt,
    })
    await insertHash(tx, by.workspaceId, row.id, hashKey(key))
    return { ...row, key }
  })
}

export async function changeKey(db: Db, by: Caller, id: string, patch: Partial<NewKey>): Promise<ApiKey> {
  return db.transaction(async tx => {
    const row = found(await lockKey(tx, by.workspaceId, id))
    if (Object.keys(patch).length === 0) return row
    if (patch.scopes) checkScopes(by, patch.scopes)
    const expires_at =
      patch.expires_at === undefined ? row.expires_at : (expiry(patch.expires_at)?.toISOString() ?? null)
    const change = { ...row, ...patch, expires_at }
    return found(await updateKey(tx, by, id, 'api_key.updated', change))
  })
}

/** A new secret; the old one goes on for a day. The holder of the answer holds what the key may do, so that is checked too. */
export async function rotateKey(db: Db, by: Caller, id: string): Promise<ApiKey & { readonly key: string }> {
  const key = mintKey()
  return db.transaction(async tx => {
    const row = found(await lockKey(tx, by.workspaceId, id))
    checkScopes(by, row.scopes)
    await retireHashes(tx, by.workspaceId, id, new Date(Date.now() + day))
    await insertHash(tx, by.workspaceId, id, hashKey(key))
    const rotated = await updateKey(tx, by, id, 'api_key.rotated', { ...row, prefix: prefixOf(key) })
    return { ...found(rotated), key }
  })
}

export const revokeKey = (db: Db, by: Caller, id: string): Promise<{ id: string } | undefined> =>
  db.transaction(tx => deleteKey(tx, by, id))
