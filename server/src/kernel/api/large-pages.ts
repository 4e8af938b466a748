// Pages whose records can be large. Up to a megabyte a page is one text, like every list. A larger page is read and
// answered in pieces, as fast as the client reads them, so that it takes neither much memory nor time from other
// requests.

import { yieldToEventLoop } from '#kernel/base/time-slice.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { type ListResult, type PageQuery, paginate } from './pagination.ts'

export interface StreamedList extends Pick<ListResult, 'pagination'> {
  /** Joined, they are the records as JSON text. */
  readonly pieces: AsyncIterable<string>
}

/** Bytes of one piece. A larger record is a piece by itself. */
export const pieceBytes = 1024 * 1024

/** Reads some records as JSON, with commas between them; an empty text for none. */
export type ListPart = () => Promise<string>

async function* joined(parts: readonly ListPart[]): AsyncGenerator<string> {
  const remaining = [...parts] // a finished part can be garbage-collected
  let before = '['
  for (let part = remaining.shift(); part; part = remaining.shift()) {
    await yieldToEventLoop()
    const records = await part()
    if (records === '') continue
    yield before + records
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

export const streamList = (
  parts: readonly ListPart[],
  pagination: ListResult['pagination'],
): StreamedList => ({
  pieces: joined(parts),
  pagination,
})

/** Groups records, in their order, into pieces of at most a megabyte. */
export function groupByBytes<T extends { readonly bytes: number }>(records: readonly T[]): T[][] {
  const groups: T[][] = []
  let room = 0
  for (const record of records) {
    const last = groups.at(-1)
    if (last && record.bytes <= room) last.push(record)
    else {
      groups.push([record])
      room = pieceBytes
    }
    room -= record.bytes
  }
  return groups
}

export interface LargeRowsQuery {
  /** Selects the ids of the page, in its order. */
  readonly ids: Sql
  /** Selects the resources of some ids under their public names, in any order. */
  readonly rowsOf: (ids: Sql) => Sql
  /** An expression for how many there are. */
  readonly total: Sql
}

const numbered = (ids: Sql): Sql =>
  sql`select id, position from unnest(${ids}) with ordinality as numbered (id, position)`

interface LaterRecord {
  readonly id: string
  readonly bytes: number
}

/**
 * The first statement reads the first piece, and of the other records their ids and sizes; they are read piece by piece
 * later.
 */
export async function listLargeRows(
  db: Db,
  page: PageQuery,
  { ids, rowsOf, total }: LargeRowsQuery,
): Promise<ListResult | StreamedList> {
  const row = await db.first<{
    total: number
    records: string | null
    rest: readonly LaterRecord[] | null
  }>(sql`
    with listed as materialized (${numbered(sql`array(${ids})`)}),
    page as materialized (
      select id, position, record, octet_length(record) as bytes, sum(octet_length(record)) over (order by position) as until
      from (
        select row.id, row_to_json(row)::text as record from (${rowsOf(sql`select id from listed`)}) row offset 0
      ) whole -- offset 0: else each record is made three times
      join listed using (id)
    )
    select (${total})::int as total,
      (select string_agg(record, ',' order by position) from page where until <= ${pieceBytes}) as records,
      (select json_agg(json_build_object('id', id, 'bytes', bytes) order by position)
        from page where until > ${pieceBytes}) as rest`)
  const { total: count = 0, records, rest } = row ?? {}
  const pagination = paginate(page, count)
  if (!rest) return { data: `[${records ?? ''}]`, pagination }
  const read = async (group: readonly LaterRecord[]) => {
    const idsOfGroup = sql`${group.map(({ id }) => id)}::uuid[]`
    const records = await db.value<string | null>(sql`
      select string_agg(row_to_json(row)::text, ',' order by position) as records
      from (${rowsOf(sql`select id from unnest(${idsOfGroup}) id`)}) row
      join (${numbered(idsOfGroup)}) listed on listed.id = row.id`)
    return records ?? ''
  }
  return streamList(
    [async () => records ?? '', ...groupByBytes(rest).map(group => () => read(group))],
    pagination,
  )
}
