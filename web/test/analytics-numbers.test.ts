// Numbers of the analytics add up, and are compared with the same weekdays.
import { describe, expect, it } from 'vitest'
import { unknownOf } from '../src/pages/analytics/breakdown/unknown.ts'
import { wholeWeeks } from '../src/ui/form/days.ts'

describe('countries', () => {
  it('add up to the total with those that are not known', () => {
    const rows = [
      { views: 700, clicks: 40 },
      { views: 334, clicks: 33 },
    ]
    expect(unknownOf(rows, { views: 1_471, clicks: 109 })).toEqual({ views: 437, clicks: 36 })
    expect(unknownOf(rows, { views: 1_034, clicks: 73 })).toBeUndefined()
    // Between the two requests more can be counted.
    expect(unknownOf(rows, { views: 1_000, clicks: 73 })).toBeUndefined()
  })
})

describe('the period before', () => {
  it('is whole weeks earlier, and does not overlap', () => {
    expect([1, 7, 8, 30, 90, 365].map(wholeWeeks)).toEqual([7, 7, 14, 35, 91, 371])
  })
})
