// The contrast of a colour on each of its backgrounds, with a way out when it is too low.
import { contrast } from '@signoff/render'
import { useFormatter, useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { type ContrastCheck, safeColor } from '../colors/safe-color.ts'

interface ContrastNotesProps {
  /** `#rrggbb` */
  readonly color: string
  readonly checks: readonly ContrastCheck[]
  readonly brandColors: readonly string[]
  readonly onChange: (color: string) => void
}

/** Of many words on one background, the worst is shown. */
function shownChecks(color: string, checks: readonly ContrastCheck[]): readonly ContrastCheck[] {
  const worst = [...checks].sort((a, b) => contrast(color, a.other) - contrast(color, b.other))
  return checks[0]?.place === 'content' ? worst.slice(0, 1) : checks
}

export function ContrastNotes({ color, checks, brandColors, onChange }: ContrastNotesProps) {
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
