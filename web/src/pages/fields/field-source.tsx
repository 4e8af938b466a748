// Where the values of a field come from: they are typed here, or a directory fills them.
import type { SmartField } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { fieldLabel } from '#api/field-labels.ts'
import { isDirectory, useConnected } from '#api/integrations.ts'
import { Select } from '#ui/form/select.tsx'
import { Notice } from '#ui/layout/page.tsx'

export type FieldSource = Pick<SmartField, 'integration_id' | 'integration_attribute'>

export const noSource: FieldSource = { integration_id: null, integration_attribute: null }

/** A directory without the attribute is not sent: the person has not chosen yet. */
export const isWholeSource = ({ integration_id, integration_attribute }: FieldSource): boolean =>
  (integration_id === null) === (integration_attribute === null)

interface FieldSourceChoiceProps {
  readonly value: FieldSource
  readonly onChange: (source: FieldSource) => void
  readonly kind: SmartField['kind']
  /** The stored source of the field, for the question about values that would be replaced. */
  readonly stored: FieldSource
}

const byHand = '-'
/** The attribute that fills pictures, and nothing else. */
const photo = 'photo'

export function FieldSourceChoice({ value, onChange, kind, stored }: FieldSourceChoiceProps) {
  const t = useTranslations('fields.source')
  const directories = useConnected().filter(isDirectory)
  const { integration_id: id, integration_attribute: attribute } = value
  const { data: attributes = [] } = useQuery({
    queryKey: ['integrations', id, 'attributes'],
    queryFn: () => api.integrations.attributes(id ?? ''),
    enabled: id !== null,
  })
  const fitting = attributes.filter(entry => (entry.attribute === photo) === (kind === 'image'))
  if (directories.length === 0 && id === null) return null
  const isConnected = directories.some(directory => directory.id === id)
  return (
    <div className="grid gap-3">
      <Select
        label={t('label')}
        hint={id === null ? t('handHint') : t('directoryHint')}
        value={id ?? byHand}
        onChange={chosen =>
          onChange(chosen === byHand ? noSource : { integration_id: chosen, integration_attribute: null })
        }
        options={[
          { id: byHand, label: t('hand') },
          ...directories.map(directory => ({ id: directory.id, label: directory.name })),
          ...(id !== null && !isConnected ? [{ id, label: t('unknown') }] : []),
        ]}
      />
      {id !== null && isConnected && (
        <Select
          label={t('attribute')}
          placeholder={t('choose')}
          value={attribute}
          onChange={integration_attribute => onChange({ integration_id: id, integration_attribute })}
          options={fitting.map(entry => ({
            id: entry.attribute,
            label: fieldLabel(entry.label),
            hint: entry.examples[0] ?? entry.attribute,
          }))}
        />
      )}
      {id !== null && stored.integration_id === null && <Notice kind="warn">{t('replaces')}</Notice>}
    </div>
  )
}
