import type { Content, PublicationRequestListItem } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { isSignoffError } from '#state/errors.ts'
import { Button } from '#ui/base/button.tsx'
import { Badge, LoadError, Notice, Skeleton } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { ComparedPicture } from './compared-picture.tsx'
import { Decision } from './decision-badge.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { useDecision } from './use-decision.ts'

interface PictureProps {
  readonly title: string
  readonly content: Content | null
  readonly emailId: string | undefined
  readonly queryKey: readonly unknown[]
}

function Picture({ title, content, emailId, queryKey }: PictureProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKey, emailId],
    queryFn: ({ signal }) =>
      api.content.preview(
        { content: content as Content, ...(emailId !== undefined && { email_id: emailId }) },
        { signal },
      ),
    enabled: content !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <ComparedPicture
      title={title}
      html={content === null ? null : data?.html}
      error={error}
      onRetry={() => void refetch()}
    />
  )
}

/** The first recipient, so that the pictures show values instead of placeholders. */
function useSample(signatureId: string) {
  return useQuery({
    queryKey: ['signatures', signatureId, 'sample'],
    queryFn: async () => (await api.signatures.recipients.list(signatureId, { limit: 1 }))[0] ?? null,
    staleTime: 300_000,
  })
}

/** The signature as it is and as it would be, drawn for one of its recipients. */
function RequestComparison({ id, signatureId }: { readonly id: string; readonly signatureId: string }) {
  const t = useTranslations('approvals')
  const { data, error, refetch } = useQuery({
    queryKey: ['publication_requests', id],
    queryFn: () => api.publicationRequests.get(id),
  })
  const sample = useSample(signatureId)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data || sample.isPending) return <Skeleton lines={5} />
  const emailId = sample.data?.id
  const isPending = data.status === 'pending'
  return (
    <div className="grid gap-2">
      <div className="grid gap-4 md:grid-cols-2">
        <Picture
          title={isPending ? t('live') : t('before')}
          content={data.before}
          emailId={emailId}
          queryKey={['publication_requests', id, 'before', data.updated_at]}
        />
        <Picture
          title={t('after')}
          content={data.after}
          emailId={emailId}
          queryKey={['publication_requests', id, 'after']}
        />
      </div>
      {sample.data && <p className="text-xs text-muted">{t('shownFor', { address: sample.data.address })}</p>}
    </div>
  )
}

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
