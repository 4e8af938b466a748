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

/** A number, or a phone number: no spreadsheet runs it. */
const plainNumber = /^[+-]?[\d\s().\-/]+$/

export interface CsvShape {
  readonly delimiter: string
  /** Texts such as `+49 30 123` get no apostrophe. */
  readonly keepsNumbers: boolean
}

const usualShape: CsvShape = { delimiter: ',', keepsNumbers: false }

/** A text that begins like a formula gets an apostrophe in front. */
function cell(value: unknown, { delimiter, keepsNumbers } = usualShape): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isSafe = !formula.test(text) || (keepsNumbers && plainNumber.test(text))
  const safe = isSafe ? text : `'${text}`
  const isQuoted = mustQuote.test(safe) || safe.includes(delimiter)
  return isQuoted ? `"${safe.replace(/"/g, '""')}"` : safe
}

export const csvRow = (values: readonly unknown[], shape: CsvShape = usualShape): string =>
  `${values.map(value => cell(value, shape)).join(shape.delimiter)}\r\n`

/** A piece has about so many characters. */
const pieceLength = 64 * 1024

/** Reads the next batch only when the pieces of the one before have been taken. */
export async function* csvPieces(
  columns: readonly string[],
  batches: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  let piece = csvRow(columns)
  for await (const batch of batches) {
    const slice = new TimeSlice()
    for (const row of batch) {
      const values = row as Readonly<Record<string, unknown>>
      piece += csvRow(columns.map(column => values[column]))
      if (piece.length >= pieceLength) {
        yield piece
        piece = ''
      }
      await slice.pause()
    }
  }
  if (piece !== '') yield piece
}
