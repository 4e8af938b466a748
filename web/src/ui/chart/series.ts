// What the charts have in common.

/** The colour of a series, by its use. */
export const chartTones = {
  accent: 'text-accent',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  muted: 'text-edge',
} as const

type ChartTone = keyof typeof chartTones

export interface ChartSeries {
  readonly id: string
  readonly label: string
  /** One for each label of the x axis. */
  readonly values: readonly number[]
  readonly tone?: ChartTone
  /** For what is compared with: the period before. */
  readonly isDashed?: boolean
  readonly isFilled?: boolean
}

export const largestOf = (series: readonly ChartSeries[]): number =>
  Math.max(0, ...series.flatMap(({ values }) => values))

/** Counts have no ticks between whole numbers; rates have. */
export const areWhole = (series: readonly ChartSeries[]): boolean =>
  series.every(({ values }) => values.every(Number.isInteger))
