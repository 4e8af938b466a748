import { day } from '#kernel/base/durations.ts'
import { invalid } from '#kernel/base/errors.ts'

/** A month in UTC. */
export interface Month {
  readonly start: Date
  /** Days as `2026-11-01`. */
  readonly first: string
  readonly last: string
  /** The first day of the next month. */
  readonly next: string
}

export const dayText = (at: Date): string => at.toISOString().slice(0, 10)

export function readMonth(period: string, now: Date): Month {
  const [, year = '', month = ''] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(period) ?? []
  if (year === '')
    throw invalid('period', 'invalid', { message: `period must be a month such as 2026-11; not ${period}` })
  const start = new Date(Date.UTC(Number(year), Number(month) - 1, 1))
  if (start > now) throw invalid('period', 'invalid', { message: `period: ${period} has not begun` })
  const next = new Date(Date.UTC(Number(year), Number(month), 1))
  const last = new Date(next.getTime() - day)
  return { start, first: dayText(start), last: dayText(last), next: dayText(next) }
}

/** The last millisecond of a day. */
export const endOfDay = (day: string): Date => new Date(`${day}T23:59:59.999Z`)
