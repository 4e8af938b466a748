// Days as numbers, counted from 1970-01-01, so that they can be compared and subtracted.
const dayMilliseconds = 86_400_000

/** The day of an instant on the calendar of a time zone. */
export function dayNumberIn(timeZone: string, instant: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(instant)
  const part = (type: string) => Number(parts.find(each => each.type === type)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day')) / dayMilliseconds
}

/** Midnight in UTC: to be formatted with `timeZone: 'UTC'`. */
export const dateOfDay = (day: number): Date => new Date(day * dayMilliseconds)

/** `2026-11-17`, as the API writes days. */
export const textOfDay = (day: number): string => dateOfDay(day).toISOString().slice(0, 10)

/** The day of `2026-11-17`; undefined for any other text. */
export function dayOfText(text: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(time) ? undefined : time / dayMilliseconds
}

/** At least so many days, so that the same weekdays meet. */
export const wholeWeeks = (days: number): number => Math.ceil(days / 7) * 7

/** The first day of the month of a day, `months` later. */
export function monthStart(day: number, months = 0): number {
  const date = dateOfDay(day)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / dayMilliseconds
}

/** The Monday of its week. 1970-01-01 was a Thursday. */
export const weekStart = (day: number): number => day - ((day + 3) % 7)
