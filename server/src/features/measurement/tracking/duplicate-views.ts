// Some mail clients request the same pixel twice. Duplicates are found by hashes that cannot be reversed: their salt
// exists only in this process, and they are kept for seconds.
import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { roomFor } from '#kernel/base/caches.ts'
import type { TrackedRequest } from './pipeline.ts'

interface DuplicateViews {
  /** True if the same client requested the same pixel within the given seconds. */
  readonly isDuplicate: (request: TrackedRequest) => boolean
  /** The view could not be recorded: the next request of this client is not a duplicate. */
  readonly forget: (request: TrackedRequest) => void
}

/** 0 disables the check. */
export function createDuplicateViews(seconds: number): DuplicateViews {
  if (seconds === 0) return { isDuplicate: () => false, forget: () => undefined }
  const salt = randomBytes(16).toString('hex')
  const recent = new LRUCache<string, true>({ ...roomFor(100_000), ttl: seconds * 1_000 })
  const keyOf = ({ token, ip, userAgent }: TrackedRequest) =>
    hash('sha256', `${salt} ${token} ${ip} ${userAgent}`, 'base64url')
  return {
    isDuplicate(request) {
      const key = keyOf(request)
      if (recent.has(key)) return true
      recent.set(key, true)
      return false
    },
    forget: request => void recent.delete(keyOf(request)),
  }
}
