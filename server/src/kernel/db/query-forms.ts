// What callers take from the rows of a query: all of them, one row, one value, one column, or whether there are any.
import type { Sql } from 'sql-template-tag'

export interface Queries {
  query<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
  first<Row = Record<string, unknown>>(statement: Sql): Promise<Row | undefined>
  /** The first column of the first row. */
  value<Value>(statement: Sql): Promise<Value | undefined>
  /** The same as a number, 0 without a row: for `count(*)::int`. */
  number(statement: Sql): Promise<number>
  /** The first column of all rows. */
  column<Value>(statement: Sql): Promise<Value[]>
  hasRows(statement: Sql): Promise<boolean>
}

const firstColumn = (row: object): unknown => Object.values(row)[0]

/** All forms of a query, by a function that gives the rows. */
export function queriesBy(query: Queries['query']): Queries {
  const first = async <Row>(statement: Sql) => (await query<Row>(statement))[0]
  const column = async <Value>(statement: Sql) =>
    (await query<object>(statement)).map(row => firstColumn(row) as Value)
  return {
    query,
    first,
    column,
    value: async <Value>(statement: Sql) => (await column<Value>(statement))[0],
    number: async statement => (await column<number>(statement))[0] ?? 0,
    hasRows: async statement => (await query(statement)).length > 0,
  }
}
