// Serves the files behind public addresses. A rendition is made at its first request and then stored.

import { apiError, orNotFound } from '#kernel/base/errors.ts'
import { decodeWorkspaceId, extensionOf, tokenPattern } from '#kernel/base/public-address.ts'
import type { Db } from '#kernel/db/db.ts'
import { leaseBytes } from './bytes/leases.ts'
import { endLease, recordRendition } from './bytes/queries.ts'
import { makeRendition } from './imaging/index.ts'
import { planFromFileName, type RenditionPlan } from './imaging/rendition.ts'
import { findServed, type StoredAsset } from './queries.ts'
import type { ContentType } from './schemas.ts'
import { type FileStore, originalKey, renditionKey, type StoredFile } from './store.ts'

export interface PublicFile {
  /** A Buffer for a rendition that was just made; else a stream, so slow clients of large files do not use memory. */
  readonly file: StoredFile | Buffer
  readonly contentType: ContentType
  /** For the ETag: identical for identical bytes. */
  readonly tag: string
}

interface PublicFiles {
  original(db: Db, workspace: string, file: string): Promise<PublicFile>
  rendition(db: Db, workspace: string, token: string, file: string): Promise<PublicFile>
}

interface ServedAsset {
  readonly workspaceId: string
  readonly asset: StoredAsset
}

/** Every invalid address gives `not_found`, without a more specific error. */
async function findServedAsset(db: Db, workspace: string, token: string): Promise<ServedAsset> {
  const workspaceId = orNotFound(decodeWorkspaceId(workspace))
  if (!tokenPattern.test(token)) throw apiError('not_found')
  return { workspaceId, asset: orNotFound(await findServed(db, workspaceId, token)) }
}

const missingBytes = (asset: StoredAsset): Error =>
  new Error(`the file store lacks the bytes of asset ${asset.id}`)

export function openFiles(store: FileStore): PublicFiles {
  /** By store key: concurrent requests for a rendition wait for the same promise, so it is made once. */
  const pendingRenditions = new Map<string, Promise<Buffer>>()

  async function makeAndStore(
    db: Db,
    token: string,
    source: ServedAsset,
    name: string,
    plan: RenditionPlan,
  ): Promise<Buffer> {
    const { workspaceId, asset } = source
    const { content_hash: hash } = asset
    const bytes = await makeRendition(
      workspaceId,
      async () => {
        const original = await store.get(originalKey(workspaceId, hash))
        if (!original) throw missingBytes(asset)
        return original
      },
      plan,
    )
    const leaseId = await leaseBytes(db, workspaceId, hash, async tx => {
      // Record the rendition before storing it, and only if the asset is still served: otherwise the store could keep
      // a file that no row refers to.
      orNotFound(await findServed(tx, workspaceId, token))
      await recordRendition(tx, workspaceId, hash, name)
    })
    await store.put(renditionKey(workspaceId, hash, name), bytes, plan.contentType)
    await endLease(db, workspaceId, hash, leaseId)
    return bytes
  }

  return {
    async original(db, workspace, file) {
      const [token = ''] = file.split('.', 1)
      const { workspaceId, asset } = await findServedAsset(db, workspace, token)
      const { content_type: contentType, content_hash: tag } = asset
      if (file !== `${token}.${extensionOf(contentType)}`) throw apiError('not_found')
      const storedFile = await store.open(originalKey(workspaceId, tag))
      if (!storedFile) throw missingBytes(asset)
      return { file: storedFile, contentType, tag }
    },
    async rendition(db, workspace, token, file) {
      const source = await findServedAsset(db, workspace, token)
      const { plan, name } = orNotFound(planFromFileName(file, source.asset))
      const key = renditionKey(source.workspaceId, source.asset.content_hash, name)
      const cached = await store.open(key)
      if (!cached && !pendingRenditions.has(key)) {
        const pending = makeAndStore(db, token, source, name, plan).finally(() =>
          pendingRenditions.delete(key),
        )
        pendingRenditions.set(key, pending)
      }
      const rendition = cached ?? (await pendingRenditions.get(key))
      return {
        file: orNotFound(rendition),
        contentType: plan.contentType,
        tag: `${source.asset.content_hash}-${name}`,
      }
    },
  }
}
