// The questions before a webhook gets a new secret, is deleted, or gets its events again.
import type { NewWebhook, Webhook } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { toast, toastError } from '#ui/feedback/toast.tsx'
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
  const messageOf = useMessageOf()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => api.webhooks.rotate(of.id),
    onSuccess: created => {
      onClose()
      onCreated(created)
    },
    onError: error => toastError(messageOf(error)),
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
  const messageOf = useMessageOf()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => api.webhooks.delete(of.id),
    onSuccess: () => {
      onClose()
      toast(t('deleted'))
      void queryClient.invalidateQueries({ queryKey: ['webhooks'] })
      void queryClient.invalidateQueries({ queryKey: ['webhook_deliveries'] })
    },
    onError: error => toastError(messageOf(error)),
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
