// Decides whether a run reads everything, or only what has changed since the last one.

import { hour } from '#kernel/base/durations.ts'
import type { ServerChanges } from './server-info.ts'

interface LdapCursor {
  readonly server: string
  readonly usn: string
  /** Time of the last full read. */
  readonly full_at: number
  /** True if photos were compared: this is done only while a field is mapped to photos. */
  readonly photos: boolean
}

/** A full run finds what changes do not show: people who were deleted or moved where the account cannot see them. */
const fullEvery = hour

function readCursor(text: string | null): LdapCursor | null {
  try {
    const { server, usn, full_at, photos } = JSON.parse(text ?? 'null') ?? {}
    const isValid = typeof server === 'string' && /^\d{1,20}$/.test(usn) && typeof full_at === 'number'
    return isValid ? { server, usn, full_at, photos: photos === true } : null
  } catch {
    return null
  }
}

export interface ReadPlan {
  /** The number of the first change to read; null: everything is read. */
  readonly sinceUsn: bigint | null
  /** For the next run, when this one ends. */
  readonly cursorAfter: (isFull: boolean) => string | null
}

export function planRead(
  since: string | null,
  changes: ServerChanges | null,
  hasPhotos: boolean,
  now: number,
): ReadPlan {
  if (!changes) return { sinceUsn: null, cursorAfter: () => null }
  const { invocationId: server, highestUsn } = changes
  const cursor = readCursor(since)
  const isUsable =
    cursor !== null &&
    cursor.server === server &&
    cursor.photos === hasPhotos &&
    // A number that is lower than before: the database was replaced by an older one.
    BigInt(cursor.usn) <= highestUsn &&
    now - cursor.full_at < fullEvery &&
    cursor.full_at <= now
  return {
    sinceUsn: isUsable ? BigInt(cursor.usn) + 1n : null,
    cursorAfter: isFull =>
      JSON.stringify({
        server,
        usn: String(highestUsn),
        full_at: isFull || !cursor ? now : cursor.full_at,
        photos: hasPhotos,
      } satisfies LdapCursor),
  }
}
