// Colours to choose from, as a row of discs.
import { classes } from '#ui/base/classes.ts'

interface SwatchesProps {
  readonly label: string
  readonly colors: readonly string[]
  readonly value: string | undefined
  readonly onChoose: (color: string) => void
}

export function Swatches({ label, colors, value, onChoose }: SwatchesProps) {
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
