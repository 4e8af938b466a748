// Shares of a whole as one bar. The numbers stand beside it as text, so the bar is decoration.
import { classes } from './classes.ts'

export interface BarShare {
  readonly id: string
  readonly value: number
  readonly tone: keyof typeof barTones
}

const barTones = {
  good: 'bg-good',
  accent: 'bg-accent',
  warn: 'bg-warn',
  bad: 'bg-bad',
  neutral: 'bg-edge/50',
} as const

export const barToneClass = (tone: BarShare['tone']): string => barTones[tone]

export function StackedBar({ shares }: { readonly shares: readonly BarShare[] }) {
  const total = shares.reduce((sum, { value }) => sum + value, 0)
  return (
    <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-sunken">
      {shares
        .filter(({ value }) => value > 0)
        .map(({ id, value, tone }) => (
          <span
            key={id}
            className={classes('h-full min-w-1 transition-[width]', barTones[tone])}
            style={{ width: `${(value / total) * 100}%` }}
          />
        ))}
    </div>
  )
}
