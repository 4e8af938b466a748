import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTimeZone } from '#kernel/db/text.ts'
import { readTime } from './times.ts'

const read = (text: string, zone = 'Europe/Berlin') => readTime(text, zone)?.toISOString()

describe('a time', () => {
  it('with an offset is an instant, without an offset it is local', () => {
    expect(read('2026-12-01T09:00')).toBe('2026-12-01T08:00:00.000Z')
    expect(read('2026-07-01T09:00:30.5')).toBe('2026-07-01T07:00:30.500Z')
    expect(read('2026-07-01T09:00:00Z')).toBe('2026-07-01T09:00:00.000Z')
    expect(read('2026-07-01T09:00:00-05:00')).toBe('2026-07-01T14:00:00.000Z')
    expect(read('2026-07-01T09:00', 'Asia/Kathmandu')).toBe('2026-07-01T03:15:00.000Z')
  })

  it('in a clock gap is moved forward, and an ambiguous time means the first one', () => {
    expect(read('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z') // 03:30 in summer time
    expect(read('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z') // the first of the two, in summer time
    expect(read('2026-03-08T02:15', 'America/New_York')).toBe('2026-03-08T07:15:00.000Z')
    expect(read('2026-11-01T01:15', 'America/New_York')).toBe('2026-11-01T05:15:00.000Z')
    expect(read('2011-12-30T12:00', 'Pacific/Apia')).toBe('2011-12-30T22:00:00.000Z') // a day that does not exist in this zone
  })

  it.each([
    '2026-13-01T00:00',
    '2026-02-30T00:00',
    '2026-02-01',
    '2026-02-01T24:00',
    '2026-02-01T10:00:60Z',
    '2026-02-01T10:00+25:00',
    'tomorrow',
    '2026-02-01T10:00[Europe/Berlin]',
    '2026-W05-1T10:00',
    ' 2026-02-01T10:00',
    '',
  ])('is not %j', text => {
    expect(readTime(text, 'UTC')).toBeUndefined()
  })
})

describe('a time zone', () => {
  it('is an IANA name', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'])
      expect(isTimeZone(name), name).toBe(true)
    for (const name of ['', '+01:00', 'Mars/Olympus', 'Europe', '../etc/passwd', '-05:00'])
      expect(isTimeZone(name), name).toBe(false)
  })
})

const zones = Intl.supportedValuesOf('timeZone')
const localTime = (at: Date, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const partOf = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  return `${partOf('year')}-${partOf('month')}-${partOf('day')}T${partOf('hour')}:${partOf('minute')}:${partOf('second')}`
}
const moments = fc
  .integer({ min: Date.UTC(1990, 0), max: Date.UTC(2037, 0) })
  .map(at => new Date(Math.floor(at / 1_000) * 1_000))

describe('any local time of any zone', () => {
  it('is the first instant at which the clocks of the zone show it', () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), (at, zone) => {
        const result = readTime(localTime(at, zone), zone)
        expect(result).toBeDefined()
        // The clocks show this time at `at`. The result is `at`, or the earlier of two instants.
        expect(localTime(result as Date, zone)).toBe(localTime(at, zone))
        expect((result as Date) <= at).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('in a clock gap is moved forward by the length of the gap', () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), (at, zone) => {
        const text = at.toISOString().slice(0, 19)
        const result = readTime(text, zone) as Date
        const localText = localTime(result, zone)
        if (localText === text) return
        const shift = Date.parse(`${localText}Z`) - at.getTime()
        expect(shift).toBeGreaterThan(0)
        // The offset before the gap is smaller by exactly this shift.
        const offset = (moment: Date) => Date.parse(`${localTime(moment, zone)}Z`) - moment.getTime()
        const beforeGap = new Date(result.getTime() - shift - 1_000)
        expect(offset(result) - offset(beforeGap)).toBe(shift)
      }),
      { numRuns: 2_000 },
    )
  })
})
