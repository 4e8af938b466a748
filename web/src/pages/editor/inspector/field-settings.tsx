// The settings of the smart field that is selected in the text.
import type { Token } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { TextField } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { fieldsForText } from '../text/menu-entries.ts'
import type { TextSession } from '../text/text-session.ts'
import type { SelectedField } from '../text/token-commands.ts'
import { stepMeta } from '../text/undo-steps.ts'
import { useInspector } from './inspector-data.ts'

interface FieldSettingsProps {
  readonly session: TextSession
  readonly field: SelectedField
}

/** An empty text removes the setting. */
const withSetting = (token: Token, name: 'fallback' | 'prefix' | 'suffix', text: string): Token => {
  const { [name]: _, ...rest } = token
  return text === '' ? rest : { ...rest, [name]: text }
}

export function FieldSettings({ session, field: { token, position } }: FieldSettingsProps) {
  const t = useTranslations('editor.textTools')
  const { fields } = useInspector()
  const { view } = session
  const change = (next: Token, step: string) =>
    view.dispatch(
      view.state.tr.setNodeAttribute(position, 'token', next).setMeta(stepMeta, `${step} ${position}`),
    )
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
