// Recovery codes: four groups of four characters, 80 random bits, so that a plain hash protects them.
import { hash, randomBytes } from 'node:crypto'

export const recoveryCodeCount = 10

/** Crockford's base32 in lower case: without i, l, o and u, which look like others or make words. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const codeLength = 16

function newRecoveryCode(): string {
  const letters = [...randomBytes(codeLength)].map(byte => alphabet.charAt(byte % alphabet.length)).join('')
  return letters.replaceAll(/.{4}(?=.)/g, '$&-')
}

export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: recoveryCodeCount }, newRecoveryCode)

/** As it is hashed: typed in any case, with or without spaces and hyphens, with letters that look alike. */
const plainCode = (code: string): string =>
  code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')

/** The account is part of the hash: equal codes of two accounts do not look alike. */
export const hashRecoveryCode = (accountId: string, code: string): Buffer =>
  hash('sha256', `${accountId}:${plainCode(code)}`, 'buffer')
