// The files behind public addresses. Renditions are made when first asked for, and kept.
import type { Db } from '../../kernel/db.ts'
import { apiError, found } from '../../kernel/errors.ts'
import { extensionOf, tokenPattern, workspaceIn } from './address.ts'
import { findServed, keepBytes, noteRendition, type StoredAsset } from './queries.ts'
import { type Plan, planBehind } from './renditions.ts'
import type { ContentType } from './schemas.ts'
import { shaped } from './shaping.ts'
import { type FileStore, originalKey, renditionKey } from './store.ts'

export interface PublicFile {
  readonly bytes: Buffer
  readonly contentType: ContentType
  /** The same for the same bytes. */
  readonly tag: string
}

export interface Files {
  original(db: Db, workspace: string, file: string): Promise<PublicFile>
  rendition(db: Db, workspace: string, token: string, file: string): Promise<PublicFile>
}

interface Served {
  readonly workspaceId: string
  readonly asset: StoredAsset
}

/** Whatever is wrong with an address, it just leads nowhere. */
async function served(db: Db, workspace: string, token: string): Promise<Served> {
  const workspaceId = found(workspaceIn(workspace))
  if (!tokenPattern.test(token)) throw apiError('not_found')
  return { workspaceId, asset: found(await findServed(db, workspaceId, token)) }
}

export function openFiles(store: FileStore): Files {
  /** Requests for the same rendition wait for one another, so that it is made once. */
  const making = new Map<string, Promise<Buffer>>()

  async function originalOf({ workspaceId, asset }: Served): Promise<Buffer> {
    const bytes = await store.get(originalKey(workspaceId, asset.content_hash))
    if (!bytes) throw new Error(`the file store lacks the bytes of asset ${asset.id}`)
    return bytes
  }

  async function make(db: Db, token: string, from: Served, name: string, plan: Plan): Promise<Buffer> {
    const { workspaceId, asset } = from
    const bytes = await shaped(await originalOf(from), plan)
    await db.transaction(async tx => {
      // Noted before it is kept, and not at all if the asset has gone meanwhile: nothing stays that nobody knows of.
      await keepBytes(tx, workspaceId, asset.content_hash)
      found(await findServed(tx, workspaceId, token))
      await noteRendition(tx, workspaceId, asset.content_hash, name)
      await store.put(renditionKey(workspaceId, asset.content_hash, name), bytes, plan.contentType)
    })
    return bytes
  }

  return {
    async original(db, workspace, file) {
      const [token = ''] = file.split('.', 1)
      const from = await served(db, workspace, token)
      const { content_type: contentType, content_hash: tag } = from.asset
      if (file !== `${token}.${extensionOf(contentType)}`) throw apiError('not_found')
      return { bytes: await originalOf(from), contentType, tag }
    },
    async rendition(db, workspace, token, file) {
      const from = await served(db, workspace, token)
      const { plan, name } = found(planBehind(file, from.asset))
      const key = renditionKey(from.workspaceId, from.asset.content_hash, name)
      const known = await store.get(key)
      if (!known && !making.has(key)) {
        const made = make(db, token, from, name, plan).finally(() => making.delete(key))
        making.set(key, made)
      }
      const bytes = known ?? (await making.get(key))
      return { bytes: found(bytes), contentType: plan.contentType, tag: `${from.asset.content_hash}-${name}` }
    },
  }
}
