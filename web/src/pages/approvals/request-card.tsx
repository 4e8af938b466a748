import type { PublicationRequestListItem } from '@signoff/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMe } from '#api/session.tsx'
import { useMessageOf } from '#state/error-messages.ts'
import { isSignoffError } from '#state/errors.ts'
import { Button } from '#ui/base/button.tsx'
import { Badge, Notice } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { Decision } from './decision-badge.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { RequestComparison } from './request-comparison.tsx'
import { useDecision } from './use-decision.ts'

/** 422: the check of the signature found errors, which an approver can overrule. */
const isCheckError = (error: unknown): boolean => isSignoffError(error) && error.status === 422

function RequestButtons({ request }: { readonly request: PublicationRequestListItem }) {
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

/** Why the person cannot decide; undefined: the person can. */
function useObstacle(request: PublicationRequestListItem): 'own' | 'role' | undefined {
  const { member } = useMe()
  if (request.requested_by.member_id === member.id) return 'own'
  return member.role === 'owner' || member.role === 'admin' ? undefined : 'role'
}

export function RequestCard({ request }: { readonly request: PublicationRequestListItem }) {
  const t = useTranslations('approvals')
  const format = useFormatter()
  const now = useNow()
  const obstacle = useObstacle(request)
  const isPending = request.status === 'pending'
  const [isOpen, setOpen] = useState(isPending)
  return (
    <li className="grid gap-4 rounded-2xl border border-line bg-card p-4">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="flex flex-wrap items-center gap-2 font-medium">
            <Link
              to={`/signatures/${request.signature_id}` as string}
              className="hover:text-accent hover:underline"
            >
              {request.signature_name}
            </Link>
            {request.kind !== 'primary' && <Badge>{t(`kinds.${request.kind}`)}</Badge>}
          </h3>
          <p className="text-[0.8125rem] text-muted">
            {t('requested', {
              name: request.requested_by.name ?? t('someone'),
              when: format.relativeTime(new Date(request.created_at), now),
            })}
          </p>
        </div>
        {isPending && obstacle === undefined && <RequestButtons request={request} />}
        {!isPending && (
          <Button isSmall icon="eye" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
            {t(isOpen ? 'hidePictures' : 'showPictures')}
          </Button>
        )}
      </div>
      {isPending && request.stale && <Notice kind="warn">{t('stale')}</Notice>}
      {isPending && obstacle !== undefined && <Notice>{t(`obstacles.${obstacle}`)}</Notice>}
      {isOpen && <RequestComparison id={request.id} signatureId={request.signature_id} />}
      <Decision
        status={request.status}
        by={request.decided_by?.name ?? null}
        at={request.decided_at}
        reason={request.reason}
      />
    </li>
  )
}
