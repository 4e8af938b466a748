// The description of a picture, or the statement that it needs none.
import { useTranslations } from 'use-intl'
import { Checkbox } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'

interface AltFieldsProps {
  /** Empty: the picture is decoration. Undefined: not decided yet. */
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  /** A link needs words. */
  readonly hasLink?: boolean
  readonly autoFocus?: boolean
}

export function AltFields({ value, onChange, hasLink = false, autoFocus = false }: AltFieldsProps) {
  const t = useTranslations('assets.alt')
  const isDecoration = value === '' && !hasLink
  return (
    <div className="grid content-start gap-2">
      <TextField
        label={t('label')}
        hint={isDecoration ? undefined : hasLink ? t('linkHint') : t('hint')}
        placeholder={t('example')}
        maxLength={500}
        autoFocus={autoFocus}
        isDisabled={isDecoration}
        value={value ?? ''}
        onChange={text => onChange(text === '' ? undefined : text)}
      />
      {!hasLink && (
        <Checkbox isSelected={isDecoration} onChange={isChosen => onChange(isChosen ? '' : undefined)}>
          {t('decoration')}
        </Checkbox>
      )}
    </div>
  )
}
