// The single events behind a number, newest first.
import type { RecordedEvent } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { nameOfTeammate } from '#api/teammates.ts'
import { EmptyState } from '#ui/layout/page.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { listPageOf } from '#ui/table/list-page.ts'
import { type VirtualColumn, VirtualTable } from '#ui/table/virtual-table.tsx'
import { type AnalyticsState, apiFilterOf, type FilterName } from '../analytics-state.ts'
import { useRowLabel } from '../breakdown/use-row-label.ts'

export interface ShownEvents {
  readonly name: '$view' | '$click'
  /** A row of a breakdown, in addition to the filters of the page. */
  readonly filter?: readonly [FilterName, string]
  readonly label?: string
}

interface EventsDialogProps {
  readonly events: ShownEvents
  readonly state: AnalyticsState
  readonly onClose: () => void
}

/** People, signatures and campaigns that exist no more have no name here. */
function NameOf({
  kind,
  id,
}: {
  readonly kind: 'person' | 'signature' | 'campaign'
  readonly id: string | null
}) {
  const { data } = useQuery({
    queryKey: ['analytics', 'name', kind, id],
    queryFn: async () => {
      if (kind === 'person') {
        const fields = await queryClient.ensureQueryData(smartFieldsQuery)
        return nameOfTeammate(await api.teammates.get(id as string), fields)
      }
      if (kind === 'signature') return (await api.signatures.get(id as string)).name
      return (await api.marketingCampaigns.get(id as string)).name
    },
    enabled: id !== null,
    staleTime: 300_000,
  })
  return <>{data ?? '–'}</>
}

/** A breakdown that is limited to one link has one row, with its name. */
function LinkName({ id }: { readonly id: string }) {
  const labelOf = useRowLabel('link')
  const { data: rows } = useQuery({
    queryKey: ['analytics', 'label', 'link', id],
    queryFn: async () =>
      await api.analytics.breakdown({
        start_date: '2000-01-01',
        dimension: 'anchor',
        limit: 1,
        ...apiFilterOf('link', id),
      }),
    staleTime: 300_000,
  })
  return <>{labelOf({ id, label: rows?.[0]?.label ?? id })}</>
}

function useEventColumns(): VirtualColumn<RecordedEvent>[] {
  const t = useTranslations('analytics')
  const format = useFormatter()
  const countryOf = useRowLabel('country')
  return [
    {
      id: 'time',
      title: t('time'),
      width: 'minmax(9rem, 1.2fr)',
      cell: ({ recorded_at }) =>
        format.dateTime(new Date(recorded_at), { dateStyle: 'medium', timeStyle: 'medium' }),
    },
    {
      id: 'person',
      title: t('dimensions.person'),
      width: 'minmax(7rem, 1.2fr)',
      cell: ({ teammate_uuid }) => <NameOf kind="person" id={teammate_uuid} />,
    },
    {
      id: 'signature',
      title: t('dimensions.signature'),
      width: 'minmax(7rem, 1.2fr)',
      isSecondary: true,
      cell: ({ signature_template_uuid }) => <NameOf kind="signature" id={signature_template_uuid} />,
    },
    {
      id: 'campaign',
      title: t('dimensions.campaign'),
      width: 'minmax(6rem, 1fr)',
      isSecondary: true,
      cell: ({ marketing_campaign_uuid }) => <NameOf kind="campaign" id={marketing_campaign_uuid} />,
    },
    {
      id: 'link',
      title: t('dimensions.link'),
      width: 'minmax(5rem, 0.8fr)',
      isSecondary: true,
      cell: ({ anchor_uuid }) => (anchor_uuid === null ? '–' : <LinkName id={anchor_uuid} />),
    },
    {
      id: 'country',
      title: t('dimensions.country'),
      width: 'minmax(5rem, 0.8fr)',
      isSecondary: true,
      cell: ({ country_code: code }) => (code === null ? '–' : countryOf({ id: code, label: code })),
    },
  ]
}

export default function EventsDialog({ events, state, onClose }: EventsDialogProps) {
  const t = useTranslations('analytics')
  const columns = useEventColumns()
  const asked = {
    ...state.period,
    ...state.query,
    ...(events.filter && apiFilterOf(...events.filter)),
    name: events.name,
  }
  const what = events.name === '$view' ? t('views') : t('clicks')
  return (
    <Dialog
      title={events.label === undefined ? what : t('eventsTitle', { what, name: events.label })}
      onClose={onClose}
      size="large"
    >
      <p className="mb-3 text-muted">{t('eventsAbout')}</p>
      <VirtualTable<RecordedEvent>
        label={what}
        columns={columns}
        queryKey={['analytics', 'events', asked]}
        loadPage={(page, limit, signal) =>
          listPageOf(api.analytics.events.list({ ...asked, page, limit }, { signal }))
        }
        keyOf={({ id }) => id}
        empty={<EmptyState icon="inbox" title={t('noEvents')} />}
        rowHeight={40}
      />
    </Dialog>
  )
}
