import type { PublicationRequestListItem } from '@signoff/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { useMe } from '#api/session.tsx'
import { Button } from '#ui/button.tsx'
import { Badge, Notice } from '#ui/page.tsx'
import { Decision } from './decision-badge.tsx'
import { RequestButtons } from './request-buttons.tsx'
import { RequestComparison } from './request-comparison.tsx'

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
