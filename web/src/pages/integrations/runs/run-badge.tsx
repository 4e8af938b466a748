import type { SyncRunSummary } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Badge, type BadgeVariant } from '#ui/layout/page.tsx'

const variants: Readonly<Record<SyncRunSummary['status'], BadgeVariant>> = {
  running: 'accent',
  succeeded: 'good',
  held: 'warn',
  approved: 'good',
  superseded: 'neutral',
  failed: 'bad',
}

export const RunBadge = ({ run }: { readonly run: Pick<SyncRunSummary, 'status' | 'kind'> }) => {
  const t = useTranslations('integrations.runs')
  const isPreview = run.kind === 'dry' && run.status === 'succeeded'
  return (
    <Badge variant={isPreview ? 'neutral' : variants[run.status]}>
      {isPreview ? t('preview') : t(`statuses.${run.status}`)}
    </Badge>
  )
}
