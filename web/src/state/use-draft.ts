// The edits of a form, apart from what is stored. The first edit remembers the stored version that it began with, so
// that a refresh in the background cannot make the form overwrite what another person has saved.
import { useState } from 'react'
import type { Versioned } from './versioned.ts'

export const isSameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

interface Edits<Data> {
  readonly base: Versioned<Data>
  readonly values: Partial<Data>
}

export function useDraft<Data extends object>(stored: Versioned<Data>) {
  const [edits, setEdits] = useState<Edits<Data>>()
  const base = edits?.base ?? stored
  const change = (values: Partial<Data>) =>
    setEdits(before => {
      const from = before?.base ?? stored
      const merged = { ...before?.values, ...values }
      const kept = Object.entries(merged).filter(
        ([key, value]) => !isSameValue(value, from.data[key as keyof Data]),
      )
      return kept.length === 0 ? undefined : { base: from, values: Object.fromEntries(kept) as Partial<Data> }
    })
  return {
    /** What the form shows. */
    draft: { ...base.data, ...edits?.values } as Data,
    /** Only what differs from the version that the edits began with. */
    changes: edits?.values ?? ({} as Partial<Data>),
    base: base.data,
    etag: base.etag,
    isDirty: edits !== undefined,
    /** Whether another version has the same values where the edits are. */
    isSameBase: (newest: Data): boolean =>
      Object.keys(edits?.values ?? {}).every(key =>
        isSameValue(newest[key as keyof Data], base.data[key as keyof Data]),
      ),
    change,
    reset: () => setEdits(undefined),
  }
}

export type DraftOf<Data extends object> = ReturnType<typeof useDraft<Data>>
