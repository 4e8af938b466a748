import type { MarketingCampaign, ReachedAddress } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { signatureNamesQuery } from '#records/campaigns/campaign-data.ts'
import { listPageOf } from '#ui/list-page.ts'
import { EmptyState } from '#ui/page.tsx'
import { type VirtualColumn, VirtualTable } from '#ui/virtual-table.tsx'

export function AudienceTable({ campaign }: { readonly campaign: MarketingCampaign }) {
  const t = useTranslations('campaigns.audience')
  const navigate = useNavigate()
  const { data: signatures = [] } = useQuery(signatureNamesQuery)
  const columns: VirtualColumn<ReachedAddress>[] = [
    { id: 'address', title: t('address'), width: 'minmax(10rem, 2fr)', cell: ({ address }) => address },
    {
      id: 'signature',
      title: t('signature'),
      width: 'minmax(8rem, 1.5fr)',
      isSecondary: true,
      cell: ({ signature_id }) => signatures.find(({ id }) => id === signature_id)?.name ?? '…',
    },
  ]
  if (campaign.variants.length > 0)
    columns.push({
      id: 'variant',
      title: t('variant'),
      width: 'minmax(6rem, 1fr)',
      cell: ({ variant_id }) => campaign.variants.find(({ id }) => id === variant_id)?.name ?? '–',
    })
  return (
    <VirtualTable<ReachedAddress>
      label={t('list')}
      columns={columns}
      queryKey={['campaigns', 'audience', campaign.id, 'rows', campaign.updated_at]}
      loadPage={(page, limit, signal) =>
        listPageOf(api.marketingCampaigns.audience(campaign.id, { page, limit }, { signal }))
      }
      keyOf={({ id }) => id}
      onOpen={({ teammate_id }) => void navigate({ to: `/people/${teammate_id}` })}
      empty={<EmptyState icon="users" title={t('none')} />}
      rowHeight={44}
    />
  )
}
