// The controls for the style of words. The parts around them say which words, and how these are changed.
import { enums, type TextStyle, type Token } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { Select } from '#ui/form/select.tsx'
import { ColorInput } from '../inputs/color-input.tsx'
import { useInspector } from '../inputs/inspector-data.ts'
import { NumberInput } from '../inputs/number-input.tsx'
import { EditorIcon } from '../kit/editor-icon.tsx'
import type { ContrastCheck } from '../model/colors.ts'
import { sharedStyle, standardLineHeight, styleToggles } from '../model/token-styles.ts'

interface StyleInputsProps {
  /** The tokens to style. A control is empty if their values differ. */
  readonly tokens: readonly Token[]
  readonly checks: readonly ContrastCheck[]
  readonly set: (key: keyof TextStyle, value: unknown) => void
}

/** `undefined` for the standard value. */
const numbers = [
  { key: 'fontSize', minimum: 6, maximum: 96, placeholder: '14' },
  { key: 'lineHeight', minimum: 0, maximum: 2_000, placeholder: undefined },
  { key: 'letterSpacing', minimum: 0, maximum: 20, placeholder: '0' },
] as const

export function StyleInputs({ tokens, checks, set }: StyleInputsProps) {
  const t = useTranslations('editor.inspector')
  const { brandColors } = useInspector()
  const fonts = useFontOptions()
  return (
    <>
      <div role="group" aria-label={t('text')} className="flex gap-1">
        {styleToggles.map(([icon, key, value]) => {
          const isOn = tokens.length > 0 && sharedStyle(tokens, key) === value
          return (
            <button
              key={icon}
              type="button"
              aria-label={t(icon)}
              aria-pressed={isOn}
              // A text that is edited keeps the focus and its selection.
              onMouseDown={event => event.preventDefault()}
              onClick={() => set(key, isOn ? undefined : value)}
              className={classes(
                'grid size-9 place-items-center rounded-lg border focus-visible:outline-2 focus-visible:outline-accent',
                isOn ? 'border-accent bg-accent-soft text-accent' : 'border-line hover:border-edge',
              )}
            >
              <EditorIcon name={icon} />
            </button>
          )
        })}
      </div>
      <Select
        label={t('font')}
        value={sharedStyle(tokens, 'fontFamily') ?? null}
        placeholder={t('standard')}
        onChange={font => set('fontFamily', font)}
        options={fonts}
      />
      <div className="grid grid-cols-2 gap-2">
        {numbers.map(({ key, minimum, maximum, placeholder }) => (
          <NumberInput
            key={key}
            label={t(key)}
            value={sharedStyle(tokens, key)}
            minimum={minimum}
            maximum={maximum}
            placeholder={placeholder ?? String(standardLineHeight(sharedStyle(tokens, 'fontSize')))}
            onChange={value => set(key, value)}
          />
        ))}
      </div>
      <ColorInput
        label={t('textColor')}
        value={sharedStyle(tokens, 'color')}
        brandColors={brandColors}
        checks={checks}
        onChange={color => set('color', color)}
      />
    </>
  )
}

// The fonts of texts, the font of the brand first.

function useFontOptions() {
  const t = useTranslations('editor.inspector')
  const { brand } = useInspector()
  const isOfBrand = (font: string) => font === brand?.font_family
  return [
    ...enums.fontFamily.filter(isOfBrand).map(font => ({ id: font, label: font, hint: t('brandFont') })),
    ...enums.fontFamily.filter(font => !isOfBrand(font)).map(font => ({ id: font, label: font })),
  ]
}
