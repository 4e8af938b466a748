// Tables as CSV, some lines at a time: other requests are answered in between, and rows are read only as fast as the
// client reads.
import { TimeSlice } from './time-slice.ts'

/**
 * Spreadsheets execute a cell that begins like this. The last four are full-width forms, which some spreadsheets
 * convert.
 */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** CSV readers take a lone \r or \n for the end of a record too, unless it is quoted. */
const mustQuote = /[",\r\n]/

/** A text that begins like a formula gets an apostrophe in front. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = formula.test(text) ? `'${text}` : text
  return mustQuote.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}

/** A piece has about so many characters. */
const pieceLength = 64 * 1024

/** Reads the next batch only when the pieces of the one before have been taken. */
export async function* csvPieces(
  columns: readonly string[],
  batches: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  let piece = `${columns.map(cell).join(',')}\r\n`
  for await (const batch of batches) {
    const slice = new TimeSlice()
    for (const row of batch) {
      const values = row as Readonly<Record<string, unknown>>
      piece += `${columns.map(column => cell(values[column])).join(',')}\r\n`
      if (piece.length >= pieceLength) {
        yield piece
        piece = ''
      }
      await slice.pause()
    }
  }
  if (piece !== '') yield piece
}
