import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { changedQuery } from '#records/signatures/signature-data.ts'
import { Button } from '#ui/button.tsx'
import { LoadError } from '#ui/page.tsx'
import { SignatureCard } from './signature-card.tsx'

type ListParams = NonNullable<Parameters<typeof api.signatures.list>[0]>
export type SignatureFilters = Pick<ListParams, 'search' | 'folder_id' | 'status' | 'sort'>

const pageSize = 60

interface SignatureGridProps {
  readonly filters: SignatureFilters
  readonly empty: ReactNode
}

export function SignatureGrid({ filters, empty }: SignatureGridProps) {
  const t = useTranslations('signatures')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['signatures', 'list', filters],
    queryFn: async ({ pageParam, signal }) =>
      (await api.signatures.list({ ...filters, page: pageParam, limit: pageSize }, { signal }).raw()).body,
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  const changed = useQuery(changedQuery)
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />
  const rows = data?.pages.flatMap(page => page.data)
  if (rows?.length === 0) return <>{empty}</>
  return (
    <>
      <p className="sr-only" role="status">
        {data && t('foundCount', { count: data.pages[0]?.pagination.total_count ?? 0 })}
      </p>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-5">
        {rows
          ? rows.map(signature => (
              <SignatureCard
                key={signature.id}
                signature={signature}
                isChanged={changed.data?.has(signature.id) ?? false}
              />
            ))
          : Array.from({ length: 6 }, (_, index) => (
              <li key={index} aria-hidden="true" className="h-72 animate-pulse rounded-2xl bg-sunken" />
            ))}
      </ul>
      {hasNextPage && (
        <div className="mt-6 text-center">
          <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
            {t('showMore')}
          </Button>
        </div>
      )}
    </>
  )
}
