import type { Signature, SignatureVersionListItem } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useSignatureAction } from '#records/signatures/signature-data.ts'
import { useVersions } from '#records/versions/use-versions.ts'
import { VersionRow } from '#records/versions/version-row.tsx'
import { useAddressState } from '#state/address-state.ts'
import { isSignoffError } from '#state/errors.ts'
import { Button } from '#ui/base/button.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { EmptyState, LoadState } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { SignatureLayout, useSignature } from './signature-layout.tsx'
import { VersionComparison } from './versions/version-comparison.tsx'

interface RestoreDialogProps {
  readonly signature: Signature
  readonly version: SignatureVersionListItem
  readonly onClose: () => void
}

interface RestoreInput {
  readonly isPublished: boolean
  /** Only after the person has read why the service refused to publish. */
  readonly force?: boolean
}

function RestoreDialog({ signature, version, onClose }: RestoreDialogProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  const { number } = version
  const restore = useSignatureAction<RestoreInput, 'draft' | 'live' | 'request'>({
    run: async ({ isPublished, force = false }) => {
      await api.signatures.versions.restore(signature.id, version.id)
      if (!isPublished) return 'draft'
      const { status } = await api.signatures.publish(signature.id, { force }).raw()
      return status === 202 ? 'request' : 'live'
    },
    done: result =>
      result === 'request'
        ? t('requestSent')
        : t(result === 'live' ? 'restoredLive' : 'restoredDraft', { number }),
    after: onClose,
    showsError: true,
  })
  const { error } = restore
  const isRefused = isSignoffError(error) && error.details.some(({ code }) => code === 'nothing_to_show')
  return (
    <Dialog title={t('restoreTitle', { number })} onClose={onClose} size="small">
      <p className="text-muted">
        {t('restoreText')} {signature.has_unpublished_changes && <strong>{t('restoreOverwrites')}</strong>}
      </p>
      {error !== null && <ErrorNotice error={error} className="mt-4" />}
      <Actions>
        <Button onPress={onClose}>{shell('cancel')}</Button>
        <Button isPending={restore.isPending} onPress={() => restore.mutate({ isPublished: false })}>
          {t('restoreToDraft')}
        </Button>
        <Button
          variant={isRefused ? 'danger' : 'primary'}
          isPending={restore.isPending}
          onPress={() => restore.mutate({ isPublished: true, force: isRefused })}
        >
          {t(isRefused ? 'publishAnyway' : 'restoreAndPublish')}
        </Button>
      </Actions>
    </Dialog>
  )
}

export default function VersionsPage() {
  const signature = useSignature()
  const t = useTranslations('signatures')
  const [{ version, restore }, setAddress] = useAddressState<'version' | 'restore'>()
  const { rows, error, refetch, hasNextPage, fetchNextPage } = useVersions(signature)
  const chosen = rows?.find(row => row.id === version) ?? rows?.[0]
  const restored = rows?.find(row => row.id === restore)
  return (
    <SignatureLayout>
      <LoadState query={{ data: rows, error, refetch }} lines={6} />
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
                <Button isSmall variant="quiet" onPress={() => void fetchNextPage()}>
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
