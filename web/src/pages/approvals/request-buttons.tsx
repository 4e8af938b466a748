import type { PublicationRequestListItem } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../api/client.ts'
import { useMessageOf } from '../../api/error-texts.ts'
import { isSignoffError } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import { useDecision } from './use-decision.ts'

/** 422: the check of the signature found errors, which an approver can overrule. */
const isCheckError = (error: unknown): boolean => isSignoffError(error) && error.status === 422

export function RequestButtons({ request }: { readonly request: PublicationRequestListItem }) {
  const t = useTranslations('approvals')
  const messageOf = useMessageOf()
  const [isRejecting, setRejecting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const approve = useDecision(
    'publication_requests',
    async (force: boolean) => api.publicationRequests.approve(request.id, force ? { force } : {}),
    t('published', { name: request.signature_name }),
    error => {
      if (isCheckError(error)) setProblem(messageOf(error))
      return isCheckError(error)
    },
  )
  const reject = useDecision(
    'publication_requests',
    async (reason: string | undefined) =>
      api.publicationRequests.reject(request.id, reason === undefined ? {} : { reason }),
    t('rejected'),
  )
  return (
    <div className="flex flex-wrap gap-2">
      <Button onPress={() => setRejecting(true)} isDisabled={approve.isPending}>
        {t('reject')}
      </Button>
      {!request.stale && (
        <Button
          look="primary"
          icon="check"
          isPending={approve.isPending}
          onPress={() => approve.mutate(false)}
        >
          {t('approvePublish')}
        </Button>
      )}
      {isRejecting && (
        <RejectDialog
          title={t('rejectRequestTitle', { name: request.signature_name })}
          text={t('rejectRequestText', { name: request.requested_by.name ?? t('someone') })}
          onClose={() => setRejecting(false)}
          onReject={reason => reject.mutate(reason, { onSettled: () => setRejecting(false) })}
          isPending={reject.isPending}
        />
      )}
      {problem !== undefined && (
        <ConfirmDialog
          title={t('problemTitle')}
          isOpen
          onClose={() => setProblem(undefined)}
          action={t('publishAnyway')}
          onConfirm={() => approve.mutate(true, { onSettled: () => setProblem(undefined) })}
          isPending={approve.isPending}
        >
          <p>{problem}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
