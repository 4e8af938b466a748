import type { SignatureVersionListItem } from '@signoff/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '../../api/client.ts'
import { useCan } from '../../api/session.tsx'
import { useAddressState } from '../../app/address-state.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Badge, EmptyState, LoadError, Skeleton } from '../../ui/page.tsx'
import { SignatureLayout, useSignature } from './signature-layout.tsx'
import { RestoreDialog } from './versions/restore-dialog.tsx'
import { VersionComparison } from './versions/version-comparison.tsx'

const pageSize = 50

export default function VersionsPage() {
  const signature = useSignature()
  const t = useTranslations('signatures')
  const [{ version, restore }, setAddress] = useAddressState<'version' | 'restore'>()
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['signatures', 'versions', signature.id, signature.last_published_at],
    queryFn: async ({ pageParam }) =>
      (await api.signatures.versions.list(signature.id, { page: pageParam, limit: pageSize }).raw()).body,
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.page + 1 : undefined),
  })
  const rows = data?.pages.flatMap(page => page.data)
  const chosen = rows?.find(row => row.id === version) ?? rows?.[0]
  const restored = rows?.find(row => row.id === restore)
  return (
    <SignatureLayout>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!rows && !error && <Skeleton lines={6} />}
      {rows?.length === 0 && (
        <EmptyState icon="history" title={t('noVersions')}>
          {t('noVersionsText')}
        </EmptyState>
      )}
      {rows && chosen && (
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <ol aria-label={t('tabs.versions')} className="grid gap-1">
            {rows.map((row, index) => (
              <VersionRow
                key={row.id}
                row={row}
                isLive={index === 0 && signature.signature_installation_activated}
                isChosen={row.id === chosen.id}
                onChoose={() => setAddress({ version: row.id })}
              />
            ))}
            {hasNextPage && (
              <li>
                <Button isSmall look="quiet" onPress={() => void fetchNextPage()}>
                  {t('showMore')}
                </Button>
              </li>
            )}
          </ol>
          <VersionComparison
            signature={signature}
            chosen={chosen}
            versions={rows}
            onRestore={() => setAddress({ restore: chosen.id })}
          />
        </div>
      )}
      {restored && (
        <RestoreDialog
          signature={signature}
          version={restored}
          onClose={() => setAddress({ restore: undefined })}
        />
      )}
    </SignatureLayout>
  )
}

/** The note that the API writes to a restored version; other notes are shown as they are. */
const restoredNote = /^Restored from version (\d+)$/

interface VersionRowProps {
  readonly row: SignatureVersionListItem
  readonly isLive: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function VersionRow({ row, isLive, isChosen, onChoose }: VersionRowProps) {
  const t = useTranslations('signatures')
  const format = useFormatter()
  const canRead = useCan()('signatures:read')
  const restoredNumber = row.note?.match(restoredNote)?.[1]
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen}
        disabled={!canRead}
        onClick={onChoose}
        className={classes(
          'block w-full rounded-xl px-3 py-2.5 text-start transition-colors',
          isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
        )}
      >
        <span className="flex items-center gap-2 font-medium">
          {t('versionNumber', { number: row.number })}
          {isLive && <Badge look="good">{t('states.live')}</Badge>}
        </span>
        <span className="mt-0.5 block text-[0.8125rem] text-muted">
          {format.dateTime(new Date(row.published_at), { dateStyle: 'medium', timeStyle: 'short' })}
        </span>
        <span className="block truncate text-[0.8125rem] text-muted">{row.published_by}</span>
        {row.note && (
          <span className="block text-xs text-muted">
            {restoredNumber === undefined ? row.note : t('restoredFrom', { number: restoredNumber })}
          </span>
        )}
      </button>
    </li>
  )
}
