// Streams events as CSV. Batches are read from PostgreSQL only as fast as the client consumes them.
import { Readable } from 'node:stream'
import { csvPieces } from '#kernel/base/csv.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Dimension } from '../dimension.ts'
import { labelsFor } from '../labels/rules.ts'
import { type EventFilter, type ExportedEvent, nextEvents } from './queries.ts'

/**
 * The column with a name, the column with its id, and what it names: a reader of a table knows people and signatures by
 * their names.
 */
const names = [
  ['signature_name', 'signature_template_uuid', 'signature_template'],
  ['campaign_name', 'marketing_campaign_uuid', 'marketing_campaign'],
  ['person_name', 'teammate_uuid', 'teammate'],
  ['link_name', 'anchor_uuid', 'anchor'],
] as const satisfies readonly (readonly [string, string, Dimension])[]

const nameColumns: readonly string[] = names.map(([column]) => column)

/** At most one read for each kind of name. An id without a known name has an empty cell. */
async function withNames(db: Db, workspaceId: string, events: readonly object[]): Promise<object[]> {
  const rows = events.map(event => ({ ...event }) as Record<string, unknown>)
  for (const [column, idColumn, dimension] of names) {
    const ids = new Set(rows.map(row => row[idColumn]).filter(id => typeof id === 'string'))
    const labelOf = await labelsFor(db, workspaceId, dimension, [...ids])
    for (const row of rows) {
      const id = row[idColumn]
      const label = typeof id === 'string' ? labelOf(id) : ''
      row[column] = label === id ? '' : label
    }
  }
  return rows
}

const columns = [
  'id',
  'recorded_at',
  'name',
  'outcome',
  'value',
  'currency',
  'click_id',
  'signature_template_uuid',
  'marketing_campaign_uuid',
  'campaign_variant',
  'teammate_uuid',
  'anchor_uuid',
  'email_uuid',
  'country_code',
  'distinct_id',
  'anonymous_id',
  'properties',
  ...nameColumns,
]

/** Keeps a batch below a few megabytes, even if every row has the maximum length. */
const batchRows = 500

/** Holds no transaction. If an event is folded between two batches, the (recorded_at, id) cursor still finds it. */
async function* batches(
  db: Db,
  filter: EventFilter,
  firstBatch: readonly ExportedEvent[],
): AsyncGenerator<readonly object[]> {
  yield withNames(db, filter.workspaceId, firstBatch)
  for (let lastEvent = firstBatch.at(-1), isFull = firstBatch.length === batchRows; isFull; ) {
    const events = await nextEvents(db, filter, lastEvent, batchRows)
    lastEvent = events.at(-1)
    isFull = events.length === batchRows
    yield withNames(db, filter.workspaceId, events)
  }
}

/** Reads the first batch before the response starts, so an error is still sent as an error response. */
export async function exportEvents(db: Db, filter: EventFilter): Promise<Readable> {
  const firstBatch = await nextEvents(db, filter, undefined, batchRows)
  const pieces = csvPieces(columns, batches(db, filter, firstBatch))
  return Readable.from(pieces, { objectMode: false }) // in object mode the stream would prefetch 16 pieces
}
