// Views and clicks that belong to no row: those of readers whose country is not known.

export interface Counts {
  readonly views: number
  readonly clicks: number
}

/** Undefined where the rows add up to the totals. */
export function unknownOf(rows: readonly Counts[], totals: Counts): Counts | undefined {
  const rest = (name: keyof Counts) =>
    Math.max(0, totals[name] - rows.reduce((sum, row) => sum + row[name], 0))
  const unknown = { views: rest('views'), clicks: rest('clicks') }
  return unknown.views + unknown.clicks > 0 ? unknown : undefined
}
