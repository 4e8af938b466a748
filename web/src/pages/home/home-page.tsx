import type { MarketingCampaign } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useChecklist } from '#api/checklist.ts'
import { api } from '#api/client.ts'
import { useCan, useMe } from '#api/session.ts'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { MetricChart } from '#ui/chart/metric-chart.tsx'
import { type Metric, MetricTiles } from '#ui/chart/metric-tiles.tsx'
import { wholeWeeks } from '#ui/form/days.ts'
import { Badge, Card, LoadState, Page } from '#ui/layout/page.tsx'
import { AttentionCard } from './attention-card.tsx'
import { ChangesCard } from './changes-card.tsx'
import { ChecklistCard, useVisibleSteps } from './checklist-card.tsx'

// The last 30 days and as many days 5 weeks earlier, as days in UTC, which is how the API counts.
const dayMilliseconds = 86_400_000

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * dayMilliseconds).toISOString().slice(0, 10)

const lastDays = () => ({
  start_date: dayBefore(29),
  end_date: dayBefore(0),
  interval: 'day' as const,
})

const daysBefore = () => ({
  start_date: dayBefore(29 + wholeWeeks(30)),
  end_date: dayBefore(wholeWeeks(30)),
  interval: 'day' as const,
})

const overviewOf = (period: ReturnType<typeof lastDays>) => ({
  queryKey: ['analytics', 'overview', period],
  queryFn: () => api.analytics.overview(period),
  staleTime: 60_000,
  placeholderData: keepPreviousData,
})

const day = { day: 'numeric', month: 'short' } as const

/** Views and clicks of 30 days, beside those of the same weekdays before. */
function NumbersCard() {
  const t = useTranslations('home.numbers')
  const [metric, setMetric] = useState<Metric>('views')
  const { data: now, error, refetch } = useQuery(overviewOf(lastDays()))
  const { data: before } = useQuery(overviewOf(daysBefore()))
  return (
    <Card
      title={t('title')}
      about={t('about')}
      actions={<TextLink to="/analytics">{t('toAnalytics')}</TextLink>}
    >
      <LoadState query={{ data: now, error, refetch }} lines={6} />
      {now && (
        <>
          <MetricTiles now={now.totals} before={before?.totals} chosen={metric} onChoose={setMetric} />
          <MetricChart
            metric={metric}
            now={now}
            before={before}
            beforeLabel={t('before')}
            intervalLabel={t('day')}
            axisDate={day}
            pointDate={{ ...day, weekday: 'short' }}
            height={180}
          />
        </>
      )}
    </Card>
  )
}

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

/** Campaigns that run now, and the next that start. */
function CampaignsCard() {
  const t = useTranslations('home.campaigns')
  const { data, error, refetch } = useQuery({ queryKey: ['campaigns', 'home'], queryFn: loadCampaigns })
  return (
    <Card title={t('title')} actions={<TextLink to="/campaigns">{t('all')}</TextLink>}>
      <LoadState query={{ data, error, refetch }} />
      {data?.length === 0 && <p className="text-muted">{t('none')}</p>}
      <ul className="-my-1 grid">
        {data?.map(campaign => (
          <Row key={campaign.id} campaign={campaign} />
        ))}
      </ul>
    </Card>
  )
}

function Dashboard() {
  const t = useTranslations('home')
  const { account } = useMe()
  const can = useCan()
  const { data: checklist } = useChecklist()
  const steps = useVisibleSteps()
  const isDismissed = checklist?.isDismissed === true
  const isComplete = steps.every(step => checklist?.done[step])
  const showsChecklist = !isComplete && can('signatures:write') && !isDismissed
  const isLive = checklist?.done.publish ?? true
  return (
    <Page title={t('greeting', { name: account.name.split(' ')[0] ?? account.name })}>
      <div className="grid gap-4">
        {checklist && showsChecklist && <ChecklistCard checklist={checklist} />}
        {(isLive || isDismissed) && (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="grid min-w-0 gap-4">
              <AttentionCard />
              <NumbersCard />
            </div>
            <div className="grid min-w-0 gap-4">
              <CampaignsCard />
              {can('audit_log:read') && <ChangesCard />}
            </div>
          </div>
        )}
      </div>
    </Page>
  )
}

/** Members have no work here: their page is their own signature. */
export default function HomePage() {
  return useMe().member.role === 'member' ? <Navigate to={'/me' as string} replace /> : <Dashboard />
}
