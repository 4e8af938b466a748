// Narrows the list of people. Filters that are set stand as chips, which take them away.
import type { SmartField } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import type { PeopleFilters } from '#records/people/people-data.ts'
import { Icon } from '#ui/base/icon.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { PopoverButton } from '#ui/overlay/popover-button.tsx'

const FilterPanel = onDemand(() => import('./filter-panel.tsx'))

export interface PeopleFiltersProps {
  readonly fields: readonly SmartField[]
  readonly filters: PeopleFilters
  readonly onChange: (change: PeopleFilters) => void
}

export const useSignatureChoices = () =>
  useQuery({
    queryKey: ['signatures', 'choices'],
    queryFn: () => api.signatures.list({ limit: 100, sort: 'name' }),
  }).data ?? []

export const PeopleFilterButton = (props: PeopleFiltersProps) => {
  const t = useTranslations('people.filters')
  return (
    <PopoverButton icon="list-filter" label={t('title')}>
      <FilterPanel {...props} />
    </PopoverButton>
  )
}

/** The filters that are set, in words. */
export function PeopleFilterChips({ fields, filters, onChange }: PeopleFiltersProps) {
  const t = useTranslations('people.filters')
  const signatures = useSignatureChoices()
  const labelOf = (key: string | undefined) => fields.find(field => field.key === key)?.label ?? key ?? ''
  const { missing, field, value, signature, active, source } = filters
  const name = signatures.find(({ id }) => id === signature)?.name ?? '…'
  const chips: readonly (readonly [string, PeopleFilters] | false)[] = [
    !!missing && [t('chipMissing', { field: labelOf(missing) }), { missing: '' }],
    !!field && !!value && [t('chipValue', { field: labelOf(field), value }), { field: '', value: '' }],
    !!signature && [
      signature === 'none' ? t('noSignature') : t('chipSignature', { name }),
      { signature: '' },
    ],
    !!active && [active === 'yes' ? t('activeYes') : t('activeNo'), { active: '' }],
    !!source && [source === 'directory' ? t('sourceDirectory') : t('sourceManual'), { source: '' }],
  ]
  const activeChips = chips.filter(chip => chip !== false)
  if (activeChips.length === 0) return null
  return (
    <ul className="mb-3 flex flex-wrap gap-2" aria-label={t('title')}>
      {activeChips.map(([label, change]) => (
        <li key={label}>
          <button
            type="button"
            onClick={() => onChange(change)}
            aria-label={t('remove', { filter: label })}
            className="flex min-h-7 items-center gap-1.5 rounded-full bg-accent-soft ps-3 pe-2 text-[0.8125rem] font-medium text-accent hover:bg-sunken"
          >
            {label}
            <Icon name="x" size={13} />
          </button>
        </li>
      ))}
    </ul>
  )
}
