// A resource that people edit: read with its version (ETag), and saved only if nobody has changed it since.
import type { Call, RequestOptions } from '@signoff/sdk'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { isStale } from './errors.ts'

interface Versioned<Data> {
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

/**
 * `save(patch)` sends the version that was read. When another person has saved meanwhile, `conflict` holds their data:
 * the page shows both, and calls `save` again with `{ overwrite: true }`, or `discard`.
 */
export function useResource<Data, Patch>({ queryKey, read, save, onSaved }: ResourceOptions<Data, Patch>) {
  const queries = useQueryClient()
  const { data: stored } = useSuspenseQuery({ queryKey, queryFn: () => versioned(read()) })
  const mutation = useMutation({
    mutationFn: ({ patch, overwrite }: { readonly patch: Patch; readonly overwrite?: boolean }) =>
      versioned(save(patch, overwrite ? {} : { ifMatch: stored.etag })),
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
    save: (patch: Patch, options: { readonly overwrite?: boolean } = {}) =>
      mutation.mutate({ patch, ...options }),
    isSaving: mutation.isPending,
    error: mutation.error,
    hasConflict: isStale(mutation.error),
    discard: mutation.reset,
  }
}
