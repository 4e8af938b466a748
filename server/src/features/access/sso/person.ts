// What an identity provider says about a person, the same for both protocols.

export interface AssertedPerson {
  /** Stable and unique at the provider. */
  readonly subject: string
  readonly email: string | null
  /** The provider says itself that the address belongs to the person. */
  readonly isEmailVerified: boolean
  readonly name: string | null
  readonly groups: readonly string[]
}

const maxGroups = 2_000
const maxLength = 1_000

/** Texts of a claim that is a text, a list of texts, or something else. */
export const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((item): item is string => typeof item === 'string' && item !== '' && item.length <= maxLength)
    .slice(0, maxGroups)

export const firstText = (value: unknown): string | null => textsOf(value)[0] ?? null
