// Small pictures of people for contact cards.
import { LRUCache } from 'lru-cache'
import type { Db } from '#kernel/db/db.ts'
import { makeRendition } from './imaging/index.ts'
import { photoPlanOf } from './imaging/rendition.ts'
import { parsePortrait } from './portraits.ts'
import { findAssets } from './queries.ts'
import { type FileStore, originalKey } from './store.ts'

/** `value` is that of an image field. Null when it is no picture, or cannot be drawn now. */
type PhotoOf = (db: Db, workspaceId: string, value: string) => Promise<Buffer | null>

/** A photo is drawn once per process and picture. */
export function createPhotos(store: FileStore): PhotoOf {
  const photos = new LRUCache<string, Buffer>({
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: photo => photo.length,
  })
  return async (db, workspaceId, value) => {
    const portrait = parsePortrait(value, '')
    if (!portrait) return null
    const [asset] = await findAssets(db, workspaceId, '', [portrait.assetId])
    if (!asset) return null
    const crop = portrait.crop ?? undefined
    const key = JSON.stringify([workspaceId, asset.content_hash, crop])
    const cached = photos.get(key)
    if (cached) return cached
    const original = await store.get(originalKey(workspaceId, asset.content_hash))
    // A card without its photo is better than no card.
    const photo =
      original &&
      (await makeRendition(workspaceId, async () => original, photoPlanOf(asset, crop ?? undefined)).catch(
        () => null,
      ))
    if (!photo) return null
    photos.set(key, photo)
    return photo
  }
}
