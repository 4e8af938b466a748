// The settings of a smart field: the one that is selected in the text, or the only one of a block.
import type { Token } from '@signoff/render'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { fieldsForText, useInspector } from './inspector-data.ts'

interface FieldSettingsProps {
  readonly token: Token
  /** Changes in a row with the same step become one step of undo. */
  readonly onChange: (next: Token, step: string) => void
}

/** An empty text removes the setting. */
const withSetting = (token: Token, name: 'fallback' | 'prefix' | 'suffix', text: string): Token => {
  const { [name]: _, ...rest } = token
  return text === '' ? rest : { ...rest, [name]: text }
}

export function FieldSettings({ token, onChange: change }: FieldSettingsProps) {
  const t = useTranslations('editor.textTools')
  const { fields } = useInspector()
  const id = token.smartFieldUuid?.toLowerCase() ?? null
  const field = fields.find(candidate => candidate.id === id)
  const setting = (name: 'fallback' | 'prefix' | 'suffix') => ({
    label: t(name),
    value: token[name] ?? '',
    onChange: (text: string) => change(withSetting(token, name, text), name),
  })
  return (
    <div data-field-settings="" className="grid gap-3">
      <Select
        label={t('field')}
        value={id}
        onChange={chosen => change({ ...token, smartFieldUuid: chosen }, 'field')}
        options={fieldsForText(fields).map(({ id: fieldId, label }) => ({ id: fieldId, label }))}
      />
      <TextField
        {...setting('fallback')}
        maxLength={500}
        hint={field?.fallback ? t('fieldFallback', { text: field.fallback }) : t('fallbackHint')}
      />
      <div className="grid grid-cols-2 gap-2">
        <TextField {...setting('prefix')} maxLength={200} />
        <TextField {...setting('suffix')} maxLength={200} />
      </div>
      <p className="text-[0.8125rem] text-muted">{t('affixHint')}</p>
    </div>
  )
}

/** A part of the inspector. */
export const InspectorSection = ({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) => (
  <section className="grid gap-3 border-t border-line pt-4">
    <h3 className="text-[0.8125rem] font-semibold">{title}</h3>
    {children}
  </section>
)
