// Reads an uploaded file of any accepted format. Runs in a thread: a file of 20 MB takes seconds.
import { Base64Problem, decodeBase64Literal } from '#kernel/base/base64.ts'
import { type Delimiter, readCsv } from './csv-file.ts'
import type { TextEncoding } from './decode.ts'
import type { GuessField } from './guess.ts'
import { tableLimits, UnreadableFile } from './limits.ts'
import { TableBuilder, type TableContents } from './table.ts'
import { isZip, readXlsx } from './xlsx-file.ts'

export interface TableFile {
  readonly bytes: Uint8Array
  /** The encoding of the file in `bytes`. */
  readonly transfer: 'bytes' | 'base64'
}

export interface ReadFile extends TableContents {
  readonly format: 'csv' | 'xlsx'
  /** The delimiter of a CSV file; null for XLSX. */
  readonly encoding: TextEncoding | null
  readonly delimiter: Delimiter | null
}

function fileBytes({ bytes, transfer }: TableFile): Buffer {
  const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return transfer === 'base64' ? decodeBase64Literal(sent) : sent
  } catch (error) {
    throw error instanceof Base64Problem ? new UnreadableFile(error.message, error.code) : error
  }
}

export async function readTable(file: TableFile, fields: readonly GuessField[]): Promise<ReadFile> {
  const bytes = fileBytes(file)
  if (bytes.length > tableLimits.bytes) throw new UnreadableFile('is larger than 20 MB', 'payload_too_large')
  const table = new TableBuilder(fields)
  if (isZip(bytes)) {
    await readXlsx(bytes, table)
    return { format: 'xlsx', encoding: null, delimiter: null, ...table.finish() }
  }
  const { encoding, delimiter } = readCsv(bytes, table)
  return { format: 'csv', encoding, delimiter, ...table.finish() }
}
