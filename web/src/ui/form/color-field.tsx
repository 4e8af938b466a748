// A colour: the picker of the browser, the value as text, and how well it can be read on white and on dark mails.
import { contrast, mailPapers, parseColor } from '@signoff/render'
import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from '../base/button.tsx'
import { Badge } from '../layout/page.tsx'
import { TextField } from './field.tsx'
import { finishedColor, typedColor } from './typed-color.ts'

interface ColorFieldProps {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly hint?: ReactNode
  readonly name?: string
  readonly isReadOnly?: boolean
  /** The colour without a value, for the picker. */
  readonly fallback?: string
  readonly hasContrast?: boolean
  readonly isLabelHidden?: boolean
}

/** `#abc`, `rgb(…)` and names as `#rrggbb`, which the picker needs. */
const hexOf = (value: string | null): string | undefined => {
  const parsed = value === null ? undefined : parseColor(value)
  return typeof parsed === 'string' && /^#[0-9a-f]{6}$/i.test(parsed) ? parsed : undefined
}

function Contrast({ hex }: { readonly hex: string }) {
  const t = useTranslations('shell.contrast')
  const papers = { light: contrast(hex, mailPapers.light), dark: contrast(hex, mailPapers.dark) }
  return (
    <p className="mt-1.5 flex flex-wrap gap-1.5">
      {(['light', 'dark'] as const).map(paper => (
        <Badge key={paper} variant={papers[paper] >= 4.5 ? 'good' : papers[paper] >= 3 ? 'neutral' : 'warn'}>
          {t(paper, { ratio: papers[paper].toFixed(1) })}
        </Badge>
      ))}
    </p>
  )
}

export function ColorField(props: ColorFieldProps) {
  const {
    label,
    value,
    onChange,
    hint,
    name,
    isReadOnly = false,
    fallback = '#888888',
    hasContrast = true,
    isLabelHidden = false,
  } = props
  const t = useTranslations('shell')
  const id = useId()
  const hex = hexOf(value)
  const finished = value === null ? undefined : finishedColor(value)
  return (
    <div>
      <div className="flex items-end gap-2">
        <span className="relative inline-grid shrink-0">
          <input
            id={id}
            type="color"
            aria-label={t('pickColor', { name: label })}
            value={hex ?? fallback}
            onChange={event => onChange(event.currentTarget.value)}
            disabled={isReadOnly}
            className="size-9 shrink-0 cursor-pointer rounded-lg border border-edge/60 bg-card p-1 disabled:cursor-default [&::-webkit-color-swatch]:rounded [&::-webkit-color-swatch]:border-0 [&::-webkit-color-swatch-wrapper]:p-0"
          />
          {hex === undefined && (
            <span aria-hidden="true" className="no-color pointer-events-none absolute inset-1 rounded" />
          )}
        </span>
        <TextField
          label={label}
          isLabelHidden={isLabelHidden}
          value={value ?? ''}
          onChange={text => onChange(text === '' ? null : typedColor(text))}
          onBlur={() => value !== null && finished !== undefined && finished !== value && onChange(finished)}
          placeholder={t('defaultColor')}
          maxLength={64}
          isReadOnly={isReadOnly}
          className="min-w-0 flex-1"
          {...(name !== undefined && { name })}
        />
        {value !== null && !isReadOnly && (
          <IconButton
            icon="x"
            label={t('removeOne', { name: label })}
            onPress={() => onChange(null)}
            className="mb-0.5"
          />
        )}
      </div>
      {hint && <p className="mt-1 text-[0.8125rem] text-muted">{hint}</p>}
      {hex && hasContrast && <Contrast hex={hex} />}
    </div>
  )
}
