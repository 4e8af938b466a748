// Rules that choose people by their values: groups of conditions, of which one group must hold as a whole.
import { comparisonKey } from '#kernel/text.ts'
import type { TimeSlice } from '#kernel/time-slice.ts'
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

/** Outer list: or. Inner list: and. No group at all chooses nobody. */
export type Conditions = readonly (readonly Condition[])[]

/** `value` is comparable, and empty where there is none. */
type Holds = (value: string, slice: TimeSlice) => boolean | Promise<boolean>

/** From how many characters on a search for all of them can take more than a moment. */
const manyCharacters = 500
/** A search of so many characters in so many others, multiplied, takes less than a millisecond whatever they are. */
const quickProduct = 200_000
/** An automaton takes as long to make as some searches: it is made for many people alone. */
const manySearches = 5

const charactersOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

const isFound = (wanted: readonly string[], value: string): boolean =>
  wanted.some(part => value.includes(part))

/** All conditions of one field that search in its value: a large value is searched once for all of them. */
class Searches {
  readonly #lists: (readonly string[])[] = []
  #characters = 0
  #searched = 0
  #find: SubstringMatcher | undefined
  /** The last value, and what is known of it: by list, or of all lists. */
  #value: string | undefined
  #alone: Promise<boolean>[] = []
  #found: Uint8Array | undefined

  add(wanted: readonly string[]): Holds {
    const list = this.#lists.push(wanted) - 1
    this.#characters += charactersOf(wanted)
    return (value, slice) => this.#holds(list, value, slice)
  }

  #holds(list: number, value: string, slice: TimeSlice): boolean | Promise<boolean> {
    const wanted = this.#lists[list] ?? []
    if (value.length * this.#characters < quickProduct) return isFound(wanted, value)
    if (value !== this.#value) {
      this.#value = value
      this.#alone = []
      this.#found = undefined
      this.#searched += 1
    }
    if (this.#searched <= manySearches) {
      this.#alone[list] ??= isFoundInSlices(wanted, value, slice)
      return this.#alone[list]
    }
    this.#find ??= createSubstringMatcher(this.#lists)
    this.#found ??= this.#find(value)
    return this.#found[list] === 1
  }
}

async function isFoundInSlices(wanted: readonly string[], value: string, slice: TimeSlice): Promise<boolean> {
  for (const part of wanted) {
    if (value.includes(part)) return true
    await slice.pause()
  }
  return false
}

function isAmong(wanted: readonly string[]): (value: string) => boolean {
  const known = new Set(wanted)
  return value => known.has(value)
}

const unlessEmpty =
  (holds: Holds): Holds =>
  (value, slice) =>
    value !== '' && holds(value, slice)

const matchers: Readonly<Record<Exclude<Operator, 'contains'>, (wanted: readonly string[]) => Holds>> = {
  is_any_of: wanted => unlessEmpty(isAmong(wanted)),
  is_none_of: wanted => {
    const isOne = isAmong(wanted)
    return value => value === '' || !isOne(value)
  },
  starts_with: wanted => unlessEmpty(value => wanted.some(part => value.startsWith(part))),
  ends_with: wanted => unlessEmpty(value => wanted.some(part => value.endsWith(part))),
  is_set: () => value => value !== '',
  is_not_set: () => value => value === '',
}

/** What one rule may hold in all: each value of each person is compared with all of it, again with every change. */
export const ruleLimits = { conditions: 500, values: 5_000, characters: 50_000 } as const

/** How a rule exceeds its limits; undefined when it does not. */
export function excessOf(conditions: Conditions): string | undefined {
  const all = conditions.flat()
  const values = all.flatMap(condition => condition.values ?? [])
  const sizes = { conditions: all.length, values: values.length, characters: charactersOf(values) }
  for (const [what, limit] of Object.entries(ruleLimits)) {
    const size = sizes[what as keyof typeof sizes]
    if (size > limit) return `${size} ${what} in all; at most ${limit} are taken`
  }
  return undefined
}

/** The comparable value of a smart field; empty where there is none. */
export type ValueOf = (fieldId: string) => string

/** Whether the conditions hold for a person. A large rule takes its time in slices. */
export type Test = (read: ValueOf, slice: TimeSlice) => boolean | Promise<boolean>

interface Prepared {
  readonly field: string
  readonly holds: Holds
}

/** Made ready for many people. */
export function compileConditions(conditions: Conditions): Test {
  const searches = new Map<string, Searches>()
  let characters = 0
  const search = (field: string, wanted: readonly string[]): Holds => {
    const ofField = searches.get(field) ?? new Searches()
    searches.set(field, ofField)
    characters += charactersOf(wanted)
    return unlessEmpty(ofField.add(wanted))
  }
  const prepare = ({ smart_field_id, operator = 'is_any_of', values = [] }: Condition): Prepared => {
    const field = smart_field_id.toLowerCase()
    const wanted = values.map(comparisonKey)
    return { field, holds: operator === 'contains' ? search(field, wanted) : matchers[operator](wanted) }
  }
  const groups = conditions.map(group => group.map(prepare))
  if (characters >= manyCharacters) return (read, slice) => holdsInSlices(groups, readOnce(read), slice)
  return (read, slice) =>
    groups.some(group => group.every(({ field, holds }) => holds(read(field), slice) === true))
}

/** Making a value comparable takes its time too. */
function readOnce(read: ValueOf): ValueOf {
  const known = new Map<string, string>()
  return field => {
    const value = known.get(field) ?? read(field)
    known.set(field, value)
    return value
  }
}

async function holdsInSlices(
  groups: readonly (readonly Prepared[])[],
  read: ValueOf,
  slice: TimeSlice,
): Promise<boolean> {
  for (const group of groups) {
    let isHeld = true
    for (const { field, holds } of group) {
      isHeld = await holds(read(field), slice)
      await slice.pause()
      if (!isHeld) break
    }
    if (isHeld) return true
  }
  return false
}

export const fieldsIn = (conditions: Conditions): string[] => [
  ...new Set(conditions.flat().map(condition => condition.smart_field_id.toLowerCase())),
]
