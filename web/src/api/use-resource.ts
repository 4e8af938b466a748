// A resource that people edit: read with its version (ETag), and saved only if no other save came in between.
import type { Call, RequestOptions } from '@signoff/sdk'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { isStale } from './errors.ts'

export interface Versioned<Data> {
  readonly data: Data
  readonly etag: string | undefined
}

/** What a call answers, with the version for `If-Match`. */
export async function versioned<Data>(call: Call<Data>): Promise<Versioned<Data>> {
  const { body, headers } = await call.raw()
  return { data: body.data, etag: headers.get('etag') ?? undefined }
}

interface ResourceOptions<Data, Patch> {
  readonly queryKey: readonly unknown[]
  readonly read: (options?: RequestOptions) => Call<Data>
  readonly save: (patch: Patch, options?: RequestOptions) => Call<Data>
  readonly onSaved?: (data: Data) => void
}

interface SaveOptions {
  readonly overwrite?: boolean
  /** The version that the edits began with. Without it: the version that was read last. */
  readonly ifMatch?: string | undefined
  readonly onSaved?: () => void
}

/**
 * `save(patch)` sends the version that was read. When another person has saved meanwhile, `hasConflict` is true and
 * `data` becomes theirs: the page shows both, and calls `save` again with `{ overwrite: true }`, or `discard`.
 * A page whose edits live longer than one read uses `useDraft`, which remembers the version the edits began with.
 */
export function useResource<Data, Patch>({ queryKey, read, save, onSaved }: ResourceOptions<Data, Patch>) {
  const queries = useQueryClient()
  const { data: stored } = useSuspenseQuery({ queryKey, queryFn: () => versioned(read()) })
  const mutation = useMutation({
    mutationFn: ({ patch, overwrite, ifMatch }: Omit<SaveOptions, 'onSaved'> & { readonly patch: Patch }) =>
      versioned(save(patch, overwrite ? {} : { ifMatch: ifMatch ?? stored.etag })),
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
    save: (patch: Patch, { onSaved: onThisSaved, ...options }: SaveOptions = {}) =>
      mutation.mutate({ patch, ...options }, { ...(onThisSaved && { onSuccess: onThisSaved }) }),
    isSaving: mutation.isPending,
    error: mutation.error,
    hasConflict: isStale(mutation.error),
    discard: mutation.reset,
  }
}
