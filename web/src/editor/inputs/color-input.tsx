// A colour: those of the brand first, those of the content, then any other, with its contrast.
import { contrast, parseColor } from '@signoff/render'
import { useEffect, useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { toastNote } from '#ui/feedback/toast.tsx'
import { ColorField } from '#ui/form/color-field.tsx'
import { finishedColor } from '#ui/form/typed-color.ts'
import { useEditorValue } from '../kit/editor-context.ts'
import { type ContrastCheck, hexColor, safeColor, usedColors } from '../model/colors.ts'

interface ColorInputProps {
  readonly label: string
  readonly value: string | undefined
  readonly brandColors: readonly string[]
  /** The contrast checks of the colour. */
  readonly checks?: readonly ContrastCheck[]
  readonly onChange: (value: string | undefined) => void
}

/** Another block is chosen in the middle of the typing: the field goes without having lost the focus. */
function useTakenWhenLeft(draft: string | undefined, onChange: (value: string) => void): void {
  const t = useTranslations('editor.textTools')
  const leave = useRef(() => {})
  leave.current = () => {
    if (draft === undefined) return
    const color = finishedColor(draft)
    if (color === undefined) toastNote(t('colorDropped', { text: draft }))
    else onChange(color)
  }
  useEffect(() => () => leave.current(), [])
}

export function ColorInput(props: ColorInputProps) {
  const { label, value, brandColors, checks = [], onChange } = props
  const t = useTranslations('editor.inspector')
  const tools = useTranslations('editor.textTools')
  /** The typed text while it is no colour yet. */
  const [draft, setDraft] = useState<string>()
  const type = (next: string | undefined) => {
    const isColor = next === undefined || parseColor(next) !== undefined
    setDraft(isColor ? undefined : next)
    if (isColor) onChange(next)
  }
  useTakenWhenLeft(draft, onChange)
  const parsed = value === undefined ? undefined : parseColor(value)
  const brand = brandColors.map(hexColor)
  // A text, so that typing draws nothing anew.
  const used = useEditorValue(({ tree }) => usedColors(tree).join(' '))
  const others = used.split(' ').filter(color => color !== '' && !brand.includes(color))
  return (
    <div role="group" aria-label={label} className="grid gap-1.5">
      {/* The field has its own name for screen readers. */}
      <p aria-hidden="true" className="text-[0.8125rem] font-medium">
        {label}
      </p>
      <Swatches label={t('brandColors')} colors={brandColors} value={value} onChoose={type} />
      <Swatches label={t('usedColors')} colors={others} value={value} onChoose={type} />
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

// Colours to choose from, as a row of discs.

interface SwatchesProps {
  readonly label: string
  readonly colors: readonly string[]
  readonly value: string | undefined
  readonly onChoose: (color: string) => void
}

function Swatches({ label, colors, value, onChoose }: SwatchesProps) {
  if (colors.length === 0) return null
  return (
    <div role="group" aria-label={label}>
      <p aria-hidden="true" className="mb-1 text-xs text-muted">
        {label}
      </p>
      <div className="flex flex-wrap gap-1.5">
        {colors.map(color => (
          <button
            key={color}
            type="button"
            aria-label={color}
            title={color}
            aria-pressed={value === color}
            onClick={() => onChoose(color)}
            className={classes(
              'size-6 rounded-full border border-edge/50 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent',
              value === color && 'outline-2 outline-offset-2 outline-accent',
            )}
            style={{ background: color }}
          />
        ))}
      </div>
    </div>
  )
}

// The contrast of a colour on each of its backgrounds, with a way out when it is too low.

interface ContrastNotesProps {
  /** `#rrggbb` */
  readonly color: string
  readonly checks: readonly ContrastCheck[]
  readonly brandColors: readonly string[]
  readonly onChange: (color: string) => void
}

/** The check with the worst contrast for words on one background; else all checks. */
function shownChecks(color: string, checks: readonly ContrastCheck[]): readonly ContrastCheck[] {
  const worst = [...checks].sort((a, b) => contrast(color, a.other) - contrast(color, b.other))
  return checks[0]?.place === 'content' ? worst.slice(0, 1) : checks
}

function ContrastNotes({ color, checks, brandColors, onChange }: ContrastNotesProps) {
  const t = useTranslations('editor.contrast')
  const format = useFormatter()
  const rows = shownChecks(color, checks).map(check => {
    const ratio = contrast(color, check.other)
    return { ...check, ratio, isGood: ratio >= check.minimum }
  })
  const safe = rows.every(({ isGood }) => isGood) ? undefined : safeColor(color, checks, brandColors)
  if (rows.length === 0) return null
  return (
    <div className="grid gap-1.5">
      <ul className="grid gap-1">
        {rows.map(({ place, other, minimum, ratio, isGood }) => (
          <li key={place} className="flex items-center gap-2 text-xs">
            <span
              aria-hidden="true"
              className="grid h-5 w-7 shrink-0 place-items-center rounded border border-edge/40"
              style={place === 'content' ? { background: color, color: other } : { background: other, color }}
            >
              <Icon name="type" size={13} strokeWidth={2.5} />
            </span>
            <span className="min-w-0 flex-1">
              {t(place, { ratio: format.number(ratio, { maximumFractionDigits: 1 }) })}
            </span>
            <span
              className={classes(
                'flex shrink-0 items-center gap-1 font-medium',
                isGood ? 'text-good' : 'text-warn',
              )}
            >
              <Icon name={isGood ? 'check' : 'triangle-alert'} size={13} />
              {isGood ? t('good') : t('low', { minimum: format.number(minimum) })}
            </span>
          </li>
        ))}
      </ul>
      {safe !== undefined && (
        <Button isSmall onPress={() => onChange(safe)} className="justify-self-start">
          <span
            aria-hidden="true"
            className="size-3.5 rounded-full border border-edge/50"
            style={{ background: safe }}
          />
          {t('useSafe')}
        </Button>
      )}
    </div>
  )
}
