// Some clients ask twice for the same picture. Which, is told by hashes that nobody can take apart: their salt lives in this
// process alone, and they live for seconds.
import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Visit } from './pipeline.ts'

/** Whether the same client has asked for the same within so many seconds; 0 asks nobody. */
export function createAgain(seconds: number): (visit: Visit) => boolean {
  if (seconds === 0) return () => false
  const salt = randomBytes(16).toString('hex')
  const seen = new LRUCache<string, true>({ max: 100_000, ttl: seconds * 1_000 })
  return ({ token, ip, userAgent }) => {
    const key = hash('sha256', `${salt} ${token} ${ip} ${userAgent}`, 'base64url')
    if (seen.has(key)) return true
    seen.set(key, true)
    return false
  }
}
