import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTokens, keyBytes, type TokenFields } from './token.ts'

const number = fc.integer({ min: 0, max: 0xffffffff })
const marks: fc.Arbitrary<TokenFields> = fc.record({
  workspace: number,
  email: number,
  signature: number,
  campaign: number,
  link: fc.integer({ min: 0, max: 0xffff }),
})
const key = () => randomBytes(keyBytes)
const one = { workspace: 1, email: 2, signature: 3, campaign: 0, link: 4 }

describe('a token', () => {
  const tokens = createTokens([key()])

  it('says what it was made of, and is short enough for its address', () => {
    fc.assert(
      fc.property(marks, given => {
        const token = tokens.make(given)
        expect(token).toMatch(/^[\w-]{36}$/)
        expect(`/o/${token}`.length).toBeLessThanOrEqual(40)
        expect(tokens.open(token)).toEqual(given)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is the same whenever it is made of the same, in any process', () => {
    const secret = key()
    const [here, there] = [createTokens([secret]), createTokens([secret, key()])]
    fc.assert(fc.property(marks, given => there.make(given) === here.make(given)))
  })

  it('is the same when it is made with others, and as it is in mails that were sent long ago', () => {
    const links = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    fc.assert(
      fc.property(marks, links, (given, all) => {
        expect(tokens.makeEach(given, all)).toEqual(all.map(link => tokens.make({ ...given, link })))
      }),
    )
    const old = createTokens([Buffer.alloc(keyBytes, 7)])
    expect(old.make(one)).toBe('lYIAXBmU_z0LfVRwrodpaDIKg7M7g8_3JzZ0')
  })

  it('tells nothing to those who compare: neighbours share no more than their key', () => {
    const made = Array.from({ length: 200 }, (_, email) => tokens.make({ ...one, email }))
    const bytes = made.map(token => Buffer.from(token, 'base64url'))
    for (let at = 1; at < 27; at++) expect(new Set(bytes.map(token => token[at])).size).toBeGreaterThan(80)
    expect(new Set(made).size).toBe(200)
  })

  it('that anybody has changed, cut, joined or made up opens nothing', () => {
    const mine = tokens.make(one)
    const others = createTokens([key()])
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(fc.nat(26), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
            const bytes = Buffer.from(mine, 'base64url')
            bytes[at] = (bytes[at] ?? 0) ^ by
            return bytes.toString('base64url')
          }),
          fc.nat(35).map(length => mine.slice(0, length)),
          fc.string({ maxLength: 60 }),
          fc
            .uint8Array({ minLength: 27, maxLength: 27 })
            .map(bytes => Buffer.from(bytes).toString('base64url')),
          marks.map(given => others.make(given)),
          fc.string({ minLength: 1, maxLength: 3 }).map(more => mine + more),
        ),
        token => tokens.open(token) === null,
      ),
      { numRuns: 10_000 },
    )
  })
})

describe('a new key', () => {
  it('makes the tokens from now on; those of the old one open while it is listed, wherever', () => {
    const [old, young, other] = [key(), key(), key()]
    const before = createTokens([old]).make(one)
    const changed = createTokens([young, other, old])
    expect(changed.make(one)).not.toBe(before)
    expect(changed.open(before)).toEqual(one)
    expect(createTokens([old, young]).open(changed.make(one))).toEqual(one)
    expect(createTokens([young, other]).open(before)).toBeNull()
  })

  it('that shares its number with another is told apart', () => {
    const keys = Array.from({ length: 600 }, key) // of 256 numbers
    const all = createTokens(keys)
    for (const secret of keys.slice(-20)) expect(all.open(createTokens([secret]).make(one))).toEqual(one)
  })
})
