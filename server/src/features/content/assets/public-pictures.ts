// Pictures that content names by `src`: fetched from their servers for the pictures of previews.
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { minute } from '#kernel/base/durations.ts'
import { readImage } from './imaging/index.ts'
import { isSvg } from './imaging/svg.ts'
import type { FetchPublic } from './upload.ts'

interface PublicPicture {
  readonly body: Buffer
  readonly contentType: string
}

/** Null: the address gives no picture that mail clients show. */
type LoadPublicPicture = (url: string) => Promise<PublicPicture | null>

const limits = {
  /** For the answer of the server. */
  milliseconds: 3_000,
  /** For the answer and for reading the file. */
  totalMilliseconds: 6_000,
  bytes: 2 * 1024 * 1024,
  redirects: 5,
  cachedBytes: 32 * 1024 * 1024,
  cachedMilliseconds: 5 * minute,
  /** A failure is cached for a shorter time: the author corrects the address and looks again. */
  failedMilliseconds: 10_000,
} as const

/** In the queue of the image processes: the cache belongs to no workspace. */
const sharedKey = 'public pictures'

/** Fetches each address once for several minutes, also for requests at the same time. */
export function createPublicPictures(fetchPublic: FetchPublic): LoadPublicPicture {
  const pictures = new LRUCache<string, { readonly picture: PublicPicture | null }>({
    maxSize: limits.cachedBytes,
    maxEntrySize: limits.cachedBytes / 4,
    sizeCalculation: ({ picture }, url) => url.length + (picture?.body.length ?? 0) + 1,
    ttl: limits.cachedMilliseconds,
    ttlAutopurge: false,
  })
  const loading = new Map<string, Promise<PublicPicture | null>>()

  async function load(url: string): Promise<PublicPicture | null> {
    const fetched = fetchPicture(fetchPublic, url).catch(() => null)
    const picture = await Promise.race([fetched, sleep(limits.totalMilliseconds, null, { ref: false })])
    pictures.set(url, { picture }, picture ? {} : { ttl: limits.failedMilliseconds })
    return picture
  }

  return url => {
    const cached = pictures.get(url)
    if (cached) return Promise.resolve(cached.picture)
    const current = loading.get(url) ?? load(url).finally(() => loading.delete(url))
    loading.set(url, current)
    return current
  }
}

/** An image process reads the file, as it reads uploads: the browser never decodes a file of another server. */
async function fetchPicture(fetchPublic: FetchPublic, url: string): Promise<PublicPicture | null> {
  const answer = await fetchPublic(url, {
    headers: { accept: 'image/*' },
    redirects: limits.redirects,
    maxBytes: limits.bytes,
    milliseconds: limits.milliseconds,
  })
  // Most mail clients show no SVG.
  if (!answer.ok || answer.status !== 200 || isSvg(answer.bytes)) return null
  const { bytes, contentType } = await readImage(sharedKey, answer.bytes, 'bytes')
  return { body: bytes, contentType }
}
