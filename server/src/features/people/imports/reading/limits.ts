// What a file can contain. The limits keep memory and time of one upload bounded.

export const tableLimits = {
  /** 20 MB, as uploaded. */
  bytes: 20 * 1024 * 1024,
  columns: 200,
  rows: 200_000,
  /** Rows of a file, with its blank lines and the names of its columns. */
  lines: 400_000,
  /** Longer cells are cut: no smart field holds more than 5,000 characters, so such a value fails in any case. */
  cell: 5_001,
  /** Longer cells are shortened where the first rows are shown. */
  shownCell: 200,
  columnName: 200,
  /** Characters of all cells together. An XLSX file can repeat one long text in every cell. */
  characters: 60_000_000,
  /** Bytes of all parts of an XLSX file that are read, uncompressed. */
  unpackedBytes: 300 * 1024 * 1024,
  /** Files inside an XLSX file. */
  parts: 5_000,
  problems: 100,
  firstRows: 20,
  examples: 3,
  /** Rows that are stored, and later imported, together. */
  batch: 500,
  /** Characters of such a batch, unless one row has more. */
  batchCharacters: 500_000,
} as const

export type UnreadableCode = 'invalid' | 'blank' | 'too_many' | 'payload_too_large' | 'malformed_json'

/** The file cannot be read. The message continues a sentence that begins with the name of the field. */
export class UnreadableFile extends Error {
  readonly code: UnreadableCode

  constructor(message: string, code: UnreadableCode = 'invalid') {
    super(message)
    this.code = code
  }
}
