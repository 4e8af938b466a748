import type { Signature, SignatureVersionListItem } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useSignatureAction } from '#records/signatures/signature-data.ts'
import { useMessageOf } from '#state/error-texts.ts'
import { isSignoffError } from '#state/errors.ts'
import { Button } from '#ui/button.tsx'
import { Actions, Dialog } from '#ui/dialog.tsx'
import { Notice } from '#ui/page.tsx'

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

export function RestoreDialog({ signature, version, onClose }: RestoreDialogProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  const messageOf = useMessageOf()
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
    <Dialog title={t('restoreTitle', { number })} isOpen onClose={onClose} size="small">
      <p className="text-muted">
        {t('restoreText')} {signature.has_unpublished_changes && <strong>{t('restoreOverwrites')}</strong>}
      </p>
      {error !== null && (
        <div role="alert" className="mt-4">
          <Notice kind="bad">{messageOf(error)}</Notice>
        </div>
      )}
      <Actions>
        <Button onPress={onClose}>{shell('cancel')}</Button>
        <Button isPending={restore.isPending} onPress={() => restore.mutate({ isPublished: false })}>
          {t('restoreToDraft')}
        </Button>
        <Button
          look={isRefused ? 'danger' : 'primary'}
          isPending={restore.isPending}
          onPress={() => restore.mutate({ isPublished: true, force: isRefused })}
        >
          {t(isRefused ? 'publishAnyway' : 'restoreAndPublish')}
        </Button>
      </Actions>
    </Dialog>
  )
}
