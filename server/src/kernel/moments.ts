// Moments as they are asked for: a day (`2026-11-01`), or an instant with or without an offset; without one it is UTC.

const dateOnly = /^\d{4}-\d\d-\d\d$/
const instant = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)?$/
const offset = /([Zz]|[+-]\d\d:?\d\d)$/

export interface Moment {
  /** Of a day, its beginning. */
  readonly at: Date
  readonly isDay: boolean
}

/** Undefined when it is none. */
export function readMoment(text: string): Moment | undefined {
  const isDay = dateOnly.test(text)
  if (!isDay && !instant.test(text)) return undefined
  const day = text.slice(0, 10)
  const start = new Date(`${day}T00:00:00Z`)
  const at = isDay ? start : new Date(`${text.replace(' ', 'T')}${offset.test(text.slice(10)) ? '' : 'Z'}`)
  if (Number.isNaN(at.getTime()) || Number.isNaN(start.getTime())) return undefined
  // JavaScript takes the 30th of February for the 2nd of March.
  return start.toISOString().slice(0, 10) === day ? { at, isDay } : undefined
}
