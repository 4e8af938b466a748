// Lists of teammates: their orders, and large pages, which are streamed in pieces.

import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { groupByBytes, pieceBytes, type StreamedList, streamList } from '#kernel/api/large-pages.ts'
import { type ListResult, limitOffset, type PageQuery, paginate } from '#kernel/api/pagination.ts'
import { filesAddress } from '#kernel/base/public-address.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { tallied } from '#kernel/db/tallies.ts'
import { assemble, readRows, rowsOf, type TeammateRow } from '../queries.ts'
import { isPlainSelection, selectedTeammates, type TeammateFilters } from '../selection/queries.ts'
import type { TeammateOrder } from './sorting.ts'

interface TeammateScope {
  readonly workspaceId: string
  readonly publicUrl: string
}

export async function listTeammates(
  db: Db,
  scope: TeammateScope,
  page: PageQuery,
  filters: TeammateFilters,
  order?: TeammateOrder,
): Promise<ListResult | StreamedList> {
  const { workspaceId } = scope
  if (!isPlainSelection(filters)) {
    const { ids, total } = await searchTeammates(db, workspaceId, page, filters, order)
    return listedPage(db, scope, page, { ids, total: Promise.resolve(total) })
  }
  const total = countPlain(db, workspaceId, filters)
  if (order)
    return listedPage(db, scope, page, { ids: await sortedIds(db, workspaceId, page, filters, order), total })
  const ids = sql`select t.id from teammates t ${selectedTeammates(workspaceId, filters)} order by t.id desc ${limitOffset(page)}`
  return pageOf(db, scope, page, { ids, total, order: sql`id desc` })
}

function countPlain(db: Db, workspaceId: string, filters: TeammateFilters): Promise<number> {
  if (filters.active !== undefined)
    return countOf(db, sql`select count(*) from teammates t ${selectedTeammates(workspaceId, filters)}`)
  const kinds = filters.source
    ? ([`teammates.${filters.source}`] as const)
    : (['teammates.manual', 'teammates.directory'] as const)
  return countOf(db, tallied(workspaceId, ...kinds))
}

/** The column that a selection is sorted by, of rows `t` of teammates with `join`. */
function sortColumn({ by }: TeammateOrder): { readonly column: Sql; readonly join: Sql } {
  if (by === 'email')
    return {
      column: sql`e.address_key`,
      join: sql`
        left join emails e on e.workspace_id = t.workspace_id and e.teammate_id = t.id and e.is_primary and e.deleted_at is null`,
    }
  if (typeof by === 'object')
    return {
      column: sql`left(v.value_key, 100)`,
      join: sql`
        left join smart_field_values v on v.workspace_id = t.workspace_id and v.teammate_id = t.id
          and v.smart_field_id = ${by.fieldId}`,
    }
  const columns = {
    name: sql`t.name_key`,
    active: sql`t.active`,
    created_at: sql`t.id`,
    updated_at: sql`t.updated_at`,
  }
  return { column: columns[by], join: empty }
}

const directionOf = (order: TeammateOrder | undefined): Sql =>
  !order || order.isDescending ? sql`desc` : empty

/** A search can be slow: one query returns both the page and the total. */
async function searchTeammates(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  filters: TeammateFilters,
  order: TeammateOrder = { by: 'created_at', isDescending: true },
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const { column, join } = sortColumn(order)
  const direction = directionOf(order)
  const result = await db.first<{ ids: string[]; total: number }>(sql`
    with matching as materialized (
      select t.id, ${column} as sorted_by from teammates t ${join} ${selectedTeammates(workspaceId, filters)}
    )
    select array(
        select id from matching order by sorted_by ${direction} nulls last, id ${direction} ${limitOffset(page)}
      ) as ids, (select count(*)::int from matching) as total`)
  return result ?? { ids: [], total: 0 }
}

/** Rows with the column `id` in the order of an index. */
interface IndexedRows {
  readonly rows: Sql
  readonly columns: (direction: Sql) => Sql
}

/** Those with a value, and those without, which come last in both directions. */
type IndexedParts = readonly IndexedRows[]

/** Undefined when no index has the order: the selection must be sorted. */
function partsOf(
  workspaceId: string,
  filters: TeammateFilters,
  order: TeammateOrder,
): IndexedParts | undefined {
  const { by } = order
  const living = sql`select t.id from teammates t ${selectedTeammates(workspaceId, filters)}`
  const byId = (direction: Sql) => sql`t.id ${direction}`
  const { column } = sortColumn(order)
  const byColumn = (direction: Sql) => sql`${column} ${direction}, t.id ${direction}`
  if (by === 'name')
    return [
      { rows: sql`${living} and t.name_key is not null`, columns: byColumn },
      { rows: sql`${living} and t.name_key is null`, columns: byId },
    ]
  if (by !== 'email' && typeof by !== 'object') return [{ rows: living, columns: byColumn }]
  if (filters.source !== undefined || filters.active !== undefined) return undefined
  if (by === 'email')
    return [
      {
        rows: sql`
          select e.teammate_id as id from emails e
          where e.workspace_id = ${workspaceId} and e.is_primary and e.deleted_at is null`,
        columns: direction => sql`e.address_key ${direction}, e.teammate_id ${direction}`,
      },
    ]
  const ofField = sql`v.workspace_id = ${workspaceId} and v.smart_field_id = ${by.fieldId}`
  return [
    {
      rows: sql`select v.teammate_id as id from smart_field_values v where ${ofField}`,
      columns: direction => sql`left(v.value_key, 100) ${direction}, v.teammate_id ${direction}`,
    },
    {
      rows: sql`${living} and not exists (
        select from smart_field_values v where ${ofField} and v.teammate_id = t.id)`,
      columns: byId,
    },
  ]
}

