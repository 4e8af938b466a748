import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan, useMe } from '#api/session.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { MetricChart } from '#ui/chart/metric-chart.tsx'
import { MetricTiles } from '#ui/chart/metric-tiles.tsx'
import { DownloadButton } from '#ui/feedback/download-button.tsx'
import { FilterSelect } from '#ui/form/filter-select.tsx'
import { Card, EmptyState, LoadState, Notice, Page } from '#ui/layout/page.tsx'
import {
  type AnalyticsPeriod,
  type AnalyticsState,
  type RangePreset,
  rangePresets,
  useAnalyticsState,
} from './analytics-state.ts'
import { BreakdownCard, type BreakdownCardProps } from './breakdown/breakdown-card.tsx'
import { useRowLabel } from './breakdown/use-row-label.ts'
import type { ShownEvents } from './events/events-dialog.tsx'
import { FilterChips } from './filter-chips.tsx'

// Views, clicks and rate with their change, and the chosen one as a line beside that of the period before.

const overviewQuery = ({ interval, query }: AnalyticsState, period: AnalyticsPeriod) => ({
  queryKey: ['analytics', 'overview', period, interval, query],
  queryFn: () => api.analytics.overview({ ...period, ...query, interval }),
  staleTime: 60_000,
  placeholderData: keepPreviousData,
})

interface NumbersCardProps {
  readonly state: AnalyticsState
  readonly onEvents: (name: '$view' | '$click') => void
}

function AnalyticsNumbers({ state, onEvents }: NumbersCardProps) {
  const t = useTranslations('analytics')
  const { data: now, error, refetch } = useQuery(overviewQuery(state, state.period))
  const { data: before } = useQuery(overviewQuery(state, state.before))
  const isMonthly = state.interval === 'month'
  const date = {
    month: 'short',
    ...(isMonthly ? { year: 'numeric' as const } : { day: 'numeric' as const }),
  } as const
  return (
    <Card
      title={t('overTime')}
      about={t('comparedAbout')}
      actions={
        <>
          <Button isSmall variant="quiet" icon="eye" onPress={() => onEvents('$view')}>
            {t('showViews')}
          </Button>
          <Button isSmall variant="quiet" icon="target" onPress={() => onEvents('$click')}>
            {t('showClicks')}
          </Button>
        </>
      }
    >
      <LoadState query={{ data: now, error, refetch }} lines={8} />
      {now && (
        <>
          <MetricTiles
            now={now.totals}
            before={before?.totals}
            chosen={state.metric}
            onChoose={metric => state.change({ metric: metric === 'views' ? undefined : metric })}
          />
          <MetricChart
            metric={state.metric}
            now={now}
            before={before}
            beforeLabel={t('before')}
            intervalLabel={t(`intervals.${state.interval}`)}
            axisDate={date}
            pointDate={{ ...date, year: 'numeric' }}
            height={240}
          />
        </>
      )}
    </Card>
  )
}

const CustomRange = onDemand(() => import('./custom-range.tsx'))
const EventsDialog = onDemand(() => import('./events/events-dialog.tsx'))

/** The range: one of the usual ones, or from day to day. */
function RangeBar({ state }: { readonly state: AnalyticsState }) {
  const t = useTranslations('analytics')
  const { preset, period, change } = state
  return (
    <div className="flex flex-wrap items-end gap-3">
      <FilterSelect<RangePreset>
        label={t('range')}
        value={preset}
        onChange={range =>
          change(
            range === 'custom'
              ? { range, from: period.start_date, to: period.end_date }
              : { range: range === 'month' ? undefined : range, from: undefined, to: undefined },
          )
        }
        options={rangePresets.map(id => ({ id, label: t(`ranges.${id}`) }))}
        className="w-44"
      />
      {preset === 'custom' && <CustomRange period={period} change={change} />}
    </div>
  )
}

