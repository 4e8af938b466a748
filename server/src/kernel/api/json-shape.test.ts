import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLimits, shapeProblems } from './json-shape.ts'

const list = (count: number, item: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => item(n)).join(',')
const codes = (text: string) => shapeProblems(Buffer.from(text)).map(({ field, code }) => [field, code])
/** Makes a body large enough to be checked. */
const padded = (text: string) => `${text}${' '.repeat(jsonLimits.harmlessBytes)}`

describe('the shape of a large body', () => {
  it('is refused when it is too deep, or has too many objects or properties', () => {
    expect(codes(padded('['.repeat(1_001) + ']'.repeat(1_001)))).toEqual([['body', 'invalid']])
    expect(codes(padded(`[${list(30_001, () => '{}')}]`))).toEqual([['body', 'too_many']])
    expect(codes(`{${list(10_001, n => `"p${n}":1`)}}`)).toEqual([['body', 'too_many']])
  })

  it('is accepted up to the limits, and items of lists are not properties', () => {
    expect(codes(padded('['.repeat(1_000) + ']'.repeat(1_000)))).toEqual([])
    expect(codes(padded(`[${list(30_000, () => '{}')}]`))).toEqual([])
    expect(codes(`{${list(10_000, n => `"p${n}":1`)}}`)).toEqual([])
    expect(codes(`[${list(200_000, String)}]`)).toEqual([])
  })

  it('does not count brackets and commas inside texts', () => {
    expect(codes(JSON.stringify({ a: '{['.repeat(50_000), 'b\\"': '\\",{'.repeat(50_000) }))).toEqual([])
  })

  it('can be read for any JSON, and ordinary JSON is accepted', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), text => {
        expect(codes(padded(text))).toEqual([])
      }),
    )
  })
})
