import type { PublicationRequestListItem } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMessageOf } from '#state/error-texts.ts'
import { isSignoffError } from '#state/errors.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { useDecision } from './use-decision.ts'

/** 422: the check of the signature found errors, which an approver can overrule. */
const isCheckError = (error: unknown): boolean => isSignoffError(error) && error.status === 422

export function RequestButtons({ request }: { readonly request: PublicationRequestListItem }) {
  const t = useTranslations('approvals')
  const messageOf = useMessageOf()
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
  return (
    <>
      <DecisionButtons
        resource="publication_requests"
        {...(!request.stale && {
          approve: {
            label: t('approvePublish'),
            isPending: approve.isPending,
            run: () => approve.mutate(false),
          },
        })}
        reject={body => api.publicationRequests.reject(request.id, body)}
        rejectTitle={t('rejectRequestTitle', { name: request.signature_name })}
        rejectText={t('rejectRequestText', { name: request.requested_by.name ?? t('someone') })}
      />
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
    </>
  )
}
