// Streams events as CSV. Batches are read from PostgreSQL only as fast as the client consumes them.
import { Readable } from 'node:stream'
import { csvPieces } from '#kernel/base/csv.ts'
import type { Db } from '#kernel/db/db.ts'
import { nameColumns, withNames } from './named-events.ts'
import { type EventFilter, type ExportedEvent, nextEvents } from './queries.ts'

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
