import { useTranslations } from 'use-intl'
import type { CampaignState } from '#records/campaigns/campaign-data.ts'
import { Badge, type BadgeLook } from '#ui/layout/page.tsx'

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
