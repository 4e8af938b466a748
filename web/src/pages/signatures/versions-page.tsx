import { useTranslations } from 'use-intl'
import { useVersions } from '#records/versions/use-versions.ts'
import { VersionRow } from '#records/versions/version-row.tsx'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState, LoadError, Skeleton } from '#ui/page.tsx'
import { SignatureLayout, useSignature } from './signature-layout.tsx'
import { RestoreDialog } from './versions/restore-dialog.tsx'
import { VersionComparison } from './versions/version-comparison.tsx'

export default function VersionsPage() {
  const signature = useSignature()
  const t = useTranslations('signatures')
  const [{ version, restore }, setAddress] = useAddressState<'version' | 'restore'>()
  const { rows, error, refetch, hasNextPage, fetchNextPage } = useVersions(signature)
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
