// Codes of authenticator apps: RFC 6238 with SHA-1, 6 digits and 30 seconds, the one form that every app knows.
import { Secret, TOTP } from 'otpauth'

const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Clocks can differ by one step in both directions. */
const window = 1

/** 160 bits, as RFC 4226 recommends, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The text of the QR code for the app. */
export const totpUri = (secret: string, issuer: string, email: string): string =>
  new TOTP({ ...parameters, secret: Secret.fromBase32(secret), issuer, label: email }).toString()

/** Apps show a code as two groups of three digits. */
const digitsOf = (code: string): string => code.replaceAll(/\s/g, '')

/** Anything else is a recovery code. */
export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(digitsOf(code))

/** The time step that the code belongs to; null when it is not a code of now. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!isTotpCode(code)) return null
  const timestamp = now.getTime()
  const delta = TOTP.validate({
    ...parameters,
    secret: Secret.fromBase32(secret),
    token: digitsOf(code),
    timestamp,
    window,
  })
  return delta === null ? null : TOTP.counter({ period: parameters.period, timestamp }) + delta
}
