// A resource that people edit: read with its version (ETag), and saved only if no other save came in between.
import type { Call, RequestOptions } from '@signoff/sdk'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { isStale } from './errors.ts'
import { type Versioned, versioned } from './versioned.ts'

interface ResourceOptions<Data, Patch> {
  readonly queryKey: readonly unknown[]
  readonly read: (options?: RequestOptions) => Call<Data>
  readonly save: (patch: Patch, options?: RequestOptions) => Call<Data>
  readonly onSaved?: (data: Data) => void
}

interface SaveOptions<Data> {
  readonly overwrite?: boolean
  /** The version that the edits began with. Without it: the version that was read last. */
  readonly ifMatch?: string | undefined
  /** Whether the newest version still has the values that the edits began with: then only other parts have changed. */
  readonly canMerge?: (newest: Data) => boolean
  readonly onSaved?: (saved: Versioned<Data>) => void
}

type SaveInput<Data, Patch> = Omit<SaveOptions<Data>, 'onSaved'> & { readonly patch: Patch }

/**
 * `save(patch)` sends the version that was read. When another person has saved meanwhile, `hasConflict` is true and
 * `data` becomes the newest version: the page shows both, and calls `save` again with `{ overwrite: true }`, or `discard`.
 * A page whose edits live longer than one read uses `useDraft`, which remembers the version the edits began with.
 */
export function useResource<Data, Patch>({ queryKey, read, save, onSaved }: ResourceOptions<Data, Patch>) {
  const queries = useQueryClient()
  const { data: stored } = useSuspenseQuery({ queryKey, queryFn: () => versioned(read()) })
  const mutation = useMutation({
    mutationFn: async ({ patch, overwrite, ifMatch, canMerge }: SaveInput<Data, Patch>) => {
      const send = (etag: string | undefined) => versioned(save(patch, overwrite ? {} : { ifMatch: etag }))
      try {
        return await send(ifMatch ?? stored.etag)
      } catch (error) {
        const newest = isStale(error) && canMerge ? await versioned(read()) : undefined
        if (newest && canMerge?.(newest.data)) return send(newest.etag)
        throw error
      }
    },
    onSuccess: saved => {
      queries.setQueryData(queryKey, saved)
      onSaved?.(saved.data)
    },
    onError: error => {
      if (isStale(error)) void queries.invalidateQueries({ queryKey })
    },
  })
  return {
    data: stored.data,
    stored,
    save: (patch: Patch, { onSaved: onThisSaved, ...options }: SaveOptions<Data> = {}) =>
      mutation.mutate({ patch, ...options }, { ...(onThisSaved && { onSuccess: onThisSaved }) }),
    isSaving: mutation.isPending,
    error: mutation.error,
    hasConflict: isStale(mutation.error),
    discard: mutation.reset,
  }
}
