// Reads filters: RFC 7644, section 3.4.2.2. The bounds keep every filter cheap to read and to evaluate.
import { ScimError } from '../errors.ts'

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'] as const
export type ScimOperator = (typeof operators)[number]

export interface ScimComparison {
  readonly op: ScimOperator
  /** The text as it was sent: SCIM compares names without case. */
  readonly name: string
  /** Null for `pr`, which has no value. */
  readonly value: string | number | boolean | null
  /** The position of the name in the filter. */
  readonly at: number
}

/** `emails[…]`: one entry of the list matches the filter in the brackets. */
export interface ScimEntryFilter {
  readonly op: 'entry'
  readonly name: string
  readonly filter: ScimFilter
  readonly at: number
}

export type ScimFilter =
  | ScimComparison
  | ScimEntryFilter
  | { readonly op: 'not'; readonly filter: ScimFilter }
  | { readonly op: 'and' | 'or'; readonly filters: readonly ScimFilter[] }

const longestFilter = 4_000
const deepestFilter = 20
const mostComparisons = 50

export const invalidFilter = (at: number, problem: string): ScimError =>
  new ScimError('invalidFilter', `The filter is not valid at character ${at + 1}: ${problem}`)

interface Token {
  readonly text: string
  readonly at: number
}

/** Parentheses, brackets, texts in quotes, and words. */
function tokensOf(text: string): readonly Token[] {
  const space = /\s*/y
  const token = /[()[\]]|"(?:[^"\\]|\\.)*"|[^\s()[\]"]+/sy
  const tokens: Token[] = []
  for (let at = 0; ; at = token.lastIndex) {
    space.lastIndex = at
    space.test(text)
    token.lastIndex = space.lastIndex
    if (token.lastIndex === text.length) return tokens
    const start = token.lastIndex
    const [match] = token.exec(text) ?? []
    if (match === undefined) throw invalidFilter(start, 'the text has no closing quote.')
    tokens.push({ text: match, at: start })
  }
}

const attributeName = /^[a-z$][\w$.:-]*$/i
const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i
const literals: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Undefined for what is no value. PostgreSQL compares neither NUL nor half a surrogate pair. */
function readValue(token: string): ScimComparison['value'] | undefined {
  if (number.test(token)) return Number(token)
  if (!token.startsWith('"')) return literals.get(token.toLowerCase())
  try {
    const text: string = JSON.parse(token)
    return text.includes('\0') || !text.isWellFormed() ? undefined : text
  } catch {
    return undefined
  }
}

class FilterReader {
  readonly #tokens: readonly Token[]
  readonly #end: number
  #next = 0
  #comparisons = 0
  #isInBrackets = false

  constructor(text: string) {
    this.#tokens = tokensOf(text)
    this.#end = text.length
  }

  read(): ScimFilter {
    const filter = this.#joined('or', 0)
    if (this.#next < this.#tokens.length) throw this.#unexpected('and, or, or the end of the filter')
    return filter
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { text: '', at: this.#end }
  }

  #unexpected(expected: string): ScimError {
    const { text, at } = this.#token
    const seen = text === '' ? 'it ends' : `“${text.slice(0, 50).toWellFormed()}” stands`
    return invalidFilter(at, `${seen} where ${expected} is expected.`)
  }

  #takes(word: string): boolean {
    const isNext = this.#token.text.toLowerCase() === word
    if (isNext) this.#next++
    return isNext
  }

  #expect(word: string): void {
    if (!this.#takes(word)) throw this.#unexpected(word)
  }

  /** `and` binds closer than `or`. */
  #joined(op: 'and' | 'or', depth: number): ScimFilter {
    const filters: ScimFilter[] = []
    do filters.push(op === 'or' ? this.#joined('and', depth) : this.#term(depth))
    while (this.#takes(op))
    const [first] = filters
    return first && filters.length === 1 ? first : { op, filters }
  }

  #term(depth: number): ScimFilter {
    if (depth > deepestFilter) throw invalidFilter(this.#token.at, 'it is nested too deeply.')
    const isNegated = this.#takes('not')
    if (!isNegated && this.#token.text !== '(') return this.#attribute(depth)
    this.#expect('(')
    const filter = this.#joined('or', depth + 1)
    this.#expect(')')
    return isNegated ? { op: 'not', filter } : filter
  }

  #attribute(depth: number): ScimFilter {
    const { text: name, at } = this.#token
    if (!attributeName.test(name)) throw this.#unexpected('an attribute')
    this.#next++
    if (this.#isInBrackets || !this.#takes('[')) return this.#comparison(name, at)
    this.#isInBrackets = true
    const filter = this.#joined('or', depth + 1)
    this.#isInBrackets = false
    this.#expect(']')
    const part = this.#token
    if (!part.text.startsWith('.')) return { op: 'entry', name, filter, at }
    // `emails[type eq "work"].value eq "…"`, as Entra writes it, is about one entry too.
    this.#next++
    const compared = this.#comparison(part.text.slice(1), part.at)
    return { op: 'entry', name, filter: { op: 'and', filters: [filter, compared] }, at }
  }

  #comparison(name: string, at: number): ScimFilter {
    if (++this.#comparisons > mostComparisons)
      throw invalidFilter(at, `it has more than ${mostComparisons} comparisons.`)
    const op = operators.find(operator => this.#takes(operator))
    if (op === undefined) throw this.#unexpected(operators.join(', '))
    const presence: ScimFilter = { op: 'pr', name, value: null, at }
    if (op === 'pr') return presence
    const value = readValue(this.#token.text)
    // RFC 7643, section 2.5: null is the same as no value, and has no order or parts.
    if (value === undefined || (value === null && op !== 'eq' && op !== 'ne'))
      throw this.#unexpected(`a value for ${op}, such as a text in quotes,`)
    this.#next++
    if (value !== null) return { op, name, value, at }
    return op === 'ne' ? presence : { op: 'not', filter: presence }
  }
}

/** Throws `invalidFilter`. Also for the filters inside of paths. */
export function parseScimFilter(text: string): ScimFilter {
  if (text.length > longestFilter)
    throw invalidFilter(longestFilter, `it has more than ${longestFilter} characters.`)
  return new FilterReader(text).read()
}
