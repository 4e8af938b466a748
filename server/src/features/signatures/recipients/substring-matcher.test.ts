import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TimeSlice } from '#kernel/base/time-slice.ts'
import { type Conditions, compileConditions } from './conditions.ts'
import { createSubstringMatcher } from './substring-matcher.ts'

const shortText = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u{1F600}', 'é'), maxLength: 12 })

describe('searching for many texts at once', () => {
  it('finds the same as a separate search for each text', () => {
    const lists = fc.array(fc.array(shortText, { maxLength: 8 }), { maxLength: 4 })
    fc.assert(
      fc.property(lists, fc.array(shortText, { maxLength: 3 }), (lists, texts) => {
        const find = createSubstringMatcher(lists)
        for (const text of texts)
          expect([...find(text)]).toEqual(lists.map(list => Number(list.some(part => text.includes(part)))))
      }),
      { numRuns: 1_000 },
    )
  })

  it('takes one pass, for any kind of texts', () => {
    const texts = Array.from({ length: 2_000 }, (_, i) => `${'a'.repeat(90)}${i}b`)
    const nested = Array.from({ length: 300 }, (_, i) => `${'a'.repeat(i)}c`)
    const find = createSubstringMatcher([texts, ...nested.map(entry => [entry])])
    for (let i = 0; i < 100; i++) expect(find('a'.repeat(5_000)).every(flag => flag === 0)).toBe(true)
    expect(find(`${'a'.repeat(5_000)}77bc`)).toEqual(Uint8Array.from({ length: 301 }, (_, n) => +(n < 2)))
    expect(find(`${'ac'.repeat(2_500)}`)).toEqual(
      Uint8Array.from({ length: 301 }, (_, n) => +(n === 1 || n === 2)),
    )
  })
})

describe('a rule with many contains conditions', () => {
  it('holds for the same people as its conditions one by one, in any order of people', async () => {
    const parts = Array.from({ length: 100 }, (_, n) => `part ${n};`)
    const contains = (field: string, ...values: string[]) =>
      ({ smart_field_id: field, operator: 'contains', values }) as const
    const conditions: Conditions = parts.map((part, n) => [
      contains('f', part, `other ${n};`),
      contains('g', part, `other ${n};`),
    ])
    const test = compileConditions(conditions)
    const slice = new TimeSlice()
    const text = (part: string) => `${'p'.repeat(3_000)}${part}`
    for (let n = 0; n < 40; n++) {
      const [f, g] = [text(`part ${n};`), text(n % 3 === 0 ? `other ${n};` : `part ${n + 1};`)]
      expect(await test(field => (field === 'f' ? f : g), slice)).toBe(n % 3 === 0)
    }
  })
})
