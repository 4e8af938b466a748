import type { Import } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Icon } from '../../../ui/icon.tsx'
import { Select } from '../../../ui/select.tsx'
import { isComputedField, useSmartFields } from '../people-data.ts'

/** For each column: `email`, the key of a field, or null for a column that is left out. */
export type Mapping = Readonly<Record<string, string | null>>

interface ColumnMappingProps {
  readonly file: Import
  readonly mapping: Mapping
  readonly onChange: (mapping: Mapping) => void
}

const leftOut = '-'

export function ColumnMapping({ file, mapping, onChange }: ColumnMappingProps) {
  const t = useTranslations('people.import')
  const fields = useSmartFields().filter(field => !isComputedField(field))
  const options = [
    { id: leftOut, label: t('leaveOut') },
    { id: 'email', label: t('address') },
    ...fields.map(({ key, label }) => ({ id: key, label })),
  ]
  /** Each value comes from one column: the other one that had it is left out. */
  const choose = (column: string, id: string) => {
    const others = Object.entries(mapping).map(([name, used]) => [name, used === id ? null : used])
    onChange({ ...Object.fromEntries(others), [column]: id === leftOut ? null : id })
  }
  return (
    <ul className="divide-y divide-line">
      {file.columns.map(({ name, examples }) => (
        <li key={name} className="grid items-center gap-x-4 gap-y-2 py-3 sm:grid-cols-[1fr_auto_16rem]">
          <div className="min-w-0">
            <p className="font-medium">{name}</p>
            <p className="truncate text-[0.8125rem] text-muted">{examples.join(' · ') || t('noValues')}</p>
          </div>
          <Icon name="arrow-right" className="text-muted max-sm:hidden rtl:rotate-180" />
          <Select
            label={t('columnTo', { column: name })}
            isLabelHidden
            value={mapping[name] ?? leftOut}
            onChange={id => choose(name, id)}
            options={options}
          />
        </li>
      ))}
    </ul>
  )
}
