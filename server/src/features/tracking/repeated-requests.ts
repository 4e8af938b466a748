// A pixel or a link can be asked for again and again by a program. From one address only so many requests a minute are
// recorded, of each pixel and each link. Addresses are kept as hashes whose salt lives in this process, for a minute.
import { hash, randomBytes } from 'node:crypto'
import { networkOf } from '#kernel/client-network.ts'
import type { TrackedRequest } from './pipeline.ts'

const windowMilliseconds = 60_000
/** Some 20 MB. */
const mostCounts = 200_000
/** Many readers of one mail come through one proxy of their provider. */
const proxyFactor = 10

/** Whether the address of a visit has asked for the same too often. */
export type IsRepeated = (visit: TrackedRequest) => boolean

/** 0 is no limit. */
export function createRepeatLimit(perMinute: number): IsRepeated {
  if (perMinute === 0) return () => false
  const salt = randomBytes(16).toString('hex')
  const counts = new Map<string, number>()
  let began = performance.now()
  return ({ token, ip, client }) => {
    const now = performance.now()
    if (now - began > windowMilliseconds || counts.size >= mostCounts) {
      counts.clear()
      began = now
    }
    const key = hash('sha256', `${salt} ${token} ${networkOf(ip)}`, 'base64url')
    const requests = (counts.get(key) ?? 0) + 1
    counts.set(key, requests)
    return requests > perMinute * (client === 'proxy' ? proxyFactor : 1)
  }
}
