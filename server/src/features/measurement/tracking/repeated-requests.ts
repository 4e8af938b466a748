// A program can request a pixel or a link again and again. So a limited number of requests per minute is recorded for
// each client network and each pixel or link. Networks are kept for a minute, as hashes whose salt exists only in this
// process.
import { hash, randomBytes } from 'node:crypto'
import { minute } from '#kernel/base/durations.ts'
import { networkOf } from '#kernel/base/rate-limits.ts'
import type { TrackedRequest } from './pipeline.ts'

const windowMilliseconds = minute
/** About 20 MB of memory. At the limit all counts are cleared. */
const maxCounts = 200_000
/** Many readers of one mail share the image proxy of their mail provider, so proxies have a higher limit. */
const proxyFactor = 10

/** True if the network of a request has requested the same pixel or link too often. */
export type IsRepeated = (request: TrackedRequest) => boolean

/** 0 disables the limit. */
export function createRepeatLimit(perMinute: number): IsRepeated {
  if (perMinute === 0) return () => false
  const salt = randomBytes(16).toString('hex')
  const counts = new Map<string, number>()
  let windowStart = performance.now()
  return ({ token, ip, client }) => {
    const now = performance.now()
    if (now - windowStart > windowMilliseconds || counts.size >= maxCounts) {
      counts.clear()
      windowStart = now
    }
    const key = hash('sha256', `${salt} ${token} ${networkOf(ip)}`, 'base64url')
    const requests = (counts.get(key) ?? 0) + 1
    counts.set(key, requests)
    return requests > perMinute * (client === 'proxy' ? proxyFactor : 1)
  }
}
