import { createCipheriv, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenKeyBytes } from '#kernel/base/sealed-tokens.ts'
import { createTokens, type TokenFields } from './token.ts'

const number = fc.integer({ min: 0, max: 0xffffffff })
const anyFields: fc.Arbitrary<TokenFields> = fc.record({
  workspace: number,
  email: number,
  signature: number,
  campaign: number,
  link: fc.integer({ min: 0, max: 0xffff }),
})
const key = () => randomBytes(tokenKeyBytes)
const fields = { workspace: 1, email: 2, signature: 3, campaign: 0, link: 4 }

describe('a token', () => {
  const tokens = createTokens([key()])

  it('opens to the fields that it was made of, and is short enough for its address', () => {
    fc.assert(
      fc.property(anyFields, given => {
        const token = tokens.make(given)
        expect(token).toMatch(/^[\w-]{36}$/)
        expect(`/o/${token}`.length).toBeLessThanOrEqual(40)
        expect(tokens.open(token)).toEqual(given)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is the same for the same fields, in any process', () => {
    const secret = key()
    const [first, second] = [createTokens([secret]), createTokens([secret, key()])]
    fc.assert(fc.property(anyFields, given => second.make(given) === first.make(given)))
  })

  it('is the same when made in a batch, and never changes (mails sent long ago contain it)', () => {
    const links = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    fc.assert(
      fc.property(anyFields, links, (given, all) => {
        expect(tokens.makeEach(given, all)).toEqual(all.map(link => tokens.make({ ...given, link })))
      }),
    )
    const fixed = createTokens([Buffer.alloc(tokenKeyBytes, 7)])
    expect(fixed.make(fields)).toBe('lYIAXBmU_z0LfVRwrodpaDIKg7M7g8_3JzZ0')
  })

  it('is what OpenSSL’s CBC and CTR modes give: a CBC-MAC, then the fields encrypted from it on', () => {
    const secret = key()
    const independent = createTokens([secret])
    const [macKey, encryptionKey] = [secret.subarray(0, 32), secret.subarray(32)]
    const zeroIv = Buffer.alloc(16)
    fc.assert(
      fc.property(anyFields, given => {
        const plain = Buffer.alloc(32) // the 18 bytes of the fields, padded to two blocks
        plain.writeUInt32BE(given.workspace, 0)
        plain.writeUInt32BE(given.email, 4)
        plain.writeUInt32BE(given.signature, 8)
        plain.writeUInt32BE(given.campaign, 12)
        plain.writeUInt16BE(given.link, 16)
        const chained = createCipheriv('aes-256-cbc', macKey, zeroIv).update(plain)
        const mac = chained.subarray(16, 24)
        const iv = Buffer.concat([mac, Buffer.alloc(8)])
        const encrypted = createCipheriv('aes-256-ctr', encryptionKey, iv).update(plain.subarray(0, 18))
        const token = Buffer.from(independent.make(given), 'base64url')
        expect(token.subarray(1)).toEqual(Buffer.concat([mac, encrypted]))
      }),
    )
  })

  it('shows no similarity to the tokens of similar fields, apart from the byte of the key', () => {
    const neighbours = Array.from({ length: 200 }, (_, email) => tokens.make({ ...fields, email }))
    const bytes = neighbours.map(token => Buffer.from(token, 'base64url'))
    for (let at = 1; at < 27; at++) expect(new Set(bytes.map(token => token[at])).size).toBeGreaterThan(80)
    expect(new Set(neighbours).size).toBe(200)
  })

  it('does not open if it was changed, cut, extended or made up', () => {
    const valid = tokens.make(fields)
    const otherTokens = createTokens([key()])
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(fc.nat(26), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
            const bytes = Buffer.from(valid, 'base64url')
            bytes[at] = (bytes[at] ?? 0) ^ by
            return bytes.toString('base64url')
          }),
          fc.nat(35).map(length => valid.slice(0, length)),
          fc.string({ maxLength: 60 }),
          fc
            .uint8Array({ minLength: 27, maxLength: 27 })
            .map(bytes => Buffer.from(bytes).toString('base64url')),
          anyFields.map(given => otherTokens.make(given)),
          fc.string({ minLength: 1, maxLength: 3 }).map(suffix => valid + suffix),
        ),
        token => tokens.open(token) === null,
      ),
      { numRuns: 10_000 },
    )
  })
})

describe('a new key', () => {
  it('makes all new tokens; tokens of the old key open while it is configured, in any position', () => {
    const [oldKey, newKey, otherKey] = [key(), key(), key()]
    const before = createTokens([oldKey]).make(fields)
    const changed = createTokens([newKey, otherKey, oldKey])
    expect(changed.make(fields)).not.toBe(before)
    expect(changed.open(before)).toEqual(fields)
    expect(createTokens([oldKey, newKey]).open(changed.make(fields))).toEqual(fields)
    expect(createTokens([newKey, otherKey]).open(before)).toBeNull()
  })

  it('with the same key id as another key works too', () => {
    const keys = Array.from({ length: 600 }, key) // there are 256 ids
    const all = createTokens(keys)
    for (const secret of keys.slice(-20))
      expect(all.open(createTokens([secret]).make(fields))).toEqual(fields)
  })
})
