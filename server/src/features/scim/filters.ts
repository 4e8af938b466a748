// Filters of lists. Only what providers send is understood: comparisons by `eq`, joined by `and`.
import { type Filter, parse } from 'scim2-parse-filter'
import { groupUrn, userUrn } from './attributes.ts'
import { ScimError } from './errors.ts'

/** One comparison. `attribute` is in lower case, such as `username` or `emails.value`. */
export interface ScimCondition {
  readonly attribute: string
  readonly value: string | boolean
  /** Of `emails[type eq "work"].value`. */
  readonly type?: string
}

export const longestFilter = 1_000
const mostConditions = 10

const unsupported = (text: string): ScimError =>
  new ScimError(
    'invalidFilter',
    `The filter “${text.slice(0, 200)}” is not supported: compare attributes with eq, and join comparisons with and.`,
  )

/** The parser takes exponential time for line breaks in a text without an end. */
const control = /\p{Cc}/u

/** Throws `invalidFilter`. Also for the filters inside of paths. */
export function parseScimFilter(text: string): Filter {
  if (text.length > longestFilter || control.test(text)) throw unsupported(text)
  try {
    return parse(text)
  } catch {
    throw unsupported(text)
  }
}

/** `urn:…:User:userName` is `userName`. */
function plainName(path: string): string {
  const lower = path.toLowerCase()
  const prefix = [userUrn, groupUrn].map(urn => `${urn.toLowerCase()}:`).find(urn => lower.startsWith(urn))
  return lower.slice(prefix?.length ?? 0)
}

/** The comparisons that all have to hold. */
function conjunctsOf(filter: Filter, text: string): Filter[] {
  if (filter.op === 'and') return filter.filters.flatMap(inner => conjunctsOf(inner, text))
  if (filter.op === 'eq' || filter.op === '[]') return [filter]
  throw unsupported(text)
}

function comparison(filter: Filter, text: string): ScimCondition {
  if (filter.op !== 'eq') throw unsupported(text)
  const { compValue: value } = filter
  if (typeof value !== 'string' && typeof value !== 'boolean') throw unsupported(text)
  return { attribute: plainName(filter.attrPath), value }
}

/** `emails[type eq "work" and value eq "x"]`: the comparisons within the brackets are about one entry. */
function entryConditions(filter: Filter, text: string): { type?: string; value?: string; attribute: string } {
  if (filter.op !== '[]') throw unsupported(text)
  const inner = conjunctsOf(filter.valFilter, text).map(one => comparison(one, text))
  const found: { type?: string; value?: string } = {}
  for (const { attribute, value } of inner) {
    if ((attribute !== 'type' && attribute !== 'value') || typeof value !== 'string') throw unsupported(text)
    found[attribute] = value
  }
  return { ...found, attribute: plainName(filter.attrPath) }
}

/** The parser reads `emails[type eq "work"].value eq "x"` as `emails[type eq "work"] and emails.value eq "x"`. */
export function readScimFilter(text: string | undefined): readonly ScimCondition[] {
  if (text === undefined || text.trim() === '') return []
  const conjuncts = conjunctsOf(parseScimFilter(text), text)
  if (conjuncts.length > mostConditions) throw unsupported(text)
  const conditions: ScimCondition[] = []
  let open: { attribute: string; type: string } | undefined
  for (const conjunct of conjuncts) {
    if (conjunct.op === '[]') {
      const { attribute, type, value } = entryConditions(conjunct, text)
      if (open) throw unsupported(text)
      if (value !== undefined)
        conditions.push({ attribute: `${attribute}.value`, value, ...(type !== undefined && { type }) })
      else if (type !== undefined) open = { attribute, type }
      continue
    }
    const condition = comparison(conjunct, text)
    const isOfEntry = open && condition.attribute === `${open.attribute}.value`
    conditions.push(open && isOfEntry ? { ...condition, type: open.type } : condition)
    if (isOfEntry) open = undefined
  }
  if (open) throw unsupported(text)
  return conditions
}

/** For attributes that lists cannot be filtered by. */
export const unknownAttribute = (attribute: string): ScimError =>
  new ScimError('invalidFilter', `Lists cannot be filtered by ${attribute.slice(0, 200)}.`)

export const textOfCondition = ({ attribute, value }: ScimCondition): string => {
  if (typeof value === 'string') return value
  throw new ScimError('invalidFilter', `${attribute} is compared with a text in quotes.`)
}
