import type { MarketingCampaign } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { campaignPath } from '#records/campaigns/campaign-data.ts'
import { type Column, Table } from '#ui/table.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { CampaignMenu } from './campaign-menu.tsx'
import { CampaignBadge } from './state-badge.tsx'
import { useCampaignTimes } from './use-times.ts'

export function CampaignTable({ campaigns }: { readonly campaigns: readonly MarketingCampaign[] }) {
  const t = useTranslations('campaigns')
  const timesOf = useCampaignTimes()
  const columns: Column<MarketingCampaign>[] = [
    {
      id: 'name',
      title: t('name'),
      cell: ({ id, name }) => <TextLink to={campaignPath(id)}>{name}</TextLink>,
    },
    { id: 'state', title: t('state'), cell: ({ status }) => <CampaignBadge state={status} /> },
    { id: 'times', title: t('runs'), cell: timesOf, isSecondary: true },
    {
      id: 'banners',
      title: t('banners'),
      isNumber: true,
      isSecondary: true,
      cell: ({ variants, content }) => variants.length || (content ? 1 : 0),
    },
    {
      id: 'menu',
      title: t('more'),
      isTitleHidden: true,
      isNumber: true,
      cell: campaign => <CampaignMenu campaign={campaign} />,
    },
  ]
  return <Table label={t('title')} columns={columns} rows={campaigns} keyOf={({ id }) => id} />
}
