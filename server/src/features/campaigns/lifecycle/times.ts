// Times as they are sent: with an offset they are moments, without one they are local to the campaign's time zone.
import { Temporal } from 'temporal-polyfill'
import { isStorableDate } from '#kernel/text.ts'

const shape = /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)?$/

/** Names such as `Europe/Berlin`, as the IANA gives them. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * Undefined when it is no time. A local time that does not exist (clocks went forward) is moved forward by as much; of
 * one that exists twice (clocks went back) the first is meant.
 */
export function readTime(text: string, timeZone: string): Date | undefined {
  const [, , , , offset] = shape.exec(text) ?? []
  if (!shape.test(text)) return undefined
  try {
    const { epochMilliseconds } = offset
      ? Temporal.Instant.from(text)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone, { disambiguation: 'compatible' })
    const time = new Date(epochMilliseconds)
    return isStorableDate(time) ? time : undefined
  } catch {
    return undefined
  }
}
