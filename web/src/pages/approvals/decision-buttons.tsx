// Approve and reject, for every kind of approval. Rejecting asks for a reason first.
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/button.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import { type DecidedResource, useDecision } from './use-decision.ts'

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
        <Button look="primary" icon="check" isPending={approve.isPending} onPress={approve.run}>
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
