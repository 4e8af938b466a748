import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pauses, resultOfAttempt } from './outcome.ts'

describe('the schedule', () => {
  it('makes ten attempts within 75.6 hours', () => {
    expect(pauses.length + 1).toBe(10)
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000
    expect(hours).toBeCloseTo(75.585, 2)
  })

  it('spreads each pause by a tenth, and never retries earlier than Retry-After says', () => {
    const anyAttempt = fc.integer({ min: 1, max: pauses.length })
    const anyChance = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        anyAttempt,
        anyChance,
        fc.integer({ min: 1_000, max: 3_600_000 }),
        (attempts, chance, wish) => {
          const pause = pauses[attempts - 1] ?? 0
          const { wait } = resultOfAttempt({ status: 500 }, attempts, chance)
          expect(wait).toBeGreaterThanOrEqual(Math.floor(pause * 0.9))
          expect(wait).toBeLessThanOrEqual(Math.ceil(pause * 1.1))
          for (const status of [429, 503]) {
            const throttled = resultOfAttempt({ status, retryAfterMilliseconds: wish }, attempts, chance)
            expect(throttled).toMatchObject({ state: 'pending', pause: wish })
            expect(throttled.wait).toBe(Math.max(wait ?? 0, wish))
          }
        },
      ),
    )
  })
})

describe('an answer', () => {
  it('is a success only with a status from 200 to 299', () => {
    for (let status = 100; status < 600; status++)
      expect(resultOfAttempt({ status }, 1).state === 'delivered', String(status)).toBe(
        status >= 200 && status < 300,
      )
  })

  it.each([
    [{ status: 410 }, 1, { state: 'failed', problem: 'gone', wait: null }],
    [{ status: 429 }, 1, { state: 'pending', problem: 'rate_limited', pause: null }],
    [{ status: 307 }, 1, { state: 'pending', problem: 'redirect' }],
    [{ status: 400 }, 9, { state: 'pending', problem: 'refused' }],
    [{ status: 400 }, 10, { state: 'failed', problem: 'refused', wait: null }],
    [{ problem: 'timeout' } as const, 1, { state: 'pending', problem: 'timeout', status: null }],
    [{ status: 500, retryAfterMilliseconds: 900_000 }, 1, { problem: 'server_error', pause: null }],
  ])('%j to attempt %i means %j', (answer, attempts, expected) => {
    expect(resultOfAttempt(answer, attempts)).toMatchObject(expected)
  })
})
