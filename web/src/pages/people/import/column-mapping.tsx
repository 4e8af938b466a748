import type { Import, SmartFieldInput } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { isComputedField, useSmartFields } from '#records/people/people-data.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Icon } from '#ui/base/icon.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Select } from '#ui/form/select.tsx'

/** For each column: `email`, the key of a field, or null for a column that is left out. */
export type Mapping = Readonly<Record<string, string | null>>

interface ColumnMappingProps {
  readonly file: Import
  readonly mapping: Mapping
  readonly onChange: (mapping: Mapping) => void
}

const leftOut = '-'
const newField = '+'

type Column = Import['columns'][number]

/** The kind that all examples look like. */
function kindOf({ examples }: Column): SmartFieldInput['kind'] {
  const all = (pattern: RegExp) => examples.length > 0 && examples.every(example => pattern.test(example))
  if (all(/^https?:\/\//)) return 'url'
  if (all(/^\S+@\S+$/)) return 'email'
  return all(/^[+(\d][\d\s()/.-]{5,}$/) ? 'phone' : 'text'
}

/** Makes a field with the name of the column. */
function useNewField(onCreated: (column: string, key: string) => void) {
  const t = useTranslations('people.import')
  const messageOf = useMessageOf()
  return useMutation({
    mutationFn: (column: Column) =>
      api.smartFields.create({ label: column.name.slice(0, 80), kind: kindOf(column) }),
    onSuccess: async ({ key, label }, column) => {
      await queryClient.invalidateQueries({ queryKey: ['smart_fields'] })
      toast(t('fieldMade', { field: label }))
      onCreated(column.name, key)
    },
    onError: error => toastError(t('fieldNotMade'), messageOf(error)),
  })
}

export function ColumnMapping({ file, mapping, onChange }: ColumnMappingProps) {
  const t = useTranslations('people.import')
  const fields = useSmartFields().filter(field => !isComputedField(field))
  const canCreate = useCan()('smart_fields:write')
  const options = [
    { id: leftOut, label: t('leaveOut') },
    { id: 'email', label: t('address') },
    ...fields.map(({ key, label }) => ({ id: key, label })),
    ...(canCreate ? [{ id: newField, label: t('newField') }] : []),
  ]
  const create = useNewField((column, key) => onChange({ ...mapping, [column]: key }))
  /** Each value comes from one column: the other one that had it is left out. */
  const choose = (column: string, id: string) => {
    const chosen = file.columns.find(({ name }) => name === column)
    if (id === newField && chosen) return create.mutate(chosen)
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
            isDisabled={create.isPending}
            options={options}
          />
        </li>
      ))}
    </ul>
  )
}
