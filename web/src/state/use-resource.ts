// A resource that a page edits: what is stored, the edits apart from it, and the save of `useEdit`. The edits keep the values
// that they began with, so that a refresh in the background cannot make the form overwrite what another person has saved.
import type { Call, RequestOptions } from '@signoff/sdk'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isSameValue, useVersionedEdit } from './use-edit.ts'
import { versioned } from './versioned.ts'

interface ResourceOptions<Data, Values, Patch> {
  readonly queryKey: readonly unknown[]
  readonly read: () => Call<Data>
  readonly save: (patch: Patch, options: RequestOptions) => Call<Data>
  readonly onSaved?: (data: Data) => void
  /** The values that the form edits. */
  readonly valuesOf: (data: Data) => Values
  readonly toPatch: (changes: Partial<Values>, stored: Data) => Patch
  /** The name of a value, and the value as text, for the comparison of two versions. */
  readonly labelOf: (key: string) => string
  readonly textOf: (value: unknown, key: string) => ReactNode
}

interface Edits<Values> {
  readonly base: Values
  readonly changes: Partial<Values>
}

export function useResource<Data, Values extends object, Patch>(
  options: ResourceOptions<Data, Values, Patch>,
) {
  const { queryKey, valuesOf, toPatch, labelOf, textOf, onSaved } = options
  const queries = useQueryClient()
  const { data: stored } = useSuspenseQuery({ queryKey, queryFn: () => versioned(options.read()) })
  const [edits, setEdits] = useState<Edits<Values>>()
  const base = edits?.base ?? valuesOf(stored.data)
  const changes = edits?.changes ?? {}
  const discard = () => {
    setEdits(undefined)
    mutation.reset()
  }
  const edit = useVersionedEdit<Values, Partial<Values>>({
    seen: base,
    isDirty: edits !== undefined,
    read: async () => {
      const newest = await versioned(options.read())
      return { ...newest, data: valuesOf(newest.data) }
    },
    save: async (patch, request) => {
      const saved = await versioned(options.save(toPatch(patch, stored.data), request))
      queries.setQueryData(queryKey, saved)
      onSaved?.(saved.data)
      return { ...saved, data: valuesOf(saved.data) }
    },
    labelOf,
    textOf,
    onDiscard: discard,
  })
  const mutation = useMutation({
    mutationFn: () => edit(changes),
    onSuccess: () => setEdits(undefined),
    onError: () => queries.invalidateQueries({ queryKey }),
  })
  return {
    /** The values that the form shows. */
    draft: { ...base, ...changes } as Values,
    changes: changes as Partial<Values>,
    isDirty: edits !== undefined,
    change: (values: Partial<Values>) =>
      setEdits(before => {
        const from = before?.base ?? base
        const different = Object.entries({ ...before?.changes, ...values }).filter(
          ([key, value]) => !isSameValue(value, from[key as keyof Values]),
        )
        return different.length === 0
          ? undefined
          : { base: from, changes: Object.fromEntries(different) as Partial<Values> }
      }),
    discard,
    save: (onDone: (waitingChanges: number) => void) =>
      mutation.mutate(undefined, { onSuccess: ({ waitingChanges = 0 }) => onDone(waitingChanges) }),
    isSaving: mutation.isPending,
    error: mutation.error,
  }
}
