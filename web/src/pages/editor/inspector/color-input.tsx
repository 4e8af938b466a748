// A colour: those of the brand first, then any other, with its contrast.
import { parseColor } from '@signoff/render'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { classes } from '../../../ui/classes.ts'
import { ColorField } from '../../../ui/color-field.tsx'
import type { ContrastCheck } from '../colors/safe-color.ts'
import { ContrastNotes } from './contrast-notes.tsx'

interface ColorInputProps {
  readonly label: string
  readonly value: string | undefined
  readonly brandColors: readonly string[]
  /** What the colour stands on. */
  readonly checks?: readonly ContrastCheck[]
  readonly onChange: (value: string | undefined) => void
}

export function ColorInput(props: ColorInputProps) {
  const { label, value, brandColors, checks = [], onChange } = props
  const t = useTranslations('editor.inspector')
  const tools = useTranslations('editor.textTools')
  /** What was typed and is no colour yet. */
  const [draft, setDraft] = useState<string>()
  const type = (next: string | undefined) => {
    const isColor = next === undefined || parseColor(next) !== undefined
    setDraft(isColor ? undefined : next)
    if (isColor) onChange(next)
  }
  const parsed = value === undefined ? undefined : parseColor(value)
  const brand = brandColors.length > 0 && (
    <div role="group" aria-label={t('brandColors')} className="flex flex-wrap gap-1.5">
      {brandColors.map(color => (
        <button
          key={color}
          type="button"
          aria-label={color}
          aria-pressed={value === color}
          onClick={() => type(color)}
          className={classes(
            'size-6 rounded-full border border-edge/50 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent',
            value === color && 'outline-2 outline-offset-2 outline-accent',
          )}
          style={{ background: color }}
        />
      ))}
    </div>
  )
  return (
    <div role="group" aria-label={label} className="grid gap-1.5">
      {/* The field has its own name for screen readers. */}
      <p aria-hidden="true" className="text-[0.8125rem] font-medium">
        {label}
      </p>
      {brand}
      <ColorField
        label={label}
        isLabelHidden
        value={draft ?? value ?? null}
        hasContrast={false}
        onChange={next => type(next ?? undefined)}
        {...(draft !== undefined && { hint: tools('notAColor') })}
      />
      {typeof parsed === 'string' && (
        <ContrastNotes color={parsed} checks={checks} brandColors={brandColors} onChange={type} />
      )}
    </div>
  )
}
