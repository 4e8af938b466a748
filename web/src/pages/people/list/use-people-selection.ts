// Which people are ticked: single ones, or all that the filters find except some.
import type { Teammate } from '@signoff/sdk'
import { useState } from 'react'
import { api } from '#api/client.ts'
import { apiFiltersOf, type PeopleFilters } from '#records/people/people-data.ts'

interface Ticked {
  readonly isAll: boolean
  /** The ticked ones; with `isAll` those that are not. */
  readonly ids: ReadonlySet<string>
}

const none: Ticked = { isAll: false, ids: new Set() }

export interface PeopleSelection {
  readonly count: number
  readonly isAll: boolean
  readonly isSelected: (person: Teammate) => boolean
  readonly toggle: (person: Teammate) => void
  readonly toggleAll: () => void
  readonly clear: () => void
  /** All that the filters find: one request can name them. */
  readonly isWholeList: boolean
  /** Reads the ids of all pages where that is needed. */
  readonly readIds: (onProgress?: (count: number) => void) => Promise<readonly string[]>
}

export function usePeopleSelection(filters: PeopleFilters, total: number | undefined): PeopleSelection {
  const key = JSON.stringify(apiFiltersOf(filters))
  const [held, setHeld] = useState<{ key: string; ticked: Ticked }>({ key, ticked: none })
  // Other filters find other people: what was ticked before is no longer in view.
  const ticked = held.key === key ? held.ticked : none
  const set = (next: Ticked) => setHeld({ key, ticked: next })
  const { isAll, ids } = ticked
  const toggle = ({ id }: Teammate) => {
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    set({ isAll, ids: next })
  }
  const readIds = async (onProgress?: (count: number) => void) => {
    if (!isAll) return [...ids]
    const matchingIds: string[] = []
    for await (const { id } of api.teammates.list({
      ...apiFiltersOf(filters),
      limit: 100,
      sort: 'created_at',
    })) {
      if (!ids.has(id)) matchingIds.push(id)
      if (matchingIds.length % 1_000 === 0) onProgress?.(matchingIds.length)
    }
    return matchingIds
  }
  return {
    count: isAll ? Math.max(0, (total ?? 0) - ids.size) : ids.size,
    isAll,
    isSelected: ({ id }) => ids.has(id) !== isAll,
    toggle,
    toggleAll: () => set(isAll || ids.size > 0 ? none : { isAll: true, ids: new Set() }),
    clear: () => set(none),
    isWholeList: isAll && ids.size === 0,
    readIds,
  }
}
