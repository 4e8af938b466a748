import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/button.tsx'
import { Actions, Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'

interface RejectDialogProps {
  readonly title: string
  readonly text: string
  readonly onClose: () => void
  readonly onReject: (reason: string | undefined) => void
  readonly isPending: boolean
}

export function RejectDialog({ title, text, onClose, onReject, isPending }: RejectDialogProps) {
  const t = useTranslations('approvals')
  const shell = useTranslations('shell')
  const [reason, setReason] = useState('')
  return (
    <Dialog title={title} isOpen onClose={onClose} size="small">
      <p className="mb-4 text-muted">{text}</p>
      <TextField
        label={t('reason')}
        hint={t('reasonHint')}
        value={reason}
        onChange={setReason}
        rows={3}
        maxLength={500}
        autoFocus
      />
      <Actions>
        <Button onPress={onClose}>{shell('cancel')}</Button>
        <Button look="danger" isPending={isPending} onPress={() => onReject(reason.trim() || undefined)}>
          {t('reject')}
        </Button>
      </Actions>
    </Dialog>
  )
}
