// Approve and reject, for every kind of approval. Rejecting asks for a reason first.
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { type DecidedResource, useDecision } from './use-decision.ts'

interface RejectDialogProps {
  readonly title: string
  readonly text: string
  readonly onClose: () => void
  readonly onReject: (reason: string | undefined) => void
  readonly isPending: boolean
}

function RejectDialog({ title, text, onClose, onReject, isPending }: RejectDialogProps) {
  const t = useTranslations('approvals')
  const shell = useTranslations('shell')
  const [reason, setReason] = useState('')
  return (
    <Dialog title={title} onClose={onClose} size="small">
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
        <Button variant="danger" isPending={isPending} onPress={() => onReject(reason.trim() || undefined)}>
          {t('reject')}
        </Button>
      </Actions>
    </Dialog>
  )
}

interface DecisionButtonsProps {
  readonly resource: DecidedResource
  /** Without it the request can only be rejected. */
  readonly approve?: { readonly label: string; readonly isPending: boolean; readonly run: () => void }
  readonly reject: (body: { reason?: string }) => Promise<unknown>
  readonly rejectTitle: string
  readonly rejectText: string
}

export function DecisionButtons({
  resource,
  approve,
  reject,
  rejectTitle,
  rejectText,
}: DecisionButtonsProps) {
  const t = useTranslations('approvals')
  const [isRejecting, setRejecting] = useState(false)
  const rejection = useDecision(
    resource,
    async (reason: string | undefined) => reject(reason === undefined ? {} : { reason }),
    t('rejected'),
  )
  return (
    <div className="flex flex-wrap gap-2">
      <Button onPress={() => setRejecting(true)} isDisabled={approve?.isPending === true}>
        {t('reject')}
      </Button>
      {approve && (
        <Button variant="primary" icon="check" isPending={approve.isPending} onPress={approve.run}>
          {approve.label}
        </Button>
      )}
      {isRejecting && (
        <RejectDialog
          title={rejectTitle}
          text={rejectText}
          onClose={() => setRejecting(false)}
          onReject={reason => rejection.mutate(reason, { onSettled: () => setRejecting(false) })}
          isPending={rejection.isPending}
        />
      )}
    </div>
  )
}
