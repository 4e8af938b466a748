import { hashKey, mintKey } from '#kernel/api/bearer-keys.ts'
import { allows, type Caller, expandGrants, grantsOf, isBelow } from '#kernel/api/scopes.ts'
import { day } from '#kernel/base/durations.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import {
  deleteKey,
  findKey,
  insertHash,
  insertKey,
  type LockedKey,
  lockKey,
  retireHashes,
  updateKey,
} from './queries.ts'
import type { ApiKey, ApiKeyInput } from './schemas.ts'

const prefixOf = (key: string): string => key.slice(0, 8)

/** A key cannot grant a scope that its creator does not have. */
function checkScopes(by: Caller, scopes: readonly string[]): void {
  for (const scope of expandGrants(scopes)) {
    if (!allows(by.scopes, scope)) {
      throw apiError('insufficient_scope', { message: `This API key lacks ${scope} and cannot grant it.` })
    }
    if (!allows(grantsOf(by), scope)) {
      throw apiError('insufficient_role', { message: `The role ${by.role} does not include ${scope}.` })
    }
  }
}

const outlives = (first: Date | null, second: Date | null): boolean =>
  second !== null && (first === null || first.getTime() > second.getTime())

function checkExpiry(by: Caller, expiresAt: Date | null): void {
  if (outlives(expiresAt, by.expiresAt))
    throw apiError('insufficient_scope', {
      message: `This API key expires at ${by.expiresAt?.toISOString()}: it cannot make, prolong or change one that lasts longer.`,
    })
}

function expiryOf(by: Caller, sent: string | null | undefined): Date | null {
  const inOneYear = new Date(Date.now() + 365 * day)
  if (sent === undefined) return outlives(inOneYear, by.expiresAt) ? by.expiresAt : inOneYear
  const expiresAt = sent === null ? null : new Date(sent)
  if (expiresAt && !(expiresAt.getTime() > Date.now() && expiresAt.getUTCFullYear() <= 9999))
    throw invalid('expires_at', 'out_of_range', {
      message: 'expires_at must be in the future, before the year 10000',
    })
  checkExpiry(by, expiresAt)
  return expiresAt
}

/** A key can change, rotate and revoke only keys whose rights and expiry are within its own. */
function checkCanManage(by: Caller, target: LockedKey): void {
  if (isBelow(by.role, target.role))
    throw apiError('insufficient_role', {
      message: `The role ${by.role} does not include API keys of the role ${target.role}.`,
    })
  for (const scope of expandGrants(target.scopes))
    if (!allows(by.scopes, scope))
      throw apiError('insufficient_scope', {
        message: `This API key lacks ${scope}, which the other one has.`,
      })
  checkExpiry(by, target.expires_at === null ? null : new Date(target.expires_at))
}

async function lockManagedKey(tx: Db, by: Caller, id: string): Promise<LockedKey> {
  const key = orNotFound(await lockKey(tx, by.workspaceId, id))
  checkCanManage(by, key)
  return key
}

/** `key` is passed only on the first start, when the operator has chosen it. */
export async function createKey(
  db: Db,
  by: Caller,
  memberId: string,
  input: ApiKeyInput,
  key: string = mintKey(),
): Promise<ApiKey & { readonly key: string }> {
  const scopes = input.scopes ?? by.scopes
  checkScopes(by, scopes)
  const expiresAt = expiryOf(by, input.expires_at)
  return db.transaction(async tx => {
    const row = await insertKey(tx, by, {
      memberId,
      name: input.name,
      scopes,
      prefix: prefixOf(key),
      expiresAt,
    })
    if (!row) throw apiError('insufficient_role', { message: 'This member was removed from the workspace.' })
    await insertHash(tx, by, row.id, hashKey(key))
    return { ...row, key }
  })
}

export const changeKey = (db: Db, by: Caller, id: string, patch: Partial<ApiKeyInput>): Promise<ApiKey> =>
  db.transaction(async tx => {
    if (Object.keys(patch).length === 0) return orNotFound(await findKey(tx, by.workspaceId, id))
    const row = await lockManagedKey(tx, by, id)
    if (patch.scopes) checkScopes(by, patch.scopes)
    const expires_at =
      patch.expires_at === undefined
        ? row.expires_at
        : (expiryOf(by, patch.expires_at)?.toISOString() ?? null)
    const change = { ...row, ...patch, expires_at }
    return orNotFound(await updateKey(tx, by, id, 'api_key.updated', change))
  })

/** Creates a new secret; the old one stays valid for a day. The caller receives a secret with all rights of the key. */
export async function rotateKey(db: Db, by: Caller, id: string): Promise<ApiKey & { readonly key: string }> {
  const key = mintKey()
  return db.transaction(async tx => {
    const row = await lockManagedKey(tx, by, id)
    await retireHashes(tx, by.workspaceId, id, new Date(Date.now() + day))
    await insertHash(tx, by, id, hashKey(key))
    const rotated = await updateKey(tx, by, id, 'api_key.rotated', { ...row, prefix: prefixOf(key) })
    return { ...orNotFound(rotated), key }
  })
}

export const revokeKey = (db: Db, by: Caller, id: string): Promise<{ id: string } | undefined> =>
  db.transaction(async tx => {
    await lockManagedKey(tx, by, id)
    return deleteKey(tx, by, id)
  })
