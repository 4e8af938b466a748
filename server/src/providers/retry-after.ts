// What a far end says about when to come back.

const mostMilliseconds = 3_600_000

/** In seconds or as a date; undefined when it is neither, or nothing was said. */
export function readRetryAfter(told: string | undefined, now = Date.now()): number | undefined {
  if (told === undefined) return undefined
  const wait = /^\d+$/.test(told) ? Number(told) * 1_000 : Date.parse(told) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 1_000), mostMilliseconds)
}
