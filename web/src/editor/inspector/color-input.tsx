// A colour: those of the brand first, those of the content, then any other, with its contrast.
import { parseColor } from '@signoff/render'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { toastNote } from '#ui/feedback/toast.tsx'
import { ColorField } from '#ui/form/color-field.tsx'
import { finishedColor } from '#ui/form/typed-color.ts'
import { type ContrastCheck, hexColor } from '../colors/safe-color.ts'
import { Swatches } from '../colors/swatches.tsx'
import { usedColors } from '../colors/used-colors.ts'
import { useEditorValue } from '../editor-context.ts'
import { ContrastNotes } from './contrast-notes.tsx'

interface ColorInputProps {
  readonly label: string
  readonly value: string | undefined
  readonly brandColors: readonly string[]
  /** What the colour stands on. */
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
  /** What was typed and is no colour yet. */
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