/** All events of the range and of the filters, as the API writes them. */
function EventExportButton({ state }: { readonly state: AnalyticsState }) {
  const t = useTranslations('analytics')
  const { start_date, end_date } = state.period
  return (
    <DownloadButton
      name={`events-${start_date}-${end_date}.csv`}
      read={() => api.analytics.export({ ...state.period, ...state.query })}
    >
      {t('export')}
    </DownloadButton>
  )
}

const WorldMap = onDemand(() => import('#ui/chart/world-map.tsx'), <div className="aspect-2/1" />)

function CountryCard(props: Omit<BreakdownCardProps, 'name' | 'picture'>) {
  const t = useTranslations('analytics')
  const format = useFormatter()
  const labelOf = useRowLabel('country')
  const metric = props.state.metric === 'clicks' ? 'clicks' : 'views'
  const { data: overview } = useQuery(overviewQuery(props.state, props.state.period))
  return (
    <BreakdownCard
      {...props}
      name="country"
      totals={overview?.totals}
      picture={rows => (
        <WorldMap
          label={t('map')}
          onOpen={code => props.state.change({ country: code })}
          values={rows.map(row => ({
            code: row.id,
            value: row[metric],
            text: `${labelOf(row)}: ${format.number(row[metric])} ${t(metric)}`,
          }))}
        />
      )}
    />
  )
}

/** True if a view or click was ever counted in the workspace. */
const everCountedQuery = {
  queryKey: ['analytics', 'ever'],
  queryFn: async () => {
    const { totals } = await api.analytics.overview({ start_date: '2000-01-01', interval: 'month' })
    return totals.views + totals.clicks > 0
  },
  staleTime: 60_000,
}

export default function AnalyticsPage() {
  const t = useTranslations('analytics')
  const canRead = useCan()('analytics:read')
  const { data: hasNumbers } = useQuery({ ...everCountedQuery, enabled: canRead })
  return (
    <Page title={t('title')} about={t('about')} isWide={false}>
      {!canRead && <Notice>{t('notAllowed')}</Notice>}
      {canRead && <TrackingNotice hasNumbers={hasNumbers} />}
      {canRead && hasNumbers === false && (
        <EmptyState
          icon="chart-column"
          title={t('emptyTitle')}
          action={
            <LinkButton to="/signatures" variant="primary">
              {t('toSignatures')}
            </LinkButton>
          }
        >
          {t('emptyText')}
        </EmptyState>
      )}
      {canRead && hasNumbers && <AnalyticsContent />}
    </Page>
  )
}

function TrackingNotice({ hasNumbers }: { readonly hasNumbers: boolean | undefined }) {
  const t = useTranslations('analytics')
  const { workspace } = useMe()
  if (workspace.event_tracking.enabled || hasNumbers === undefined) return null
  return (
    <div className="mb-5">
      <Notice kind="warn">
        {t('trackingOff')}{' '}
        <TextLink to="/settings/workspace" className="text-warn underline">
          {t('switchOn')}
        </TextLink>
      </Notice>
    </div>
  )
}

function AnalyticsContent() {
  const t = useTranslations('analytics')
  const state = useAnalyticsState()
  const [events, setEvents] = useState<ShownEvents>()
  return (
    <>
      <div className="mb-5 flex flex-wrap items-end justify-between gap-3">
        <RangeBar state={state} />
        <EventExportButton state={state} />
      </div>
      <FilterChips state={state} />
      <div className="grid grid-cols-1 gap-6">
        <AnalyticsNumbers state={state} onEvents={name => setEvents({ name })} />
        <CountryCard state={state} onEvents={setEvents} />
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
          <BreakdownCard name="signature" state={state} onEvents={setEvents} />
          <BreakdownCard name="campaign" state={state} onEvents={setEvents} />
          <BreakdownCard name="person" state={state} onEvents={setEvents} />
          <BreakdownCard name="link" state={state} onEvents={setEvents} />
        </div>
        <p className="text-[0.8125rem] text-muted">{t('utc')}</p>
      </div>
      {events && <EventsDialog events={events} state={state} onClose={() => setEvents(undefined)} />}
    </>
  )
}
