import type { MarketingCampaign } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import {
  type CampaignState,
  campaignPath,
  campaignStates,
  campaignsQuery,
} from '#records/campaigns/campaign-data.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { SearchField } from '#ui/form/field.tsx'
import { FilterSelect } from '#ui/form/filter-select.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { EmptyState, LoadState, Page } from '#ui/layout/page.tsx'
import { type Column, Table } from '#ui/table/table.tsx'
import { CampaignMenu } from './campaign-menu.tsx'
import { CampaignBadge } from './state-badge.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { isPlanned, type TimelineZoom, timelineZooms } from './timeline/timeline-scale.ts'
import { useCampaignTimes } from './use-times.ts'

const NewCampaign = onDemand(() => import('./create/new-campaign.tsx'))

function CampaignTable({ campaigns }: { readonly campaigns: readonly MarketingCampaign[] }) {
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

const views = ['timeline', 'list'] as const
type CampaignsView = (typeof views)[number]

const stateChoices = ['all', ...campaignStates] as const

export default function CampaignsPage() {
  const t = useTranslations('campaigns')
  const canWrite = useCan()('marketing_campaigns:write')
  const [isCreating, setIsCreating] = useState(false)
  const { data, error, refetch } = useQuery(campaignsQuery)
  const create = canWrite && (
    <Button variant="primary" icon="plus" onPress={() => setIsCreating(true)}>
      {t('new')}
    </Button>
  )
  return (
    <Page title={t('title')} about={t('about')} actions={data && data.length > 0 && create}>
      <LoadState query={{ data, error, refetch }} lines={6} />
      {data?.length === 0 && (
        <EmptyState icon="megaphone" title={t('emptyTitle')} action={create}>
          {t('emptyText')}
        </EmptyState>
      )}
      {data && data.length > 0 && <CampaignViews campaigns={data} />}
      {isCreating && <NewCampaign onClose={() => setIsCreating(false)} />}
    </Page>
  )
}

type Campaigns = Awaited<ReturnType<typeof campaignsQuery.queryFn>>

function CampaignViews({ campaigns }: { readonly campaigns: Campaigns }) {
  const t = useTranslations('campaigns')
  const [address, setAddress] = useAddressState<'view' | 'zoom' | 'state' | 'search'>()
  const view: CampaignsView = address.view === 'list' ? 'list' : 'timeline'
  const zoom: TimelineZoom = address.zoom === 'month' ? 'month' : 'quarter'
  const state = campaignStates.find(each => each === address.state)
  const search = (address.search ?? '').toLowerCase()
  const matches = campaigns.filter(
    ({ status, name }) => (state === undefined || status === state) && name.toLowerCase().includes(search),
  )
  const unplanned = matches.filter(each => !isPlanned(each))
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Segments<CampaignsView>
          label={t('view')}
          value={view}
          onChange={id => setAddress({ view: id === 'list' ? 'list' : undefined })}
          options={[
            { id: 'timeline', label: t('timeline'), icon: 'chart-gantt' },
            { id: 'list', label: t('list'), icon: 'list' },
          ]}
        />
        {view === 'timeline' && (
          <Segments<TimelineZoom>
            label={t('zoom')}
            value={zoom}
            onChange={id => setAddress({ zoom: id === 'quarter' ? undefined : id })}
            options={timelineZooms.map(id => ({ id, label: t(`zooms.${id}`) }))}
          />
        )}
        <FilterSelect<CampaignState | 'all'>
          label={t('state')}
          value={state ?? 'all'}
          onChange={id => setAddress({ state: id === 'all' ? undefined : id })}
          options={stateChoices.map(id => ({ id, label: t(`states.${id}`) }))}
          className="w-40"
        />
        <SearchField
          label={t('search')}
          value={address.search ?? ''}
          onChange={text => setAddress({ search: text })}
          className="w-full sm:ms-auto sm:w-56"
        />
      </div>
      {matches.length === 0 && <EmptyState icon="search" title={t('noneFound')} />}
      {matches.length > 0 && view === 'list' && <CampaignTable campaigns={matches} />}
      {view === 'timeline' && matches.some(isPlanned) && (
        <Timeline campaigns={matches.filter(isPlanned)} zoom={zoom} />
      )}
      {view === 'timeline' && unplanned.length > 0 && (
        <section className="mt-8" aria-labelledby="unplanned">
          <h2 id="unplanned" className="mb-3 text-base font-semibold">
            {t('unplanned')}
          </h2>
          <CampaignTable campaigns={unplanned} />
        </section>
      )}
    </>
  )
}
