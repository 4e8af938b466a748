// A list of objects as a table in SQL, with named and typed columns.
import { join, raw, type Sql, sql } from './db.ts'

type ColumnType =
  | 'uuid'
  | 'text'
  | 'int'
  | 'bigint'
  | 'boolean'
  | 'timestamptz'
  | 'jsonb'
  | 'numeric'
  | 'bytea'

/** For each column its type, and how to read its value from a row. */
export type Columns<Row> = Readonly<Record<string, readonly [ColumnType, (row: Row) => unknown]>>

/** `rows('r', list, { id: ['uuid', row => row.id] })` becomes `unnest($1::uuid[]) as r (id)`. */
export function rows<Row>(alias: string, list: readonly Row[], columns: Columns<Row>): Sql {
  const arrays = Object.values(columns).map(
    ([type, read]) => sql`${list.map(row => read(row) ?? null)}::${raw(type)}[]`,
  )
  return sql`unnest(${join(arrays)}) as ${raw(`${alias} (${Object.keys(columns).join(', ')})`)}`
}
