// Lists of teammates: filters, and large pages, which are streamed in pieces.

import { smartFieldsOf } from '#features/smart-fields/index.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db.ts'
import { groupByBytes, pieceBytes, type StreamedList, streamList } from '#kernel/large-pages.ts'
import { type ListResult, limitOffset, type PageQuery, paginate } from '#kernel/pagination.ts'
import { filesAddress } from '#kernel/public-address.ts'
import { tallied } from '#kernel/tallies.ts'
import { changedSince, comparisonKey, contains } from '#kernel/text.ts'
import { assemble, readRows, rowsOf, type TeammateRow } from '../queries.ts'

export interface TeammateFilters {
  readonly search?: string
  readonly source?: 'manual' | 'directory' | undefined
  readonly value?: { readonly fieldId: string; readonly text: string } | undefined
  /** Only teammates without a value for this field. */
  readonly missingFieldId?: string | undefined
  /** Only teammates that changed since then. */
  readonly since?: Date | undefined
}

const textCondition = (workspaceId: string, text: string): Sql => {
  return sql`and t.id in (
    select teammate_id from emails
    where workspace_id = ${workspaceId} and deleted_at is null and ${contains(sql`address_key`, text)}
    union all
    select teammate_id from smart_field_values
    where workspace_id = ${workspaceId} and asset_id is null and ${contains(sql`value_key`, text)})`
}

const valueCondition = (workspaceId: string, fieldId: string, value: string): Sql => {
  const key = comparisonKey(value)
  return sql`and t.id in (
    select teammate_id from smart_field_values
    where workspace_id = ${workspaceId} and smart_field_id = ${fieldId}
      and left(value_key, 100) = left(${key}, 100) and value_key = ${key}
    union all
    select e.teammate_id from emails e
    join smart_fields f on f.workspace_id = e.workspace_id and f.id = ${fieldId} and f.computed
    where e.workspace_id = ${workspaceId} and e.deleted_at is null and e.is_primary and e.address_key = ${key})`
}

const missingCondition = (workspaceId: string, fieldId: string): Sql => sql`
  and exists (select from smart_fields f where f.workspace_id = ${workspaceId} and f.id = ${fieldId} and not f.computed)
  and not exists (
    select from smart_field_values v
    where v.workspace_id = t.workspace_id and v.teammate_id = t.id and v.smart_field_id = ${fieldId})`

export interface TeammateScope {
  readonly workspaceId: string
  readonly publicUrl: string
}

export async function listTeammates(
  db: Db,
  scope: TeammateScope,
  page: PageQuery,
  filters: TeammateFilters,
): Promise<ListResult | StreamedList> {
  const { search = '', source, value, missingFieldId, since } = filters
  const { workspaceId } = scope
  const byValues = sql`
    ${search === '' ? empty : textCondition(workspaceId, search)}
    ${value === undefined ? empty : valueCondition(workspaceId, value.fieldId, value.text)}
    ${missingFieldId === undefined ? empty : missingCondition(workspaceId, missingFieldId)}
    ${changedSince(sql`t.updated_at`, since)}`
  const isPlain = search === '' && value === undefined && missingFieldId === undefined && since === undefined
  const selection = sql`
    select t.id from teammates t
    where t.workspace_id = ${workspaceId} and t.deleted_at is null
      ${source === undefined ? empty : sql`and t.source = ${source}`}
      ${isPlain ? empty : byValues}`
  if (!isPlain) {
    const { ids, total } = await searchTeammates(db, selection, page)
    return pageOf(db, scope, page, selectIds(ids), Promise.resolve(total))
  }
  const kinds = source
    ? ([`teammates.${source}`] as const)
    : (['teammates.manual', 'teammates.directory'] as const)
  const ids = sql`${selection} order by t.id desc ${limitOffset(page)}`
  return pageOf(db, scope, page, ids, countOf(db, tallied(workspaceId, ...kinds)))
}

/** A search can be slow: one query returns both the page and the total. */
async function searchTeammates(
  db: Db,
  selection: Sql,
  page: PageQuery,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const [found] = await db.query<{ ids: string[]; total: number }>(sql`
    with found as materialized (${selection})
    select array(select id from found order by id desc ${limitOffset(page)}) as ids, (select count(*)::int from found) as total`)
  return found ?? { ids: [], total: 0 }
}

const selectIds = (ids: readonly string[]): Sql => sql`select id from unnest(${ids}::uuid[]) id`

async function countOf(db: Db, total: Sql): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`select (${total})::int as total`)
  return row?.total ?? 0
}

/** Values beyond the first piece are left out here, and read when their piece is streamed. */
const firstPiece = (workspaceId: string, ids: Sql): Sql => sql`
  select id, emails, case when until <= ${pieceBytes} then "values" end as "values", bytes, source, integration_id, active,
    created_at, updated_at, until > ${pieceBytes} as is_left_out
  from (select *, sum(bytes) over (order by id desc) as until from (${rowsOf(workspaceId, ids)}) whole) page
  order by id desc`

async function pageOf(
  db: Db,
  { workspaceId, publicUrl }: TeammateScope,
  page: PageQuery,
  ids: Sql,
  total: Promise<number>,
): Promise<ListResult | StreamedList> {
  const [rows, fields, count] = await Promise.all([
    db.query<TeammateRow>(firstPiece(workspaceId, ids)),
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
    const complete = isComplete
      ? pieceRows
      : await readRows(db, workspaceId, selectIds(pieceRows.map(({ id }) => id)))
    return write(complete).slice(1, -1)
  })
  return streamList(parts, pagination)
}
