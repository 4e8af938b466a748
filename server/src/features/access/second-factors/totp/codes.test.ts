import { HOTP, Secret } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { isTotpCode, newTotpSecret, stepOfCode, totpUri } from './codes.ts'

/** The secret of the test vectors of RFC 6238, for SHA-1. */
const secret = Secret.fromLatin1('12345678901234567890')
const codeOf = (step: number) => HOTP.generate({ secret, counter: step })
const at = (seconds: number) => new Date(seconds * 1_000)

describe('codes of authenticator apps', () => {
  // RFC 6238, appendix B: the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %i seconds', (seconds, code) => {
    expect(stepOfCode(secret.base32, code, at(seconds))).toBe(Math.floor(seconds / 30))
  })

  it('are accepted one step early and one step late, and not two', () => {
    const step = 50_000_000
    for (const moment of [at(step * 30), at(step * 30 + 29.999)]) {
      const accepted = [-2, -1, 0, 1, 2].map(delta => stepOfCode(secret.base32, codeOf(step + delta), moment))
      expect(accepted).toEqual([null, step - 1, step, step + 1, null])
    }
  })

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６', '12 34', '-12345', '1e5000'])(
    'do not look like %j',
    code => {
      expect(isTotpCode(code)).toBe(false)
      expect(stepOfCode(secret.base32, code, at(59))).toBeNull()
    },
  )

  it('can be typed as apps show them', () => {
    expect(isTotpCode('287 082')).toBe(true)
    expect(stepOfCode(secret.base32, ' 287 082 ', at(59))).toBe(1)
  })

  it('have secrets of 160 random bits', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret)
    expect(new Set(secrets).size).toBe(50)
    for (const text of secrets) expect(text).toMatch(/^[A-Z2-7]{32}$/)
  })

  it('are set up by an address that names the account and the installation', () => {
    const uri = new URL(totpUri('JBSWY3DPEHPK3PXP', 'Signoff: Acme & Co', 'jane+x@example.com'))
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(uri.pathname)).toContain('jane+x@example.com')
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Signoff: Acme & Co',
      secret: 'JBSWY3DPEHPK3PXP',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
