// Whom a dry run lists: some people of each change are enough to see whether it is right.
import type { PreviewedPerson } from './queries.ts'

const maxOfChange = 200

/** Those of `people` that still fit into the list. */
export function withinPreview(
  people: readonly PreviewedPerson[],
  listed: readonly PreviewedPerson[],
): PreviewedPerson[] {
  const counts = new Map<string, number>()
  for (const { change } of listed) counts.set(change, (counts.get(change) ?? 0) + 1)
  return people.filter(({ change }) => {
    const count = (counts.get(change) ?? 0) + 1
    counts.set(change, count)
    return count <= maxOfChange
  })
}
