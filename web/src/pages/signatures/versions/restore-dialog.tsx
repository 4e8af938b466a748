import type { Signature, SignatureVersionListItem } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Actions, Dialog } from '../../../ui/dialog.tsx'
import { useSignatureAction } from '../signature-data.ts'

interface RestoreDialogProps {
  readonly signature: Signature
  readonly version: SignatureVersionListItem
  readonly onClose: () => void
}

export function RestoreDialog({ signature, version, onClose }: RestoreDialogProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  const { number } = version
  const restore = useSignatureAction<{ readonly isPublished: boolean }, 'draft' | 'live' | 'request'>({
    run: async ({ isPublished }) => {
      await api.signatures.versions.restore(signature.id, version.id)
      if (!isPublished) return 'draft'
      const { status } = await api.signatures.publish(signature.id, { force: true }).raw()
      return status === 202 ? 'request' : 'live'
    },
    done: result =>
      result === 'request'
        ? t('requestSent')
        : t(result === 'live' ? 'restoredLive' : 'restoredDraft', { number }),
    after: onClose,
  })
  return (
    <Dialog title={t('restoreTitle', { number })} isOpen onClose={onClose} size="small">
      <p className="text-muted">
        {t('restoreText')} {signature.has_unpublished_changes && <strong>{t('restoreOverwrites')}</strong>}
      </p>
      <Actions>
        <Button onPress={onClose}>{shell('cancel')}</Button>
        <Button isPending={restore.isPending} onPress={() => restore.mutate({ isPublished: false })}>
          {t('restoreToDraft')}
        </Button>
        <Button
          look="primary"
          isPending={restore.isPending}
          onPress={() => restore.mutate({ isPublished: true })}
        >
          {t('restoreAndPublish')}
        </Button>
      </Actions>
    </Dialog>
  )
}
