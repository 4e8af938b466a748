import Papa from 'papaparse'
import { decodeText, type TextEncoding } from './decode.ts'
import { UnreadableFile } from './limits.ts'
import type { TableBuilder } from './table.ts'

const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/** Excel reads the delimiter from such a first line. */
const separatorLine = /^sep=([,;\t])\n/i

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** Characters and records that the delimiter is guessed from. */
const sampleLength = 64 * 1024
const sampleRecords = 20

/**
 * The delimiter with which the most records have as many cells as the first one; with several such, that of the most
 * cells. (Papa Parse's own guess takes a comma for a file of two columns and one row.)
 */
function guessDelimiter(text: string): Delimiter {
  const sample = text.slice(0, sampleLength)
  const scores = delimiters.map(delimiter => {
    const options = { delimiter, newline: '\n', preview: sampleRecords, skipEmptyLines: true } as const
    const records = Papa.parse<string[]>(sample, options).data
    const width = records[0]?.length ?? 0
    const alike = records.filter(record => record.length === width).length
    return { delimiter, score: width < 2 ? 0 : alike / records.length + width / 1_000_000 }
  })
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).delimiter
}

/** Adds the records of the file to the table. Blank lines count as lines, but not as rows. */
export function readCsv(
  bytes: Buffer,
  table: TableBuilder,
): { readonly encoding: TextEncoding; readonly delimiter: Delimiter } {
  const { text: decoded, encoding } = decodeText(bytes)
  // Papa Parse knows one kind of line end in a file. Files that were joined have several.
  const whole = decoded.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const [head = '', named] = separatorLine.exec(whole) ?? []
  const text = whole.slice(head.length)
  const delimiter = (named as Delimiter | undefined) ?? guessDelimiter(text)
  let line = 1 + countLines(head, 0, head.length)
  let start = 0
  Papa.parse<string[]>(text, {
    delimiter,
    newline: '\n',
    step({ data, errors, meta }) {
      const error = errors.find(({ type }) => type === 'Quotes')
      table.countLine()
      if (error?.code === 'MissingQuotes')
        throw new UnreadableFile(`has a quote in line ${line} that does not end`)
      const isBlank = data.every(cell => cell.trim() === '')
      if (!isBlank) table.add(line, data, { isRagged: false, hasBadQuotes: error !== undefined })
      line += countLines(text, start, meta.cursor)
      start = meta.cursor
    },
  })
  return { encoding, delimiter }
}
