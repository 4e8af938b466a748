// A colour: those of the brand first, then any other, with its contrast.

import { useTranslations } from 'use-intl'
import { classes } from '../../../ui/classes.ts'
import { ColorField } from '../../../ui/color-field.tsx'

interface ColorInputProps {
  readonly label: string
  readonly value: string | undefined
  readonly brandColors: readonly string[]
  readonly hasContrast?: boolean
  readonly onChange: (value: string | undefined) => void
}

export function ColorInput({ label, value, brandColors, hasContrast = false, onChange }: ColorInputProps) {
  const t = useTranslations('editor.inspector')
  return (
    <div>
      <ColorField
        label={label}
        value={value ?? null}
        hasContrast={hasContrast}
        onChange={next => onChange(next ?? undefined)}
      />
      {brandColors.length > 0 && (
        <div role="group" aria-label={t('brandColors')} className="mt-1.5 flex flex-wrap gap-1.5">
          {brandColors.map(color => (
            <button
              key={color}
              type="button"
              aria-label={color}
              aria-pressed={value === color}
              onClick={() => onChange(color)}
              className={classes(
                'size-6 rounded-full border border-edge/50 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent',
                value === color && 'outline-2 outline-offset-2 outline-accent',
              )}
              style={{ background: color }}
            />
          ))}
        </div>
      )}
    </div>
  )
}
