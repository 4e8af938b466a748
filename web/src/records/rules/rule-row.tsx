import type { SmartField } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { needsValues, type RuleDraft, type RuleOperator, ruleOperators } from './rule-model.ts'

interface RuleRowProps {
  readonly rule: RuleDraft
  readonly fields: readonly SmartField[]
  readonly isFirst: boolean
  readonly isReadOnly: boolean
  readonly onChange: (rule: RuleDraft) => void
  readonly onRemove: () => void
}

export function RuleRow({ rule, fields, isFirst, isReadOnly, onChange, onRemove }: RuleRowProps) {
  const t = useTranslations('signatures')
  return (
    <div className="grid items-start gap-2 sm:grid-cols-[2.5rem_minmax(0,1fr)_minmax(0,0.9fr)_minmax(0,1.3fr)_2rem]">
      <span className="text-[0.8125rem] font-medium text-muted sm:pt-2">
        {isFirst ? t('where') : t('and')}
      </span>
      <Select
        label={t('field')}
        isLabelHidden
        placeholder={t('chooseField')}
        isDisabled={isReadOnly}
        options={fields.filter(({ kind }) => kind !== 'image').map(({ id, label }) => ({ id, label }))}
        value={rule.fieldId}
        onChange={fieldId => onChange({ ...rule, fieldId })}
      />
      <Select<RuleOperator>
        label={t('operator')}
        isLabelHidden
        isDisabled={isReadOnly}
        options={ruleOperators.map(id => ({ id, label: t(`operators.${id}`) }))}
        value={rule.operator}
        onChange={operator => onChange({ ...rule, operator })}
      />
      {needsValues(rule.operator) ? (
        <ValuesField
          values={rule.values}
          isReadOnly={isReadOnly}
          onChange={values => onChange({ ...rule, values })}
        />
      ) : (
        <span className="max-sm:hidden" />
      )}
      {!isReadOnly && <IconButton icon="x" label={t('removeCondition')} onPress={onRemove} />}
    </div>
  )
}

interface ValuesFieldProps {
  readonly values: readonly string[]
  readonly isReadOnly: boolean
  readonly onChange: (values: readonly string[]) => void
}

/** One or more values. Typed text counts at once; Enter or leaving the field only makes room for the next one. */
function ValuesField({ values, isReadOnly, onChange }: ValuesFieldProps) {
  const t = useTranslations('signatures')
  const [text, setText] = useState('')
  const typed = text.trim()
  const chips = typed === '' ? values : values.filter(value => value !== typed)
  const type = (next: string) => {
    setText(next)
    const value = next.trim()
    onChange(value === '' || chips.includes(value) ? chips : [...chips, value])
  }
  return (
    <div className="grid gap-1.5">
      {!isReadOnly && (
        <TextField
          label={t('value')}
          isLabelHidden
          placeholder={chips.length === 0 ? t('valuePlaceholder') : t('anotherValue')}
          value={text}
          onChange={type}
          onBlur={() => setText('')}
          onKeyDown={event => {
            if (event.key === 'Enter') setText('')
            if (event.key === 'Backspace' && text === '') onChange(values.slice(0, -1))
          }}
        />
      )}
      {chips.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {chips.map(value => (
            <li
              key={value}
              className="inline-flex max-w-full items-center gap-1 rounded-full bg-accent-soft py-0.5 ps-2.5 pe-1 text-xs font-medium text-accent"
            >
              <span className="truncate">{value}</span>
              {isReadOnly ? (
                <span className="w-1.5" />
              ) : (
                <button
                  type="button"
                  aria-label={t('removeValue', { value })}
                  onClick={() => onChange(values.filter(each => each !== value))}
                  className="grid size-6 place-items-center rounded-full hover:bg-card"
                >
                  <Icon name="x" size={12} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
