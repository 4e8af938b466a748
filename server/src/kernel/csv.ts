// Tables as CSV, some lines at a time: other requests are answered in between, and no more is read than the client takes.
import { TimeSlice } from './time-slice.ts'

/** Spreadsheets run what begins like one. The last four are wide forms, which some of them turn into the plain ones. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** Readers take a lone \r or \n for the end of a record too, unless it is quoted. */
const mustQuote = /[",\r\n]/

/** A text that begins like a formula gets an apostrophe in front. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = formula.test(text) ? `'${text}` : text
  return mustQuote.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}

/** About so many characters are handed on at once. */
const pieceLength = 64 * 1024

/** `batches` are read when what was read before has been taken. */
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
