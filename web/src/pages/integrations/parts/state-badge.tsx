import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Badge } from '#ui/layout/page.tsx'
import { stateLooks, stateOf } from '../data.ts'
import { useRelayDomains } from '../relay/relay-notice.tsx'

export function StateBadge({
  integration,
  isRunning = false,
}: {
  readonly integration: Integration
  readonly isRunning?: boolean
}) {
  const t = useTranslations('integrations')
  // A relay without domains refuses all mail.
  const hasDomains = useRelayDomains(integration).length > 0
  const state = integration.kind === 'smtp_relay' && !hasDomains ? 'unfinished' : stateOf(integration)
  if (isRunning && state !== 'held') return <Badge variant="accent">{t('statuses.running')}</Badge>
  return <Badge variant={stateLooks[state]}>{t(`statuses.${state}`)}</Badge>
}
