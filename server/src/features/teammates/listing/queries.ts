// Lists of teammates: who is on a page, and the page in pieces where it is large.

import { smartFieldsOf } from '#features/smart-fields/index.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db.ts'
import { groupByBytes, pieceBytes, type StreamedList, streamList } from '#kernel/large-pages.ts'
import { type ListResult, limitOffset, type PageQuery, paginate } from '#kernel/pagination.ts'
import { tallied } from '#kernel/tallies.ts'
import { comparisonKey, contains } from '#kernel/text.ts'
import { assemble, readRows, rowsOf, type TeammateRow } from '../queries.ts'

export interface TeammateFilters {
  readonly search?: string
  readonly source?: 'manual' | 'directory'
  readonly smart_field_id?: string
  readonly smart_field_value?: string
  readonly missing_smart_field_id?: string
}

const matching = (workspaceId: string, text: string): Sql => {
  return sql`and t.id in (
    select teammate_id from emails
    where workspace_id = ${workspaceId} and deleted_at is null and ${contains(sql`address_key`, text)}
    union all
    select teammate_id from smart_field_values
    where workspace_id = ${workspaceId} and ${contains(sql`value_key`, text)})`
}

const withValue = (workspaceId: string, fieldId: string, value: string): Sql => {
  const wanted = comparisonKey(value)
  return sql`and t.id in (
    select teammate_id from smart_field_values
    where workspace_id = ${workspaceId} and smart_field_id = ${fieldId}
      and left(value_key, 100) = left(${wanted}, 100) and value_key = ${wanted}
    union all
    select e.teammate_id from emails e
    join smart_fields f on f.workspace_id = e.workspace_id and f.id = ${fieldId} and f.computed
    where e.workspace_id = ${workspaceId} and e.deleted_at is null and e.is_primary and e.address_key = ${wanted})`
}

const lacking = (workspaceId: string, fieldId: string): Sql => sql`
  and exists (select from smart_fields f where f.workspace_id = ${workspaceId} and f.id = ${fieldId} and not f.computed)
  and not exists (
    select from smart_field_values v
    where v.workspace_id = t.workspace_id and v.teammate_id = t.id and v.smart_field_id = ${fieldId})`

export async function listTeammates(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  filters: TeammateFilters,
): Promise<ListResult | StreamedList> {
  const { search, source, smart_field_id, smart_field_value, missing_smart_field_id } = filters
  const text = search?.trim() ?? ''
  const byValues = sql`
    ${text === '' ? empty : matching(workspaceId, text)}
    ${smart_field_id === undefined ? empty : withValue(workspaceId, smart_field_id, smart_field_value ?? '')}
    ${missing_smart_field_id === undefined ? empty : lacking(workspaceId, missing_smart_field_id)}`
  const isPlain = text === '' && smart_field_id === undefined && missing_smart_field_id === undefined
  const chosen = sql`
    select t.id from teammates t
    where t.workspace_id = ${workspaceId} and t.deleted_at is null
      ${source === undefined ? empty : sql`and t.source = ${source}`}
      ${isPlain ? empty : byValues}`
  if (!isPlain) {
    const { ids, total } = await searched(db, chosen, page)
    return pageOf(db, workspaceId, page, someIds(ids), Promise.resolve(total))
  }
  const kinds = source
    ? ([`teammates.${source}`] as const)
    : (['teammates.manual', 'teammates.directory'] as const)
  const ids = sql`${chosen} order by t.id desc ${limitOffset(page)}`
  return pageOf(db, workspaceId, page, ids, countOf(db, tallied(workspaceId, ...kinds)))
}

/** A search may take long: page and total come from one and the same. */
async function searched(
  db: Db,
  chosen: Sql,
  page: PageQuery,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const [found] = await db.query<{ ids: string[]; total: number }>(sql`
    with found as materialized (${chosen})
    select array(select id from found order by id desc ${limitOffset(page)}) as ids, (select count(*)::int from found) as total`)
  return found ?? { ids: [], total: 0 }
}

const someIds = (ids: readonly string[]): Sql => sql`select id from unnest(${ids}::uuid[]) id`

async function countOf(db: Db, total: Sql): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`select (${total})::int as total`)
  return row?.total ?? 0
}

/** Values beyond the first piece are read when their turn has come. */
const firstPiece = (workspaceId: string, ids: Sql): Sql => sql`
  select id, emails, case when until <= ${pieceBytes} then "values" end as "values", bytes, source, integration_id, active,
    created_at, updated_at, until > ${pieceBytes} as is_left_out
  from (select *, sum(bytes) over (order by id desc) as until from (${rowsOf(workspaceId, ids)}) whole) page
  order by id desc`

async function pageOf(
  db: Db,
  workspaceId: string,
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
  const write = (some: readonly TeammateRow[]) => JSON.stringify(some.map(row => assemble(row, fields)))
  // Every teammate has every field, with its label, though it has no value.
  const ofFields = fields.reduce((sum, { label }) => sum + label.length + 100, 0)
  const groups = groupByBytes(rows.map(row => ({ row, bytes: row.bytes + ofFields })))
  if (groups.length < 2 && !rows.some(row => row.is_left_out)) return { data: write(rows), pagination }
  const parts = groups.map(group => async () => {
    const known = group.map(({ row }) => row)
    const isWhole = known.every(row => !row.is_left_out)
    const whole = isWhole ? known : await readRows(db, workspaceId, someIds(known.map(({ id }) => id)))
    return write(whole).slice(1, -1)
  })
  return streamList(parts, pagination)
}
