// A provider's quota per minute, kept by all processes together. Each takes a portion at a time, so that the shared count is asked for
// seldom; what is left of a portion when its minute is over is forgotten.
import { LRUCache } from 'lru-cache'
import type { Connection, QuotaGrant } from '#features/installations/index.ts'

/** Asks the shared count for so many. */
export type TakeQuota = (connection: Connection, count: number) => Promise<QuotaGrant>

/** Takes one; answers 0, or how many milliseconds to wait. */
export type Quota = (connection: Connection) => Promise<number>

interface Portion {
  left: number
  readonly until: number
  readonly isGranted: boolean
}

export function createQuota(take: TakeQuota, portionSize: number): Quota {
  const held = new LRUCache<string, Promise<Portion>>({ max: 1_000 })

  const fetchPortion = async (connection: Connection): Promise<Portion> => {
    const { isGranted, millisecondsLeft } = await take(connection, portionSize)
    return { left: isGranted ? portionSize : 0, until: Date.now() + millisecondsLeft, isGranted }
  }

  return async connection => {
    const key = `${connection.workspaceId} ${connection.integrationId}`
    for (;;) {
      const asked = held.get(key)
      const portion = await asked
      const now = Date.now()
      if (portion && now < portion.until) {
        if (portion.left > 0) {
          portion.left -= 1
          return 0
        }
        if (!portion.isGranted) return portion.until - now
      }
      // Whoever finds it used up first asks, and the others wait for that.
      if (held.get(key) !== asked) continue
      const next = fetchPortion(connection)
      held.set(key, next)
      next.catch(() => held.delete(key))
    }
  }
}
