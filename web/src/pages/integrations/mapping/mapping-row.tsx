import type { IntegrationAttribute, SmartField } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Icon } from '#ui/base/icon.tsx'
import { Select } from '#ui/form/select.tsx'
import { Badge } from '#ui/layout/page.tsx'

const notUsed = '-'
const newField = '+'

interface MappingRowProps {
  readonly attribute: IntegrationAttribute
  /** The fields that the attribute can fill. */
  readonly options: readonly SmartField[]
  /** The fields that it fills. */
  readonly mapped: readonly SmartField[]
  readonly sourceOf: (field: SmartField) => string | undefined
  readonly isReadOnly: boolean
  readonly isPending: boolean
  readonly onChoose: (field: SmartField | null) => void
  readonly onCreate: () => void
}

export function MappingRow(props: MappingRowProps) {
  const { attribute, options, mapped, sourceOf, isReadOnly, isPending, onChoose, onCreate } = props
  const t = useTranslations('integrations.mapping')
  const { label, attribute: path, examples, people_count: people } = attribute
  const [first, ...others] = mapped
  const choose = (id: string) => {
    if (id === newField) return onCreate()
    const field = options.find(option => option.id === id) ?? null
    if (field?.id !== first?.id) onChoose(field)
  }
  return (
    <li className="grid items-center gap-x-4 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_auto_16rem]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {label}
          {label !== path && <code className="text-xs font-normal break-all text-muted">{path}</code>}
        </p>
        <p className="truncate text-[0.8125rem] text-muted">
          {examples.length > 0
            ? examples.join(' · ')
            : people > 0
              ? t('people', { count: people })
              : t('noValues')}
        </p>
      </div>
      <Icon name="arrow-right" className="text-muted max-sm:hidden rtl:rotate-180" />
      <div>
        {isReadOnly ? (
          <p className={first ? 'font-medium' : 'text-muted'}>{first?.label ?? t('notUsed')}</p>
        ) : (
          <Select
            label={t('fieldOf', { attribute: label })}
            isLabelHidden
            value={first?.id ?? notUsed}
            onChange={choose}
            isDisabled={isPending}
            options={[
              { id: notUsed, label: t('notUsed') },
              ...options.map(field => {
                const source = sourceOf(field)
                return { id: field.id, label: field.label, ...(source !== undefined && { hint: source }) }
              }),
              { id: newField, label: t('newOption') },
            ]}
          />
        )}
        {others.length > 0 && (
          <p className="mt-1 flex flex-wrap gap-1">
            {others.map(field => (
              <Badge key={field.id}>{t('also', { field: field.label })}</Badge>
            ))}
          </p>
        )}
      </div>
    </li>
  )
}
