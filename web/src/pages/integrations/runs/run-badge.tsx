import type { SyncRunSummary } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Badge, type BadgeLook } from '#ui/layout/page.tsx'

const looks: Readonly<Record<SyncRunSummary['status'], BadgeLook>> = {
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
    <Badge look={isPreview ? 'neutral' : looks[run.status]}>
      {isPreview ? t('preview') : t(`statuses.${run.status}`)}
    </Badge>
  )
}
