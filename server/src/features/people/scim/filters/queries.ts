// Filters as SQL. A condition is true or false, never null: `not` turns it around.

import { readMoment, uuid } from '#kernel/api/validation.ts'
import { join, type Sql, sql } from '#kernel/db/db.ts'
import { isStorableDate } from '#kernel/db/text.ts'
import { booleanOf } from '../attributes.ts'
import type { FilterAttribute, FilterAttributes } from './attributes.ts'
import {
  invalidFilter,
  type ScimComparison,
  type ScimEntryFilter,
  type ScimFilter,
  type ScimOperator,
} from './parse.ts'

/** The places of the values of a kind of resource. */
export interface FilterSource {
  readonly attributes: FilterAttributes
  readonly resource: Sql
  /** Columns by the names of attributes: a column, which is faster than the resource or the only place. */
  readonly columns: Readonly<Record<string, Sql>>
  /** Conditions for `eq` that use an index, by the names of attributes. Never null. */
  readonly equals: Readonly<Record<string, (text: string) => Sql>>
  /** Conditions on `entry.value`, by the names of lists that are not in the resource. */
  readonly lists: Readonly<Record<string, (condition: Sql) => Sql>>
}

/** Ids are compared exactly, and shown in lower case. */
export const isLowerUuid = (text: string): boolean => uuid.test(text) && text === text.toLowerCase()

type Names = Pick<ScimComparison, 'name' | 'at'>

/** `list` is the list whose brackets the name stands in. */
function attributeOf({ attributes }: FilterSource, { name, at }: Names, list: string): FilterAttribute {
  const attribute = attributes.get(`${list}${name.toLowerCase()}`)
  if (!attribute) throw invalidFilter(at, `lists cannot be filtered by ${name.slice(0, 100)}.`)
  return attribute
}

function comparedAttribute(source: FilterSource, filter: ScimComparison, list: string): FilterAttribute {
  const attribute = attributeOf(source, filter, list)
  if (attribute.type !== 'complex' || filter.op === 'pr') return attribute
  // RFC 7643, section 2.4: `emails co "…"` is about the values of the emails.
  return attributeOf(source, { ...filter, name: `${filter.name}.value` }, list)
}

const valueProblem = ({ name, op, at }: ScimComparison, problem: string): Error =>
  invalidFilter(at, `${name.slice(0, 100)} ${op} ${problem}.`)

const operations: Readonly<Record<Exclude<ScimOperator, 'pr'>, (stored: Sql, sent: Sql) => Sql>> = {
  eq: (stored, sent) => sql`${stored} = ${sent}`,
  ne: (stored, sent) => sql`${stored} = ${sent}`,
  gt: (stored, sent) => sql`${stored} > ${sent}`,
  ge: (stored, sent) => sql`${stored} >= ${sent}`,
  lt: (stored, sent) => sql`${stored} < ${sent}`,
  le: (stored, sent) => sql`${stored} <= ${sent}`,
  co: (stored, sent) => sql`strpos(${stored}, ${sent}) > 0`,
  sw: (stored, sent) => sql`starts_with(${stored}, ${sent})`,
  ew: (stored, sent) => sql`right(${stored}, length(${sent})) = ${sent}`,
}

function textOf(filter: ScimComparison): string {
  if (typeof filter.value === 'string') return filter.value
  throw valueProblem(filter, 'needs a text in quotes')
}

function booleanSql(filter: ScimComparison, stored: Sql): Sql {
  const value = booleanOf(filter.value)
  if (value === undefined || (filter.op !== 'eq' && filter.op !== 'ne'))
    throw valueProblem(filter, 'is not possible: use eq or ne with true or false')
  // RFC 7643, section 2.4: an entry without `primary` is not the primary one.
  return sql`(lower(${stored}) = 'true') is ${value === (filter.op === 'eq') ? sql`true` : sql`not true`}`
}

/** `lower` of some databases changes ASCII letters only. `eq` of names and addresses uses the keys instead. */
const comparable = (text: Sql, isExact: boolean): Sql =>
  isExact ? sql`${text} collate "C"` : sql`lower(${text}) collate "C"`

