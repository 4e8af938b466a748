// The published versions of a signature, newest first.
import type { Content, Signature } from '@signoff/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '#api/client.ts'

const pageSize = 50

export function useVersions(signature: Pick<Signature, 'id' | 'last_published_at'>) {
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['signatures', 'versions', signature.id, signature.last_published_at],
    queryFn: async ({ pageParam }) =>
      (await api.signatures.versions.list(signature.id, { page: pageParam, limit: pageSize }).raw()).body,
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.page + 1 : undefined),
  })
  const rows = data?.pages.flatMap(page => page.data)
  return { rows, error, refetch, hasNextPage, fetchNextPage }
}

export const useVersionContent = (signatureId: string, versionId: string | undefined): Content | undefined =>
  useQuery({
    queryKey: ['signatures', 'version', signatureId, versionId],
    queryFn: () => api.signatures.versions.get(signatureId, versionId as string),
    enabled: versionId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.content
