import { createCipheriv, createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cbcMac, createSealedTokens, hmacSha256, tokenKeyBytes } from './sealed-tokens.ts'

const form = { macOf: hmacSha256, macBytes: 12, hasKeyId: false }
const [first, second] = [randomBytes(tokenKeyBytes), randomBytes(tokenKeyBytes)]
const message = fc.uint8Array({ minLength: 1, maxLength: 2_100 }).map(bytes => Buffer.from(bytes))

describe('a sealed message', () => {
  it('is opened by every configured key, and is the same each time', () => {
    const [old, rotated] = [createSealedTokens([first], form), createSealedTokens([second, first], form)]
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
    const sealed = createSealedTokens([first], form)
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
    const sealed = createSealedTokens([first], form)
    const token = sealed.seal(Buffer.from('a'))
    for (const text of ['', 'A', `${token}=`, ` ${token}`, token.toLowerCase(), 'A'.repeat(5_000)])
      expect(sealed.open(text)).toBeUndefined()
    fc.assert(fc.property(fc.string(), text => void expect(sealed.open(text)).toBeUndefined()))
  })

  it('never changes: links in mails sent long ago contain it', () => {
    const sealed = createSealedTokens([Buffer.alloc(tokenKeyBytes, 7)], form)
    expect(sealed.seal(Buffer.from('https://example.com/'))).toBe(
      '73RB0K-qprmHSyZrE6kGr7mmJEo1LRlhiibFg7TmCaQ',
    )
  })

  it('is what OpenSSL’s CTR mode gives, from an HMAC of the message on', () => {
    const sealed = createSealedTokens([first], form)
    fc.assert(
      fc.property(message, bytes => {
        const mac = createHmac('sha256', first.subarray(0, 32)).update(bytes).digest().subarray(0, 12)
        const iv = Buffer.concat([mac, Buffer.alloc(4)])
        const encrypted = createCipheriv('aes-256-ctr', first.subarray(32), iv).update(bytes)
        expect(sealed.seal(bytes)).toBe(Buffer.concat([mac, encrypted]).toString('base64url'))
      }),
    )
  })

  it('is the same when sealed together with others, in both forms', () => {
    const fixed = { macOf: cbcMac(18), macBytes: 8, hasKeyId: true }
    const short = fc.uint8Array({ minLength: 18, maxLength: 18 }).map(bytes => Buffer.from(bytes))
    for (const [used, any] of [
      [form, message],
      [fixed, short],
    ] as const) {
      const sealed = createSealedTokens([first], used)
      fc.assert(
        fc.property(fc.array(any, { maxLength: 9 }), messages => {
          expect(sealed.sealEach(messages)).toEqual(messages.map(bytes => sealed.seal(bytes)))
        }),
      )
    }
  })
})
