// Events as CSV, read as fast as they are taken and no faster.
import { Readable } from 'node:stream'
import { csvPieces } from '#kernel/csv.ts'
import type { Db } from '#kernel/db.ts'
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
]

/** At most some megabytes, were every row as long as it may be. */
const batchRows = 500

/** No transaction is held meanwhile: an event that is folded between two batches is found by its place in the order. */
async function* batches(
  db: Db,
  filter: EventFilter,
  firstBatch: readonly ExportedEvent[],
): AsyncGenerator<readonly ExportedEvent[]> {
  yield firstBatch
  for (let lastEvent = firstBatch.at(-1), isFull = firstBatch.length === batchRows; isFull; ) {
    const events = await nextEvents(db, filter, lastEvent, batchRows)
    lastEvent = events.at(-1)
    isFull = events.length === batchRows
    yield events
  }
}

/** The first part is read before anything is answered, so that a refusal is one. */
export async function exportEvents(db: Db, filter: EventFilter): Promise<Readable> {
  const firstBatch = await nextEvents(db, filter, undefined, batchRows)
  const pieces = csvPieces(columns, batches(db, filter, firstBatch))
  return Readable.from(pieces, { objectMode: false }) // else it would read 16 pieces ahead
}
