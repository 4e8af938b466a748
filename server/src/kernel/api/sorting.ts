// The `sort` parameter of lists: `sort=name`, or `sort=-name` for the reverse. Equal records are ordered by id.
import { Type } from 'typebox'
import { empty, type Sql, sql } from '#kernel/db/db.ts'
import { OneOf } from './validation.ts'

/** Each name in both directions, as the parameter takes them. */
export const sortValues = (names: readonly string[]): string[] => names.flatMap(name => [name, `-${name}`])

/** Columns that a list can be sorted by. The value is null for the order of creation, which is the order of the ids. */
export type SortColumns = Readonly<Record<string, Sql | NullableColumn | UniqueColumn | null>>

/** A column in which nulls come last in both directions. No index has such an order: it is for lists that are short. */
export interface NullableColumn {
  readonly nullable: Sql
}

/** A column without equal values: its index alone has the order. */
export interface UniqueColumn {
  readonly unique: Sql
}

export interface SortQuery {
  readonly sort?: string
}

export const sortQuery = (columns: SortColumns) => ({
  sort: Type.Optional(
    OneOf(sortValues(Object.keys(columns)), {
      description:
        'The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first.',
    }),
  ),
})

export interface SortOrder {
  readonly name: string
  readonly isDescending: boolean
}

/** Undefined for the default order, newest first. */
export function readSort(sort: string | undefined): SortOrder | undefined {
  if (sort === undefined) return undefined
  const isDescending = sort.startsWith('-')
  return { name: isDescending ? sort.slice(1) : sort, isDescending }
}

/** An ORDER BY clause. `id` is the column that decides between equal records. */
export function orderBy(sort: string | undefined, columns: SortColumns, id: Sql): Sql {
  const order = readSort(sort)
  if (!order) return sql`order by ${id} desc`
  const column = columns[order.name]
  const byId = order.isDescending ? sql`${id} desc` : id
  if (!column) return sql`order by ${byId}`
  const direction = order.isDescending ? sql`desc` : empty
  if ('unique' in column) return sql`order by ${column.unique} ${direction}`
  if ('nullable' in column) return sql`order by ${column.nullable} ${direction} nulls last, ${byId}`
  return sql`order by ${column} ${direction}, ${byId}`
}

/**
 * A text in the order of a dictionary, whatever the locale of the database: without accents and without case. (`lower`
 * of some databases leaves letters beyond ASCII as they are.) For lists that are short enough to be sorted.
 */
export const alphabetical = (text: Sql): Sql => sql`lower(${withoutAccents(text)}) collate "C"`

/** The same letters without accents: é becomes e. */
export const withoutAccents = (text: Sql): Sql =>
  sql`regexp_replace(normalize(${text}, nfkd), '[\\u0300-\\u036f]', '', 'g')`
