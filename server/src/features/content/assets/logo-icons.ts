// Square icons of a logo: the whole logo, on a transparent ground.
import { LRUCache } from 'lru-cache'
import type { Db } from '#kernel/db/db.ts'
import { makeRendition } from './imaging/index.ts'
import { iconPlanOf } from './imaging/rendition.ts'
import { findAssets } from './queries.ts'
import { type FileStore, originalKey } from './store.ts'

/** Null when there is no such picture, or it cannot be drawn now. */
export type LogoIconOf = (
  db: Db,
  workspaceId: string,
  assetId: string,
  side: number,
) => Promise<Buffer | null>

/** An icon is drawn once per process, logo and size. */
export function createLogoIcons(store: FileStore): LogoIconOf {
  const icons = new LRUCache<string, Buffer>({
    maxSize: 4 * 1024 * 1024,
    sizeCalculation: icon => icon.length,
  })
  return async (db, workspaceId, assetId, side) => {
    const [asset] = await findAssets(db, workspaceId, '', [assetId])
    if (!asset) return null
    const key = JSON.stringify([workspaceId, asset.content_hash, side])
    const ready = icons.get(key)
    if (ready) return ready
    const original = await store.get(originalKey(workspaceId, asset.content_hash))
    const icon =
      original && (await makeRendition(workspaceId, async () => original, iconPlanOf(side)).catch(() => null))
    if (!icon) return null
    icons.set(key, icon)
    return icon
  }
}
