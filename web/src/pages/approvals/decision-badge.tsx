import { useFormatter, useNow, useTranslations } from 'use-intl'
import { Badge } from '#ui/layout/page.tsx'

interface DecisionProps {
  readonly status: 'pending' | 'approved' | 'rejected' | 'replaced'
  readonly by: string | null
  readonly at: string | null
  readonly reason: string | null
}

const variants = { pending: 'warn', approved: 'good', rejected: 'bad', replaced: 'neutral' } as const

/** The decision, who made it and why. */
export function Decision({ status, by, at, reason }: DecisionProps) {
  const t = useTranslations('approvals')
  const format = useFormatter()
  const now = useNow()
  if (status === 'pending') return null
  return (
    <div className="grid gap-1 text-[0.8125rem] text-muted">
      <p className="flex flex-wrap items-center gap-2">
        <Badge variant={variants[status]}>{t(`statuses.${status}`)}</Badge>
        <span>
          {t('decided', {
            by: by ?? t('operator'),
            when: at === null ? '' : format.relativeTime(new Date(at), now),
          })}
        </span>
      </p>
      {reason !== null && <p>{t('reasonGiven', { reason })}</p>}
    </div>
  )
}
