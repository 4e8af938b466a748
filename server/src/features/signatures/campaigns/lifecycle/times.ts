// Reads the times of API requests: with an offset a time is an instant, without one it is local to the campaign's zone.
import { Temporal } from 'temporal-polyfill'
import { isStorableDate } from '#kernel/db/text.ts'

const timePattern =
  /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)?$/

/**
 * Undefined when the text is not a valid time. A local time that does not exist (clocks went forward) is moved forward
 * by the length of the gap; for one that exists twice (clocks went back) the first is used.
 */
export function readTime(text: string, timeZone: string): Date | undefined {
  const [, , , , offset] = timePattern.exec(text) ?? []
  if (!timePattern.test(text)) return undefined
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
