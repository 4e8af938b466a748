// Events as CSV, read as fast as they are taken and no faster.
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { Db } from '../../../kernel/db.ts'
import { type EventQuestion, type ExportedEvent, nextEvents } from './queries.ts'

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

/**
 * Spreadsheets run what begins like a formula; such a text gets an apostrophe in front. Readers take a lone \r or \n for
 * the end of a record too, unless it is quoted.
 */
const lines = (events: readonly object[], header: boolean): string =>
  stringify([...events], {
    columns,
    header,
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { string: text => (text.startsWith('\n') ? `'${text}` : text) },
  })

const batch = 1_000

/** No transaction is held meanwhile: an event that is folded between two batches is found by its place in the order. */
async function* pages(
  db: Db,
  question: EventQuestion,
  first: readonly ExportedEvent[],
): AsyncGenerator<string> {
  yield lines(first, true)
  for (let last = first.at(-1), full = first.length === batch; full; ) {
    const events = await nextEvents(db, question, last, batch)
    last = events.at(-1)
    full = events.length === batch
    if (events.length > 0) yield lines(events, false)
  }
}

/** The first part is read before anything is answered, so that a refusal is one. */
export async function exportEvents(db: Db, question: EventQuestion): Promise<Readable> {
  const first = await nextEvents(db, question, undefined, batch)
  return Readable.from(pages(db, question, first), { objectMode: false }) // else it would read 16 batches ahead
}
