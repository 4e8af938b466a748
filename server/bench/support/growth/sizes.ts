// What the tables of the growth bench take, and how deep their indexes are.
import { type Db, type Pool, sql } from '#kernel/db/db.ts'

export interface TableSize {
  readonly table: string
  readonly rows: number
  readonly heapBytes: number
  readonly indexBytes: number
  /** Levels of the deepest b-tree, the leaves included; 1 is a single page. */
  readonly depth: number
}

/** Reads the rows from the statistics: call it after `vacuum analyze`. Partitions count as their parent table. */
export const tableSizes = (db: Pool): Promise<TableSize[]> =>
  db.query(sql`
    with relations as (
      select c.oid, coalesce(i.inhparent::regclass::text, c.oid::regclass::text) as table, c.reltuples
      from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker') and c.relname not like 'growth\\_%'
    ),
    depths as (
      select indrelid as oid, max((bt_metap(indexrelid::regclass::text)).level + 1)::int as depth
      from pg_index x join pg_class c on c.oid = x.indexrelid join pg_am a on a.oid = c.relam
      where a.amname = 'btree' and c.relkind = 'i' and indrelid in (select oid from relations) group by 1
    )
    select "table", sum(greatest(reltuples, 0))::float8 as rows, sum(pg_table_size(oid))::float8 as "heapBytes",
      sum(pg_indexes_size(oid))::float8 as "indexBytes", coalesce(max(depth), 0) as depth
    from relations left join depths using (oid) group by 1 order by sum(pg_total_relation_size(oid)) desc`)

export interface CountedRows {
  readonly dimension: string
  /** By span: 1, 8 and 64 days. */
  readonly days: number
  readonly weeks: number
  readonly months: number
}

export const countsByDimension = (db: Pool): Promise<CountedRows[]> =>
  withoutTimeLimit(db, tx =>
    tx.query(sql`
      select dimension, (count(*) filter (where span = 1))::float8 as days, (count(*) filter (where span = 8))::float8 as weeks,
        (count(*) filter (where span = 64))::float8 as months
      from event_counts group by 1 order by count(*) desc`),
  )

export interface IndexSize {
  readonly index: string
  readonly bytes: number
  readonly depth: number
}

/** The indexes of the newest whole month of events, which folding writes, and of the counts. */
export const hotIndexSizes = (db: Pool, month: string): Promise<IndexSize[]> =>
  db.query(sql`
    select c.relname as index, pg_relation_size(c.oid)::float8 as bytes, ((bt_metap(c.oid::regclass::text)).level + 1)::int as depth
    from pg_index x join pg_class c on c.oid = x.indexrelid
    where x.indrelid in (${month}::regclass, 'event_counts'::regclass, 'event_hours'::regclass) order by 2 desc`)

/** `bt_metap` is of this extension. */
export const addPageInspection = (db: Pool) => db.query(sql`create extension if not exists pageinspect`)

/** The pool ends each statement after 30 seconds. */
export const withoutTimeLimit = <T>(db: Pool, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async tx => {
    await tx.query(sql`set local statement_timeout = 0`)
    return work(tx)
  })

/** VACUUM runs in no transaction. */
export async function vacuumAll(db: Pool): Promise<void> {
  const client = await db.pg.connect()
  await client.query('set statement_timeout = 0')
  await client.query('vacuum analyze')
  client.release(true)
}

export async function walPosition(db: Pool): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    sql`select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as bytes`,
  )
  return row?.bytes ?? 0
}
