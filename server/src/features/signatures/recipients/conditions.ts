// Rules select people by their smart field values. A rule is a list of groups; it holds if all conditions of at least
// one group hold.
import type { SmartFieldName } from '#features/workspace/smart-fields/index.ts'
import type { TimeSlice } from '#kernel/base/time-slice.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { createSubstringMatcher, type SubstringMatcher } from './substring-matcher.ts'

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

/** The condition of a request: the field is named by its id or by its key. */
export interface ConditionInput extends Omit<Condition, 'smart_field_id'>, SmartFieldName {}

/** Outer list: or. Inner list: and. An empty outer list matches no person. */
export type Conditions = readonly (readonly Condition[])[]

/** `value` is normalized for comparison (`comparisonKey`), and empty when the person has no value. */
type ConditionTest = (value: string, slice: TimeSlice) => boolean | Promise<boolean>

/** Characters in `contains` conditions from which on a rule is evaluated in time slices. */
const manyCharacters = 500
/** Value length × search characters. Below this product a plain search takes less than a millisecond at worst. */
const quickProduct = 200_000
/** Building the automaton costs as much as some searches, so it is built only after this many different values. */
const manySearches = 5

const charactersOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

const isFound = (parts: readonly string[], value: string): boolean => parts.some(part => value.includes(part))

/** All `contains` conditions of one field. A large value is searched once for all of them. */
class FieldSearches {
  readonly #lists: (readonly string[])[] = []
  #characters = 0
  #searched = 0
  #find: SubstringMatcher | undefined
  /** The last value with its cached results: per list, or from the automaton for all lists. */
  #value: string | undefined
  #alone: Promise<boolean>[] = []
  #found: Uint8Array | undefined

  add(parts: readonly string[]): ConditionTest {
    const list = this.#lists.push(parts) - 1
    this.#characters += charactersOf(parts)
    return (value, slice) => this.#holds(list, value, slice)
  }

  #holds(list: number, value: string, slice: TimeSlice): boolean | Promise<boolean> {
    const parts = this.#lists[list] ?? []
    if (value.length * this.#characters < quickProduct) return isFound(parts, value)
    if (value !== this.#value) {
      this.#value = value
      this.#alone = []
      this.#found = undefined
      this.#searched += 1
    }
    if (this.#searched <= manySearches) {
      this.#alone[list] ??= isFoundInSlices(parts, value, slice)
      return this.#alone[list]
    }
    this.#find ??= createSubstringMatcher(this.#lists)
    this.#found ??= this.#find(value)
    return this.#found[list] === 1
  }
}

async function isFoundInSlices(parts: readonly string[], value: string, slice: TimeSlice): Promise<boolean> {
  for (const part of parts) {
    if (value.includes(part)) return true
    await slice.pause()
  }
  return false
}

function isMemberOf(parts: readonly string[]): (value: string) => boolean {
  const set = new Set(parts)
  return value => set.has(value)
}

const unlessEmpty =
  (holds: ConditionTest): ConditionTest =>
  (value, slice) =>
    value !== '' && holds(value, slice)

const matchers: Readonly<Record<Exclude<Operator, 'contains'>, (parts: readonly string[]) => ConditionTest>> =
  {
    is_any_of: parts => unlessEmpty(isMemberOf(parts)),
    is_none_of: parts => {
      const isListed = isMemberOf(parts)
      return value => value === '' || !isListed(value)
    },
    starts_with: parts => unlessEmpty(value => parts.some(part => value.startsWith(part))),
    ends_with: parts => unlessEmpty(value => parts.some(part => value.endsWith(part))),
    is_set: () => value => value !== '',
    is_not_set: () => value => value === '',
  }

/** Limits of one rule. Every change compares each value of each person with the complete rule. */
const ruleLimits = { conditions: 500, values: 5_000, characters: 50_000 } as const

/** Describes how a rule exceeds its limits; undefined when it does not. */
export function excessOf(conditions: readonly (readonly ConditionInput[])[]): string | undefined {
  const all = conditions.flat()
  const values = all.flatMap(condition => condition.values ?? [])
  const sizes = { conditions: all.length, values: values.length, characters: charactersOf(values) }
  for (const [unit, limit] of Object.entries(ruleLimits)) {
    const size = sizes[unit as keyof typeof sizes]
    if (size > limit) return `${size} ${unit} in all; at most ${limit} are taken`
  }
  return undefined
}

/** The value of a smart field, normalized for comparison; empty when there is none. */
type ValueOf = (fieldId: string) => string

/** True if the conditions hold for a person. A large rule is evaluated in time slices. */
type RuleTest = (read: ValueOf, slice: TimeSlice) => boolean | Promise<boolean>

interface CompiledCondition {
  readonly field: string
  readonly holds: ConditionTest
}

/** Compiles a rule once, to test many people with it. */
export function compileConditions(conditions: Conditions): RuleTest {
  const searches = new Map<string, FieldSearches>()
  let characters = 0
  const search = (field: string, parts: readonly string[]): ConditionTest => {
    const fieldSearches = searches.get(field) ?? new FieldSearches()
    searches.set(field, fieldSearches)
    characters += charactersOf(parts)
    return unlessEmpty(fieldSearches.add(parts))
  }
  const prepare = ({ smart_field_id, operator = 'is_any_of', values = [] }: Condition): CompiledCondition => {
    const field = smart_field_id.toLowerCase()
    const parts = values.map(comparisonKey)
    return { field, holds: operator === 'contains' ? search(field, parts) : matchers[operator](parts) }
  }
  const groups = conditions.map(group => group.map(prepare))
  if (characters >= manyCharacters) return (read, slice) => holdsInSlices(groups, readOnce(read), slice)
  return (read, slice) =>
    groups.some(group => group.every(({ field, holds }) => holds(read(field), slice) === true))
}

/** Caches values, because normalizing a value takes time too. */
function readOnce(read: ValueOf): ValueOf {
  const cache = new Map<string, string>()
  return field => {
    const value = cache.get(field) ?? read(field)
    cache.set(field, value)
    return value
  }
}

async function holdsInSlices(
  groups: readonly (readonly CompiledCondition[])[],
  read: ValueOf,
  slice: TimeSlice,
): Promise<boolean> {
  for (const group of groups) {
    let isMatch = true
    for (const { field, holds } of group) {
      isMatch = await holds(read(field), slice)
      await slice.pause()
      if (!isMatch) break
    }
    if (isMatch) return true
  }
  return false
}

export const fieldsIn = (conditions: Conditions): string[] => [
  ...new Set(conditions.flat().map(condition => condition.smart_field_id.toLowerCase())),
]
