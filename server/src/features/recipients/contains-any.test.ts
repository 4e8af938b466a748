import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containsAny } from './contains-any.ts'

const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u{1F600}', 'é'), maxLength: 12 })

describe('searching for many texts at once', () => {
  it('finds what searching for each alone finds', () => {
    fc.assert(
      fc.property(fc.array(short, { maxLength: 8 }), short, (wanted, text) => {
        expect(containsAny(wanted)(text)).toBe(wanted.some(part => text.includes(part)))
      }),
      { numRuns: 3_000 },
    )
  })

  it('takes one pass, whatever the texts are like', () => {
    const wanted = Array.from({ length: 2_000 }, (_, i) => `${'a'.repeat(90)}${i}b`)
    const contains = containsAny(wanted)
    for (let i = 0; i < 100; i++) expect(contains('a'.repeat(5_000))).toBe(false)
    expect(contains(`${'a'.repeat(5_000)}77b`)).toBe(true)
  })
})
