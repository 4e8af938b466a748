// A provider's quota per minute, shared by all processes. A process takes a portion at a time, so that it rarely
// queries the shared count; the rest of a portion expires at the end of its minute.
import { LRUCache } from 'lru-cache'
import type { Connection, QuotaGrant } from '#features/delivery/installations/index.ts'

/** Takes `count` calls out of the shared quota. */
export type TakeQuota = (connection: Connection, count: number) => Promise<QuotaGrant>

/** Takes one call. Returns 0, or the milliseconds to wait. */
export type Quota = (connection: Connection) => Promise<number>

interface Portion {
  left: number
  readonly until: number
  readonly isGranted: boolean
}

export function createQuota(take: TakeQuota, portionSize: number): Quota {
  const portions = new LRUCache<string, Promise<Portion>>({ max: 1_000 })

  const fetchPortion = async (connection: Connection): Promise<Portion> => {
    const { isGranted, millisecondsLeft } = await take(connection, portionSize)
    return { left: isGranted ? portionSize : 0, until: Date.now() + millisecondsLeft, isGranted }
  }

  return async connection => {
    const key = `${connection.workspaceId} ${connection.integrationId}`
    for (;;) {
      const pending = portions.get(key)
      const portion = await pending
      const now = Date.now()
      if (portion && now < portion.until) {
        if (portion.left > 0) {
          portion.left -= 1
          return 0
        }
        if (!portion.isGranted) return portion.until - now
      }
      // The first caller that finds the portion used up fetches the next one; the others wait for that promise.
      if (portions.get(key) !== pending) continue
      const next = fetchPortion(connection)
      portions.set(key, next)
      next.catch(() => portions.delete(key))
    }
  }
}
