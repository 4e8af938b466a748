import { useTranslations } from 'use-intl'
import type { CampaignState } from '#records/campaigns/campaign-data.ts'
import { Badge, type BadgeVariant } from '#ui/layout/page.tsx'

const variants: Readonly<Record<CampaignState, BadgeVariant>> = {
  draft: 'neutral',
  scheduled: 'accent',
  active: 'good',
  paused: 'warn',
  ended: 'neutral',
}

export function CampaignBadge({ state }: { readonly state: CampaignState }) {
  const t = useTranslations('campaigns.states')
  return <Badge variant={variants[state]}>{t(state)}</Badge>
}
