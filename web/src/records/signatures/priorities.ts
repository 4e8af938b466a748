// The order of signatures: where several reach one address, the smallest priority number wins, and of equal numbers the
// older signature, which has the smaller id. Numbers cannot be negative.

import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'

interface RankedSignature {
  readonly id: string
  readonly priority: number
}

const byPriority = (a: RankedSignature, b: RankedSignature): number =>
  a.priority - b.priority || (a.id < b.id ? -1 : 1)

/**
 * The changes, in the order in which they are sent, after which a signature comes before all others. The others keep
 * their order, also while only some of the changes are sent: the last of them moves first.
 */
function changesToPutFirst(all: readonly RankedSignature[], id: string): readonly RankedSignature[] {
  const others = all.filter(each => each.id !== id).sort(byPriority)
  const [first] = others
  const own = all.find(each => each.id === id)
  if (!first || !own || byPriority(own, first) < 0) return []
  if (first.priority > 0) return [{ id, priority: first.priority - 1 }]
  const moved: RankedSignature[] = []
  let before: RankedSignature = { id, priority: 0 }
  for (const other of others) {
    const lowest = other.id > before.id ? before.priority : before.priority + 1
    if (other.priority >= lowest) break
    before = { id: other.id, priority: lowest }
    moved.unshift(before)
  }
  return [...moved, { id, priority: 0 }]
}

function changesToPutLast(all: readonly RankedSignature[], id: string): readonly RankedSignature[] {
  const last = all
    .filter(each => each.id !== id)
    .sort(byPriority)
    .at(-1)
  const own = all.find(each => each.id === id)
  return !last || !own || byPriority(last, own) < 0 ? [] : [{ id, priority: last.priority + 1 }]
}

/** Reads the places anew, so that a change by another person is not undone. */
export async function moveSignature(id: string, position: 'first' | 'last'): Promise<void> {
  const all = await allRows(page => api.signatures.list({ ...page, sort: 'priority' }))
  const changes = position === 'first' ? changesToPutFirst(all, id) : changesToPutLast(all, id)
  for (const change of changes) await api.signatures.update(change.id, { priority: change.priority })
}