function operands(filter: ScimComparison, { type, isExact }: FilterAttribute, stored: Sql): [Sql, Sql] {
  if (type !== 'dateTime')
    return [comparable(stored, isExact), comparable(sql`${textOf(filter)}::text`, isExact)]
  const at = readMoment(textOf(filter))?.at
  if (!at || !isStorableDate(at) || ['co', 'sw', 'ew'].includes(filter.op))
    throw valueProblem(filter, 'is not possible: compare with a date such as "2026-11-01T12:00:00Z"')
  return [stored, sql`${at}`]
}

/** Compares the value in this expression; null is no value. */
function valueSql(filter: ScimComparison, attribute: FilterAttribute, stored: Sql): Sql {
  const { type } = attribute
  if (filter.op === 'pr') {
    if (type === 'dateTime') return sql`true`
    return sql`(${stored} <> ${type === 'complex' ? '{}' : ''}) is true`
  }
  if (type === 'boolean') return booleanSql(filter, stored)
  const compared = operations[filter.op](...operands(filter, attribute, stored))
  return sql`(${compared}) is ${filter.op === 'ne' ? sql`not true` : sql`true`}`
}

/** True if an entry of a list meets a condition on `entry.value`. */
function someEntry({ resource, lists }: FilterSource, { name, path }: FilterAttribute, condition: Sql): Sql {
  const ofList = lists[name.replace(/\..*/, '')]
  if (ofList) return ofList(condition)
  const list = sql`${resource} #> ${path}::text[]`
  return sql`exists (
    select 1 from jsonb_array_elements(case when jsonb_typeof(${list}) = 'array' then ${list} else '[]' end) as entry(value)
    where ${condition})`
}

const inEntry = ({ part }: FilterAttribute): Sql => sql`entry.value #>> ${part}::text[]`

function comparisonSql(filter: ScimComparison, source: FilterSource, list: string): Sql {
  const attribute = comparedAttribute(source, filter, list)
  if (list !== '') return valueSql(filter, attribute, inEntry(attribute))
  const equals = source.equals[attribute.name]
  const isList = attribute.part !== null
  if (equals && filter.op === 'eq') return equals(textOf(filter))
  if (equals && filter.op === 'ne' && !isList) return sql`not (${equals(textOf(filter))})`
  if (!isList) {
    const column = source.columns[attribute.name]
    return valueSql(filter, attribute, column ?? sql`${source.resource} #>> ${attribute.path}::text[]`)
  }
  const isFound = someEntry(source, attribute, valueSql(filter, attribute, inEntry(attribute)))
  // RFC 7643, section 2.5: an empty list is no value, which differs from any value.
  return filter.op === 'ne' ? sql`(${isFound} or not ${someEntry(source, attribute, sql`true`)})` : isFound
}

/** Conditions with an index that follow from those on one entry: PostgreSQL then looks at few resources. */
function indexSql(filter: ScimFilter, source: FilterSource, list: string): Sql[] {
  if (filter.op === 'and') return filter.filters.flatMap(inner => indexSql(inner, source, list))
  if (filter.op !== 'eq') return []
  const equals = source.equals[comparedAttribute(source, filter, list).name]
  return equals ? [equals(textOf(filter))] : []
}

function entrySql(filter: ScimEntryFilter, source: FilterSource): Sql {
  const attribute = attributeOf(source, filter, '')
  if (attribute.part === null || attribute.type !== 'complex')
    throw invalidFilter(filter.at, `${filter.name.slice(0, 100)} is no list with entries.`)
  const list = `${attribute.name}.`
  const isFound = someEntry(source, attribute, filterSql(filter.filter, source, list))
  return sql`(${join([...indexSql(filter.filter, source, list), isFound], ' and ')})`
}

/** A condition for WHERE. The statement around it is `composed`. */
export function filterSql(filter: ScimFilter, source: FilterSource, list = ''): Sql {
  if ('filters' in filter) {
    const conditions = filter.filters.map(inner => filterSql(inner, source, list))
    return sql`(${join(conditions, filter.op === 'and' ? ' and ' : ' or ')})`
  }
  if (filter.op === 'not') return sql`not (${filterSql(filter.filter, source, list)})`
  if (filter.op === 'entry') return entrySql(filter, source)
  return comparisonSql(filter, source, list)
}
