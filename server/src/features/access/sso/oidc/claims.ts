// Reads a person from the claims of an ID token.
import { type AssertedPerson, firstText, textsOf } from '../person.ts'
import type { Claims } from './client.ts'

export interface ClaimNames {
  readonly email_claim: string | null
  readonly group_claim: string | null
}

/** A claim by its name, or by a path: `realm_access.roles`. A name can contain dots itself. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** True if the user-info endpoint must be asked: some providers put next to nothing into the ID token. */
export const lacksClaims = (claims: Claims, { email_claim, group_claim }: ClaimNames): boolean =>
  claimOf(claims, email_claim ?? 'email') === undefined ||
  (group_claim !== null && claimOf(claims, group_claim) === undefined)

export const personOfClaims = (claims: Claims, { email_claim, group_claim }: ClaimNames): AssertedPerson => ({
  subject: String(claims.sub),
  email: firstText(claimOf(claims, email_claim ?? 'email')),
  // `email_verified` speaks about the claim `email` alone. Some providers send it as a text.
  isEmailVerified:
    (email_claim === null || email_claim === 'email') &&
    (claims.email_verified === true || claims.email_verified === 'true'),
  name: firstText(claims.name),
  groups: group_claim === null ? [] : textsOf(claimOf(claims, group_claim)),
})
