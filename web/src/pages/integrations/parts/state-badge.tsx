import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/page.tsx'
import { stateLooks, stateOf } from '../data.ts'

export function StateBadge({
  integration,
  isRunning = false,
}: {
  readonly integration: Integration
  readonly isRunning?: boolean
}) {
  const t = useTranslations('integrations')
  const state = stateOf(integration)
  if (isRunning && state !== 'held') return <Badge look="accent">{t('statuses.running')}</Badge>
  return <Badge look={stateLooks[state]}>{t(`statuses.${state}`)}</Badge>
}
