// Ids of new rows: UUIDv7, so an id holds the moment at which its row was created.
import { randomFillSync } from 'node:crypto'
import { V7Generator } from 'uuidv7'

// 4 KB of random bytes at a time: a call to the random generator per id takes longer than the rest of making the id.
const random = new Uint32Array(1_024)
let used = random.length
const source = {
  nextUint32() {
    if (used === random.length) {
      randomFillSync(random)
      used = 0
    }
    return random[used++] ?? 0
  },
}
const generator = new V7Generator(source)
/** Apart, because it goes back in time: the other one never does. */
const pastGenerator = new V7Generator(source)

/** The smallest id of a row that was created at this moment: ids hold times, so an index of ids is one of times too. */
export function firstIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The id and created_at of a row that is as old as this moment, for data that comes with its history. */
export const rowAt = (moment: Date): { readonly id: string; readonly now: Date } => ({
  id: pastGenerator.generateOrResetCore(moment.getTime(), 0).toString(),
  now: moment,
})

/** The ids that are not among the existing ones, which are in lower case. */
export function missingIds(ids: readonly string[], existing: readonly string[]): string[] {
  const existingIds = new Set(existing)
  return ids.filter(id => !existingIds.has(id.toLowerCase()))
}

/** A new row's id and its created_at, which is the moment inside the id. Lists can therefore order by the id alone. */
export function newRow(): { readonly id: string; readonly now: Date } {
  const id = generator.generate().toString()
  return { id, now: new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) }
}
