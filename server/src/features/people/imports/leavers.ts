// People who become inactive because they are not in a file, and their limit: a file that was cut off, or of one
// department only, must not switch off a company.
import { findOwners } from '#features/people/teammates/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { mapRow, type ResolvedMapping } from './mapping.ts'
import { countActivePeople, type StoredImport } from './queries.ts'
import { addressKeysOf, mappedBatches } from './rows.ts'

const leastAllowed = 10
const allowedShare = 0.1

/** True if so many of all active people are more than an import switches off without a confirmation. */
export const needsConfirmation = (leaving: number, active: number): boolean =>
  leaving > Math.max(leastAllowed, active * allowedShare)

interface ComparedPeople {
  /** Ids of active people who are in the file. */
  readonly present: ReadonlySet<string>
  readonly hasAddress: boolean
  readonly active: number
  /** Number of the active people who are not in the file. */
  readonly leaving: number
}

export async function comparePeople(
  db: Db,
  workspaceId: string,
  stored: Pick<StoredImport, 'id' | 'row_count'>,
  resolved: ResolvedMapping,
): Promise<ComparedPeople> {
  const present = new Set<string>()
  let hasAddress = false
  for await (const rows of mappedBatches(db, workspaceId, stored, row =>
    mapRow(row, resolved, 'directory'),
  )) {
    const keys = addressKeysOf(rows)
    hasAddress ||= keys.length > 0
    for (const { teammate_id, active } of await findOwners(db, workspaceId, keys))
      if (active) present.add(teammate_id)
  }
  const active = await countActivePeople(db, workspaceId)
  return { present, hasAddress, active, leaving: Math.max(0, active - present.size) }
}
