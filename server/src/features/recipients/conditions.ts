// Rules that choose people by their values: groups of conditions, of which one group must hold as a whole.
import { comparable } from '../../kernel/db.ts'

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
type Holds = (value: string, wanted: readonly string[]) => boolean

const holds: Readonly<Record<Operator, Holds>> = {
  is_any_of: (value, wanted) => value !== '' && wanted.includes(value),
  is_none_of: (value, wanted) => value === '' || !wanted.includes(value),
  contains: (value, wanted) => value !== '' && wanted.some(part => value.includes(part)),
  starts_with: (value, wanted) => value !== '' && wanted.some(part => value.startsWith(part)),
  ends_with: (value, wanted) => value !== '' && wanted.some(part => value.endsWith(part)),
  is_set: value => value !== '',
  is_not_set: value => value === '',
}

/** The comparable value of a smart field; empty where there is none. */
export type ValueOf = (fieldId: string) => string

export type Test = (read: ValueOf) => boolean

/** Made ready for many people. */
export function compileConditions(conditions: Conditions): Test {
  const groups = conditions.map(group =>
    group.map(({ smart_field_id, operator = 'is_any_of', values = [] }) => ({
      field: smart_field_id.toLowerCase(),
      test: holds[operator],
      wanted: values.map(comparable),
    })),
  )
  return read => groups.some(group => group.every(({ field, test, wanted }) => test(read(field), wanted)))
}

export const fieldsIn = (conditions: Conditions): string[] => [
  ...new Set(conditions.flat().map(condition => condition.smart_field_id.toLowerCase())),
]