interface Slice {
  readonly limit: number
  readonly offset: number
}

const readSlice = async (
  db: Db,
  { rows, columns }: IndexedRows,
  isDescending: boolean,
  { limit, offset }: Slice,
): Promise<string[]> => {
  const inOrder = sql`order by ${columns(isDescending ? sql`desc` : empty)}`
  return db.column<string>(sql`${rows} ${inOrder} limit ${limit} offset ${offset}`)
}

/** Counting first costs less than reading the rows before this offset, when the page can be read from the end. */
const farOffset = 5_000

/** The ids of a slice, and how many rows there are before it, when it is not full. */
async function readIndexed(
  db: Db,
  part: IndexedRows,
  isDescending: boolean,
  { limit, offset }: Slice,
): Promise<{ readonly ids: readonly string[]; readonly rowsBefore: number }> {
  const count = offset === 0 ? null : () => countOf(db, sql`select count(*) from (${part.rows}) counted`)
  const total = count && offset > farOffset ? await count() : null
  if (total !== null && offset > total / 2) {
    const length = Math.max(0, Math.min(limit, total - offset))
    const fromEnd = { limit: length, offset: Math.max(0, total - offset - length) }
    const ids = length === 0 ? [] : (await readSlice(db, part, !isDescending, fromEnd)).reverse()
    return { ids, rowsBefore: Math.min(offset, total) }
  }
  const ids = await readSlice(db, part, isDescending, { limit, offset })
  return { ids, rowsBefore: ids.length > 0 || !count ? offset : await count() }
}

/** An index has the whole order: a page costs no sorting, whatever its number. */
async function sortedIds(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  filters: TeammateFilters,
  order: TeammateOrder,
): Promise<readonly string[]> {
  const parts = partsOf(workspaceId, filters, order)
  if (!parts) return (await searchTeammates(db, workspaceId, page, filters, order)).ids
  const listed: string[] = []
  let offset = (page.page - 1) * page.limit
  for (const part of parts) {
    const slice = { limit: page.limit - listed.length, offset }
    const { ids, rowsBefore } = await readIndexed(db, part, order.isDescending, slice)
    listed.push(...ids)
    if (listed.length === page.limit) break
    offset = Math.max(0, offset - rowsBefore - ids.length)
  }
  return listed
}

const selectIds = (ids: readonly string[]): Sql => sql`select id from unnest(${ids}::uuid[]) id`

const countOf = (db: Db, total: Sql) => db.number(sql`select (${total})::int as total`)

/** Values beyond the first piece are left out here, and read when their piece is streamed. */
const firstPiece = (workspaceId: string, { ids, order }: Pick<PageRows, 'ids' | 'order'>): Sql => sql`
  select id, emails, case when until <= ${pieceBytes} then "values" end as "values", bytes, source, integration_id, active,
    created_at, updated_at, until > ${pieceBytes} as is_left_out
  from (select *, sum(bytes) over (order by ${order}) as until from (${rowsOf(workspaceId, ids)}) whole) page
  order by ${order}`

interface PageRows {
  /** Selects the ids of the page. */
  readonly ids: Sql
  readonly total: Promise<number>
  /** The order of the rows, by their column `id`. */
  readonly order: Sql
}

/** A page of ids that are known, in their order. */
const listedPage = (
  db: Db,
  scope: TeammateScope,
  page: PageQuery,
  { ids, total }: { readonly ids: readonly string[]; readonly total: Promise<number> },
): Promise<ListResult | StreamedList> =>
  pageOf(db, scope, page, { ids: selectIds(ids), total, order: sql`array_position(${ids}::uuid[], id)` })

async function pageOf(
  db: Db,
  { workspaceId, publicUrl }: TeammateScope,
  page: PageQuery,
  { ids, total, order }: PageRows,
): Promise<ListResult | StreamedList> {
  const [rows, fields, count] = await Promise.all([
    db.query<TeammateRow>(firstPiece(workspaceId, { ids, order })),
    smartFieldsOf(db, workspaceId),
    total,
  ])
  const pagination = paginate(page, count)
  const files = filesAddress(publicUrl, workspaceId)
  const write = (part: readonly TeammateRow[]) =>
    JSON.stringify(part.map(row => assemble(row, fields, files)))
  // Each teammate is sent with every field and its label, even without a value.
  const labelBytes = fields.reduce((sum, { label }) => sum + label.length + 100, 0)
  const groups = groupByBytes(rows.map(row => ({ row, bytes: row.bytes + labelBytes })))
  if (groups.length < 2 && !rows.some(row => row.is_left_out)) return { data: write(rows), pagination }
  const parts = groups.map(group => async () => {
    const pieceRows = group.map(({ row }) => row)
    const isComplete = pieceRows.every(row => !row.is_left_out)
    return write(isComplete ? pieceRows : await readAgain(db, workspaceId, pieceRows)).slice(1, -1)
  })
  return streamList(parts, pagination)
}

/** The same rows with their values, in the same order, without rows that were deleted meanwhile. */
async function readAgain(
  db: Db,
  workspaceId: string,
  rows: readonly TeammateRow[],
): Promise<readonly TeammateRow[]> {
  const complete = await readRows(db, workspaceId, selectIds(rows.map(({ id }) => id)))
  const byId = new Map(complete.map(row => [row.id, row]))
  return rows.flatMap(({ id }) => byId.get(id) ?? [])
}
