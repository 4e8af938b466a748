import { describe, expect, it } from 'vitest'
import { hashRecoveryCode, newRecoveryCodes } from './codes.ts'

const account = '01890000-0000-7000-8000-000000000001'

describe('recovery codes', () => {
  it('are ten, all different, in four groups', () => {
    const codes = newRecoveryCodes()
    expect(codes).toHaveLength(10)
    expect(new Set([...codes, ...newRecoveryCodes()]).size).toBe(20)
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  })

  it('use every character of their alphabet about as often', () => {
    const letters = Array.from({ length: 400 }, newRecoveryCodes).flat().join('').replaceAll('-', '')
    const counts = Map.groupBy(letters, letter => letter)
    expect(counts.size).toBe(32)
    // 64,000 characters: 2,000 each, with a standard deviation of 44.
    for (const [, occurrences] of counts) expect(Math.abs(occurrences.length - 2_000)).toBeLessThan(400)
  })

  it('can be typed in any case, without hyphens, and with letters that look alike', () => {
    const expected = hashRecoveryCode(account, '01ab-cdef-ghjk-1110')
    for (const typed of ['01ABCDEFGHJK1110', ' 01ab cdef ghjk 1110 ', 'oiab-cdef-ghjk-lLIO'])
      expect(hashRecoveryCode(account, typed)).toEqual(expected)
    expect(hashRecoveryCode(account, '01ab-cdef-ghjk-1111')).not.toEqual(expected)
  })

  it('have another hash for another account', () => {
    const other = '01890000-0000-7000-8000-000000000002'
    expect(hashRecoveryCode(other, '01ab-cdef-ghjk-1110')).not.toEqual(
      hashRecoveryCode(account, '01ab-cdef-ghjk-1110'),
    )
  })
})
