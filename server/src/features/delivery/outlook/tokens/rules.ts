// Deployment tokens: 32 random bytes in the addresses of the add-in. PostgreSQL holds their hash, and the encrypted token
// to show the address of the manifest again.
import { randomBytes } from 'node:crypto'
import type { Caller } from '#kernel/api/scopes.ts'
import { hashSecret } from '#kernel/base/caches.ts'
import { apiError, invalid } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import {
  hasDeployment,
  insertDeploymentToken,
  liveTokens,
  lockDeployment,
  markRevoked,
  newTokenId,
  type StoredDeploymentToken,
} from './queries.ts'

export interface TokenDeps {
  readonly publicUrl: string
  readonly sealSecret: (secret: string, context: string) => Promise<Buffer>
  readonly openSecret: (sealed: Buffer, context: string) => Promise<string>
}

/** One that is in use, and one that replaces it. */
const maxTokens = 2

const mint = (): string => randomBytes(32).toString('base64url')

/** A text that cannot be a token costs no query. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const addInBase = (publicUrl: string, token: string): string => `${publicUrl}/outlook/${token}`

const addressesOf = (publicUrl: string, token: string) => ({
  manifest_url: `${addInBase(publicUrl, token)}/manifest.xml`,
  manifest_json_url: `${addInBase(publicUrl, token)}/manifest.json`,
})

async function saveToken(
  tx: Db,
  by: Caller,
  integrationId: string,
  { sealSecret }: TokenDeps,
): Promise<{ readonly id: string; readonly token: string }> {
  const id = newTokenId()
  const token = mint()
  const sealed = await sealSecret(token, id)
  await insertDeploymentToken(tx, by, integrationId, { id, hash: hashSecret(token), sealed })
  return { id, token }
}

/** In the transaction that makes an integration a channel. Undefined when it has a token already. */
export async function ensureToken(tx: Db, by: Caller, integrationId: string, deps: TokenDeps) {
  if (!(await lockDeployment(tx, by.workspaceId, integrationId))) return undefined
  if ((await liveTokens(tx, by.workspaceId, integrationId)).length > 0) return undefined
  const { token } = await saveToken(tx, by, integrationId, deps)
  return { deployment_token: token, manifest_url: addressesOf(deps.publicUrl, token).manifest_url }
}

const shapeOf = async (
  { id, number, sealed, created_at, last_used_at }: StoredDeploymentToken,
  { publicUrl, openSecret }: TokenDeps,
) => ({
  id,
  number,
  ...addressesOf(publicUrl, await openSecret(sealed, id)),
  created_at,
  last_used_at,
})

type ShownToken = Awaited<ReturnType<typeof shapeOf>>

const notFound = () => apiError('not_found')

export async function listTokens(
  db: Db,
  workspaceId: string,
  integrationId: string,
  deps: TokenDeps,
): Promise<ShownToken[]> {
  if (!(await hasDeployment(db, workspaceId, integrationId))) throw notFound()
  const stored = await liveTokens(db, workspaceId, integrationId)
  return Promise.all(stored.map(token => shapeOf(token, deps)))
}

export const createToken = (
  db: Db,
  by: Caller,
  integrationId: string,
  deps: TokenDeps,
): Promise<ShownToken & { readonly deployment_token: string }> =>
  db.transaction(async tx => {
    if (!(await lockDeployment(tx, by.workspaceId, integrationId))) throw notFound()
    if ((await liveTokens(tx, by.workspaceId, integrationId)).length >= maxTokens)
      throw invalid('id', 'too_many', {
        message: `id: this integration has ${maxTokens} tokens already; revoke one of them first`,
      })
    const { id, token } = await saveToken(tx, by, integrationId, deps)
    const stored = await liveTokens(tx, by.workspaceId, integrationId)
    const saved = stored.find(row => row.id === id)
    if (!saved) throw notFound()
    return { ...(await shapeOf(saved, deps)), deployment_token: token }
  })

export async function revokeToken(db: Db, by: Caller, integrationId: string, tokenId: string): Promise<void> {
  if (!(await markRevoked(db, by, integrationId, tokenId))) throw notFound()
}
