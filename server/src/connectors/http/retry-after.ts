// Reads when a provider wants the next attempt.
import { hour } from '#kernel/base/durations.ts'

const maxMilliseconds = hour

/** Milliseconds to wait, 1 second to 1 hour. `value` is in seconds or a date; undefined for anything else. */
export function readRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 1_000), maxMilliseconds)
}
