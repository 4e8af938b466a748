import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { Icon } from '#ui/base/icon.tsx'
import { type AnalyticsState, apiFilterOf, dimensionOf, type FilterName } from './analytics-state.ts'
import { useRowLabel } from './breakdown/use-row-label.ts'

/** The filters that are set; each can be removed. */
export function FilterChips({ state }: { readonly state: AnalyticsState }) {
  const t = useTranslations('analytics')
  const entries = Object.entries(state.filters) as [FilterName, string][]
  if (entries.length === 0) return null
  return (
    <ul aria-label={t('filters')} className="mb-5 flex flex-wrap gap-2">
      {entries.map(([name, value]) => (
        <li key={name}>
          <FilterChip name={name} value={value} onRemove={() => state.change({ [name]: undefined })} />
        </li>
      ))}
    </ul>
  )
}

interface FilterChipProps {
  readonly name: FilterName
  readonly value: string
  readonly onRemove: () => void
}

function FilterChip({ name, value, onRemove }: FilterChipProps) {
  const t = useTranslations('analytics')
  const labelOf = useRowLabel(name)
  const { data: rows } = useQuery({
    queryKey: ['analytics', 'label', name, value],
    // A breakdown that is limited to one thing has one row, with its name.
    queryFn: async () =>
      await api.analytics.breakdown({
        start_date: '2000-01-01',
        dimension: dimensionOf[name],
        limit: 1,
        ...apiFilterOf(name, value),
      }),
    enabled: name !== 'country',
    staleTime: 60_000,
  })
  const label = labelOf({ id: value, label: rows?.[0]?.label ?? value })
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded-full bg-accent-soft py-0.5 ps-3 pe-1 text-[0.8125rem] font-medium text-accent">
      <span className="truncate">{`${t(`dimensions.${name}`)}: ${label}`}</span>
      <button
        type="button"
        aria-label={t('removeFilter', { name: label })}
        onClick={onRemove}
        className="grid size-6 place-items-center rounded-full hover:bg-card"
      >
        <Icon name="x" size={13} />
      </button>
    </span>
  )
}
