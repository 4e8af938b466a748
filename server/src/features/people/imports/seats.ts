// Of a file that is a directory: inactive people who are in it become active again, as far as seats are left.
import { findOwners, seatInOrder } from '#features/people/teammates/index.ts'
import type { FreeSeats } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { MappedRow } from './mapping.ts'
import { addressKeysOf } from './rows.ts'

interface SeatedRows {
  /** Teammates who become active. */
  readonly returning: readonly string[]
  /** Rows that can be imported. */
  readonly seated: readonly MappedRow[]
  /** Rows of inactive people for whom no seat is left. */
  readonly unseated: readonly MappedRow[]
}

/** `rows` have different addresses. */
export async function seatInactive(
  db: Db,
  workspaceId: string,
  rows: readonly MappedRow[],
  seats: FreeSeats,
): Promise<SeatedRows> {
  const owners = await findOwners(db, workspaceId, addressKeysOf(rows))
  const inactive = new Map(
    owners.filter(({ active }) => !active).map(owner => [owner.address_key, owner.teammate_id]),
  )
  const ownerOf = (row: MappedRow) => addressKeysOf([row]).flatMap(key => inactive.get(key) ?? [])
  const ids = new Set(seatInOrder([...new Set(rows.flatMap(ownerOf))], seats).seated)
  const isSeated = (row: MappedRow) => ownerOf(row).every(id => ids.has(id))
  return {
    returning: [...ids],
    seated: rows.filter(isSeated),
    unseated: rows.filter(row => !isSeated(row)),
  }
}
