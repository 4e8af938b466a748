// Some clients ask twice for the same picture. Which, is told by hashes that nobody can take apart: their salt lives in this
// process alone, and they live for seconds.
import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { TrackedRequest } from './pipeline.ts'

export interface DuplicateViews {
  /** Whether the same client has asked for the same within so many seconds. */
  readonly isDuplicate: (visit: TrackedRequest) => boolean
  /** It was not recorded: whoever comes again comes for the first time. */
  readonly forget: (visit: TrackedRequest) => void
}

/** 0 seconds ask nobody. */
export function createDuplicateViews(seconds: number): DuplicateViews {
  if (seconds === 0) return { isDuplicate: () => false, forget: () => undefined }
  const salt = randomBytes(16).toString('hex')
  const seen = new LRUCache<string, true>({ max: 100_000, ttl: seconds * 1_000 })
  const keyOf = ({ token, ip, userAgent }: TrackedRequest) =>
    hash('sha256', `${salt} ${token} ${ip} ${userAgent}`, 'base64url')
  return {
    isDuplicate(visit) {
      const key = keyOf(visit)
      if (seen.has(key)) return true
      seen.set(key, true)
      return false
    },
    forget: visit => void seen.delete(keyOf(visit)),
  }
}
