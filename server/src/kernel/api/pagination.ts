// Lists: one statement reads the page, already as JSON, together with the exact total.
import { type Static, type TSchema, Type } from 'typebox'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { ignoredProperty } from './ignored.ts'

export const pageQuery = {
  page: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description: 'The page, from 1 to 1,000,000.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Records on a page.' }),
}

export interface PageQuery {
  readonly page: number
  readonly limit: number
}

export const Pagination = NamedObject('Pagination', {
  page: Type.Integer(),
  limit: Type.Integer(),
  total_count: Type.Integer(),
  total_pages: Type.Integer(),
  has_more: Type.Boolean({ description: 'True when page is less than total_pages.' }),
})

export const pageOf = (item: TSchema): TSchema =>
  ClosedObject({ data: Type.Array(item), pagination: Pagination, ...ignoredProperty })

/** Goes behind the ORDER BY of a page. */
export const limitOffset = ({ page, limit }: PageQuery): Sql =>
  sql`limit ${limit} offset ${(page - 1) * limit}`

/** A page of a list, its records already as JSON text. */
export interface ListResult {
  readonly data: string
  readonly pagination: Static<typeof Pagination>
}

export function paginate({ page, limit }: PageQuery, total_count: number): ListResult['pagination'] {
  const total_pages = Math.ceil(total_count / limit)
  return { page, limit, total_count, total_pages, has_more: page < total_pages }
}

/**
 * `rows` selects the resources of the page under their public names; `total` is an expression for the number of all.
 */
export async function listAsJson(db: Db, page: PageQuery, rows: Sql, total: Sql): Promise<ListResult> {
  const result = await db.first<{ total: number; data: string }>(
    sql`select (${total})::int as total, (select coalesce(json_agg(row), '[]')::text from (${rows}) row) as data`,
  )
  const { total: count = 0, data = '[]' } = result ?? {}
  return { data, pagination: paginate(page, count) }
}

/** For a list whose records and total come from the same clause, `from … where …`. The newest come first. */
export const listRows = (
  db: Db,
  page: PageQuery,
  columns: Sql,
  from: Sql,
  order = sql`order by id desc`,
): Promise<ListResult> =>
  listAsJson(
    db,
    page,
    sql`select ${columns} ${from} ${order} ${limitOffset(page)}`,
    sql`select count(*) ${from}`,
  )
