import { useTranslations } from 'use-intl'
import { Badge, type BadgeLook } from '../../ui/page.tsx'
import type { CampaignState } from './campaign-data.ts'

const looks: Readonly<Record<CampaignState, BadgeLook>> = {
  draft: 'neutral',
  scheduled: 'accent',
  active: 'good',
  paused: 'warn',
  ended: 'neutral',
}

export function CampaignBadge({ state }: { readonly state: CampaignState }) {
  const t = useTranslations('campaigns.states')
  return <Badge look={looks[state]}>{t(state)}</Badge>
}
