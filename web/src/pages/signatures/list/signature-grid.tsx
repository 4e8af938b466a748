import type { SignatureListItem } from '@signoff/sdk'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { exampleRecipientQuery } from '#records/signatures/example-person.ts'
import {
  changedQuery,
  selectionQuery,
  signaturePath,
  stateOfSignature,
} from '#records/signatures/signature-data.ts'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { LoadError } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { SignatureMenu } from '../signature-menu.tsx'
import { SignatureBadge } from '../state-badge.tsx'
import { useSeen } from './use-in-view.ts'

const thumbnailHeight = 168

function Thumbnail({
  signature,
  isSeen,
}: {
  readonly signature: SignatureListItem
  readonly isSeen: boolean
}) {
  const t = useTranslations('signatures')
  const can = useCan()
  const example = useQuery({
    ...exampleRecipientQuery(signature.id),
    enabled: isSeen && can('teammates:read'),
  })
  const emailId = example.data ?? undefined
  const { data, isError } = useQuery({
    queryKey: ['signatures', 'preview', signature.id, signature.updated_at, emailId],
    queryFn: () => api.signatures.preview(signature.id, emailId === undefined ? {} : { email_id: emailId }),
    enabled: isSeen && !example.isLoading,
    staleTime: 60_000,
  })
  if (isError)
    return <div className="grid h-full place-items-center text-[0.8125rem] text-muted">{t('noPreview')}</div>
  if (!data) return <div className="h-full animate-pulse rounded-lg bg-sunken" />
  if (data.html === '')
    return (
      <div className="grid h-full place-items-center text-[0.8125rem] text-muted">{t('emptyContent')}</div>
    )
  return (
    <SignatureFrame
      html={data.html}
      title={t('thumbnailOf', { name: signature.name })}
      width={520}
      maxHeight={thumbnailHeight}
    />
  )
}

interface SignatureCardProps {
  readonly signature: SignatureListItem
  /** True if the draft differs from what is live. */
  readonly isChanged: boolean
}

function SignatureCard({ signature, isChanged }: SignatureCardProps) {
  const t = useTranslations('signatures')
  const format = useFormatter()
  const now = useNow({ updateInterval: 60_000 })
  const changed = new Date(signature.updated_at)
  const [ref, isSeen] = useSeen<HTMLLIElement>()
  const recipients = useQuery({ ...selectionQuery(signature.id), enabled: isSeen })
  return (
    <li
      ref={ref}
      className="group relative flex flex-col overflow-hidden rounded-2xl border border-line bg-card transition-shadow focus-within:shadow-raised hover:shadow-raised"
    >
      <div
        className="grid items-center border-b border-line bg-white p-4"
        style={{ height: thumbnailHeight + 32 }}
      >
        <Thumbnail signature={signature} isSeen={isSeen} />
      </div>
      <div className="flex items-start gap-2 p-4">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-sm font-semibold">
            {/* The link covers the card; the menu lies above it. */}
            <Link to={signaturePath(signature.id)} className="after:absolute after:inset-0">
              {signature.name}
            </Link>
          </h2>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-muted">
            <SignatureBadge state={stateOfSignature(signature, isChanged)} />
            <span className="inline-flex items-center gap-1">
              <Icon name="users" size={13} />
              {recipients.data === undefined
                ? '…'
                : t('recipientCount', { count: recipients.data.matching_emails_count })}
            </span>
          </p>
          <p className="mt-1.5 text-xs text-muted">
            {t('changedAt', { when: format.relativeTime(changed, changed > now ? changed : now) })}
          </p>
        </div>
        <div className="relative z-10 -me-2 -mt-1">
          <SignatureMenu signature={signature} />
        </div>
      </div>
    </li>
  )
}

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
