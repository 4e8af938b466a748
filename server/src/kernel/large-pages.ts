// Pages whose records may be large: up to a megabyte they are one text, as everywhere. Beyond, they are read and answered
// piece by piece, as fast as the client takes them, so that neither memory nor other requests suffer.
import { type Db, type Sql, sql } from './db.ts'
import { type ListResult, type PageQuery, paginate } from './pagination.ts'
import { yieldToEventLoop } from './time-slice.ts'

export interface StreamedList extends Pick<ListResult, 'pagination'> {
  /** Together the records as JSON text. */
  readonly pieces: AsyncIterable<string>
}

/** Bytes of one piece, or of one record that is larger. */
export const pieceBytes = 1024 * 1024

/** Some records as JSON, with commas between them; empty where there are none. */
export type ListPart = () => Promise<string>

async function* joined(parts: readonly ListPart[]): AsyncGenerator<string> {
  const left = [...parts] // a part that is done is not kept
  let before = '['
  for (let part = left.shift(); part; part = left.shift()) {
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

/** Records in their order, by pieces of at most a megabyte. */
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
  /** Selects the ids of the page. */
  readonly ids: Sql
  /** Selects the resources of some ids under their public names, newest first. */
  readonly rowsOf: (ids: Sql) => Sql
  /** An expression for how many there are. */
  readonly total: Sql
}

interface Rest {
  readonly id: string
  readonly bytes: number
}

/** What does not fit into the first piece is left with its size, and read again when its turn has come. */
export async function listLargeRows(
  db: Db,
  page: PageQuery,
  { ids, rowsOf, total }: LargeRowsQuery,
): Promise<ListResult | StreamedList> {
  const [found] = await db.query<{ total: number; records: string | null; rest: readonly Rest[] | null }>(sql`
    with page as materialized (
      select id, record, octet_length(record) as bytes, sum(octet_length(record)) over (order by id desc) as until
      from (select row.id, row_to_json(row)::text as record from (${rowsOf(ids)}) row offset 0) whole -- else each is made thrice
    )
    select (${total})::int as total,
      (select string_agg(record, ',' order by id desc) from page where until <= ${pieceBytes}) as records,
      (select json_agg(json_build_object('id', id, 'bytes', bytes) order by id desc)
        from page where until > ${pieceBytes}) as rest`)
  const { total: count = 0, records, rest } = found ?? {}
  const pagination = paginate(page, count)
  if (!rest) return { data: `[${records ?? ''}]`, pagination }
  const read = async (group: readonly Rest[]) => {
    const some = sql`select id from unnest(${group.map(({ id }) => id)}::uuid[]) id`
    const [part] = await db.query<{ records: string | null }>(
      sql`select string_agg(row_to_json(row)::text, ',' order by row.id desc) as records from (${rowsOf(some)}) row`,
    )
    return part?.records ?? ''
  }
  return streamList(
    [async () => records ?? '', ...groupByBytes(rest).map(group => () => read(group))],
    pagination,
  )
}
