// Campaigns that run now, and the next that start.
import type { MarketingCampaign } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { Badge, Card, LoadError, Skeleton } from '#ui/layout/page.tsx'

async function loadCampaigns(): Promise<readonly MarketingCampaign[]> {
  const [active, scheduled] = await Promise.all([
    api.marketingCampaigns.list({ status: 'active', limit: 5 }),
    api.marketingCampaigns.list({ status: 'scheduled', limit: 3 }),
  ])
  return [...active, ...scheduled]
}

const Row = ({ campaign }: { readonly campaign: MarketingCampaign }) => {
  const t = useTranslations('home.campaigns')
  const format = useFormatter()
  const { id, name, status, start_time: start, end_time: end } = campaign
  const day = (time: string) =>
    format.dateTime(new Date(time), { day: 'numeric', month: 'short', year: 'numeric' })
  const times = {
    active: end === null ? t('noEnd') : t('until', { day: day(end) }),
    scheduled: start === null ? t('soon') : t('from', { day: day(start) }),
  }
  return (
    <li>
      <PathLink
        to={`/campaigns/${id}`}
        className="-mx-2 flex items-center gap-3 rounded-xl px-2 py-2 hover:bg-sunken"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{name}</span>
          <span className="block text-[0.8125rem] text-muted">
            {status === 'active' ? times.active : times.scheduled}
          </span>
        </span>
        <Badge variant={status === 'active' ? 'good' : 'neutral'}>
          {status === 'active' ? t('running') : t('planned')}
        </Badge>
      </PathLink>
    </li>
  )
}

export function CampaignsCard() {
  const t = useTranslations('home.campaigns')
  const { data, error, refetch } = useQuery({ queryKey: ['campaigns', 'home'], queryFn: loadCampaigns })
  return (
    <Card title={t('title')} actions={<TextLink to="/campaigns">{t('all')}</TextLink>}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data?.length === 0 && <p className="text-muted">{t('none')}</p>}
      <ul className="-my-1 grid">
        {data?.map(campaign => (
          <Row key={campaign.id} campaign={campaign} />
        ))}
      </ul>
    </Card>
  )
}
