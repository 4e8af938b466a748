// Rules that choose people by their values: groups of conditions, of which one group must hold as a whole.
import { comparable } from '../../kernel/db.ts'
import { containsAny } from './contains-any.ts'

export const operators = [
  'is_any_of',
  'is_none_of',
  'contains',
  'starts_with',
  'ends_with',
  'is_set',
  'is_not_set',
] as const
export type Operator = (typeof operators)[number]

export interface Condition {
  readonly smart_field_id: string
  readonly operator?: Operator
  readonly values?: readonly string[]
}

/** Outer list: or. Inner list: and. No group at all chooses nobody. */
export type Conditions = readonly (readonly Condition[])[]

/** `value` is comparable, and empty where there is none. */
type Holds = (value: string) => boolean

/** From how many characters on it is worth making an automaton. */
const manyCharacters = 500

function contains(wanted: readonly string[]): Holds {
  const characters = wanted.reduce((sum, part) => sum + part.length, 0)
  if (characters < manyCharacters) return value => wanted.some(part => value.includes(part))
  let automaton: Holds | undefined
  return value => {
    automaton ??= containsAny(wanted)
    return automaton(value)
  }
}

function isAmong(wanted: readonly string[]): Holds {
  const known = new Set(wanted)
  return value => known.has(value)
}

const unlessEmpty =
  (holds: Holds): Holds =>
  value =>
    value !== '' && holds(value)

const matchers: Readonly<Record<Operator, (wanted: readonly string[]) => Holds>> = {
  is_any_of: wanted => unlessEmpty(isAmong(wanted)),
  is_none_of: wanted => {
    const isOne = isAmong(wanted)
    return value => value === '' || !isOne(value)
  },
  contains: wanted => unlessEmpty(contains(wanted)),
  starts_with: wanted => unlessEmpty(value => wanted.some(part => value.startsWith(part))),
  ends_with: wanted => unlessEmpty(value => wanted.some(part => value.endsWith(part))),
  is_set: () => value => value !== '',
  is_not_set: () => value => value === '',
}

/** What one rule may hold in all: each value of each person is compared with all of it, again with every change. */
export const ruleLimits = { conditions: 500, values: 10_000, characters: 200_000 } as const

/** How a rule exceeds its limits; undefined when it does not. */
export function excessOf(conditions: Conditions): string | undefined {
  const all = conditions.flat()
  const values = all.flatMap(condition => condition.values ?? [])
  const sizes = {
    conditions: all.length,
    values: values.length,
    characters: values.reduce((sum, value) => sum + value.length, 0),
  }
  for (const [what, limit] of Object.entries(ruleLimits)) {
    const size = sizes[what as keyof typeof sizes]
    if (size > limit) return `${size} ${what} in all; at most ${limit} are taken`
  }
  return undefined
}

/** The comparable value of a smart field; empty where there is none. */
export type ValueOf = (fieldId: string) => string

export type Test = (read: ValueOf) => boolean

/** Made ready for many people. */
export function compileConditions(conditions: Conditions): Test {
  const groups = conditions.map(group =>
    group.map(({ smart_field_id, operator = 'is_any_of', values = [] }) => ({
      field: smart_field_id.toLowerCase(),
      holds: matchers[operator](values.map(comparable)),
    })),
  )
  return read => groups.some(group => group.every(({ field, holds }) => holds(read(field))))
}

export const fieldsIn = (conditions: Conditions): string[] => [
  ...new Set(conditions.flat().map(condition => condition.smart_field_id.toLowerCase())),
]
