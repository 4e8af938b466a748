import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSealedBytes, sealKeyBytes } from './sealed-bytes.ts'

const [first, second] = [randomBytes(sealKeyBytes), randomBytes(sealKeyBytes)]
const message = fc.uint8Array({ minLength: 1, maxLength: 2_100 }).map(bytes => Buffer.from(bytes))

describe('a sealed message', () => {
  it('is opened by every configured key, and is the same each time', () => {
    const [old, rotated] = [createSealedBytes([first]), createSealedBytes([second, first])]
    fc.assert(
      fc.property(message, bytes => {
        const token = old.seal(bytes)
        expect(old.seal(bytes)).toBe(token)
        expect(rotated.open(token)).toEqual(bytes)
        expect(rotated.seal(bytes)).not.toBe(token)
        expect(old.open(rotated.seal(bytes))).toBeUndefined()
      }),
    )
  })

  it('cannot be changed, extended or shortened', () => {
    const sealed = createSealedBytes([first])
    fc.assert(
      fc.property(message, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, change) => {
        const token = Buffer.from(sealed.seal(bytes), 'base64url')
        const forged = Buffer.from(token)
        forged[at % forged.length] = (forged[at % forged.length] ?? 0) ^ change
        for (const attempt of [forged, token.subarray(0, -1), Buffer.concat([token, Buffer.from([change])])])
          expect(sealed.open(attempt.toString('base64url'))).toBeUndefined()
      }),
    )
  })

  it('is not opened from other texts', () => {
    const sealed = createSealedBytes([first])
    const token = sealed.seal(Buffer.from('a'))
    for (const text of ['', 'A', `${token}=`, ` ${token}`, token.toLowerCase(), 'A'.repeat(5_000)])
      expect(sealed.open(text)).toBeUndefined()
    fc.assert(fc.property(fc.string(), text => void expect(sealed.open(text)).toBeUndefined()))
  })
})
