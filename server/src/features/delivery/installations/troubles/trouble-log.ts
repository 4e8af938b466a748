// Records what mail programs report: one row per address, so that no number of reports fills the database.
import { LRUCache } from 'lru-cache'
import { roomFor } from '#kernel/base/caches.ts'
import { minute } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import { type ReportableTrouble, troubleMessages } from './messages.ts'
import { type SavedTrouble, saveTrouble } from './queries.ts'

export const reportableTroubles = Object.keys(troubleMessages) as ReportableTrouble[]

interface ReportedTrouble extends SavedTrouble {
  readonly code: ReportableTrouble
}

/** A further report of the same trouble is not written for so long. */
const repeatMilliseconds = 10 * minute

/** Names come from the mail program: control characters and long texts are none. */
const cleaned = (text: string): string =>
  text
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed()

export class TroubleLog {
  readonly #written = new LRUCache<string, true>({ ...roomFor(10_000), ttl: repeatMilliseconds })

  async record(db: Db, trouble: ReportedTrouble): Promise<void> {
    const key = `${trouble.integrationId} ${trouble.emailId} ${trouble.code}`
    if (this.#written.has(key)) return
    this.#written.set(key, true)
    try {
      await saveTrouble(db, { ...trouble, host: cleaned(trouble.host), platform: cleaned(trouble.platform) })
    } catch (error) {
      this.#written.delete(key)
      throw error
    }
  }
}
