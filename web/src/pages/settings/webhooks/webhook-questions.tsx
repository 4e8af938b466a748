// The questions before a webhook gets a new secret, is deleted, or gets its events again.
import type { NewWebhook, Webhook } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api, queryClient, readAgain } from '#api/client.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'

interface QuestionProps {
  readonly of: Webhook
  readonly onClose: () => void
}

export function RotateSecretDialog({
  of,
  onClose,
  onCreated,
}: QuestionProps & { readonly onCreated: (created: NewWebhook) => void }) {
  const t = useTranslations('settings.webhooks')
  const { mutate, isPending } = useAction(() => readAgain('webhooks'), {
    run: async () => api.webhooks.rotate(of.id),
    after: created => {
      onClose()
      onCreated(created)
    },
  })
  return (
    <ConfirmDialog
      title={t('rotateTitle')}
      isOpen
      onClose={onClose}
      action={t('rotate')}
      isDangerous={false}
      onConfirm={() => mutate()}
      isPending={isPending}
    >
      <p>{t('rotateText')}</p>
    </ConfirmDialog>
  )
}

export function DeleteWebhookDialog({ of, onClose }: QuestionProps) {
  const t = useTranslations('settings.webhooks')
  const shell = useTranslations('shell')
  const { mutate, isPending } = useAction(() => readAgain('webhooks', 'webhook_deliveries'), {
    run: async () => api.webhooks.delete(of.id),
    done: () => t('deleted'),
    after: onClose,
  })
  return (
    <ConfirmDialog
      title={t('deleteTitle')}
      isOpen
      onClose={onClose}
      action={shell('delete')}
      onConfirm={() => mutate()}
      isPending={isPending}
    >
      <p>{t('deleteText', { url: of.url })}</p>
    </ConfirmDialog>
  )
}

/** The value of a field for date and time, in the time zone of the browser. */
const localMoment = (date: Date): string => {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

export function ReplaySinceDialog({ of, onClose }: QuestionProps) {
  const t = useTranslations('settings.webhooks')
  return (
    <FormDialog
      title={t('replayTitle')}
      onClose={onClose}
      size="small"
      about={t('replayText')}
      onSubmit={form =>
        api.webhooks.replay(of.id, { since: new Date(String(form.get('since'))).toISOString() })
      }
      onDone={({ queued }) => {
        onClose()
        toast(t('replayQueued', { count: queued }))
        void queryClient.invalidateQueries({ queryKey: ['webhook_deliveries'] })
      }}
      action={t('replay')}
    >
      <TextField
        label={t('since')}
        name="since"
        type="datetime-local"
        defaultValue={localMoment(new Date(Date.now() - 86_400_000))}
        isRequired
      />
    </FormDialog>
  )
}
