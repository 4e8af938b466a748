// The text of a CSV file. Spreadsheets write UTF-8, UTF-16 ("Unicode text") or the code page of Windows.
import { isUtf8 } from 'node:buffer'
import { UnreadableFile } from './limits.ts'

export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type TextEncoding = (typeof textEncodings)[number]

const marks: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Bytes that are looked at where there is no byte order mark. */
const sampleBytes = 2_000

/** UTF-16 without a mark: in text of Latin letters every other byte is 0. */
function unmarkedUtf16(bytes: Buffer): TextEncoding | undefined {
  const sample = bytes.subarray(0, sampleBytes)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const enough = sample.length / 4
  if (odd > enough && even < odd / 4) return 'utf-16le'
  return even > enough && odd < even / 4 ? 'utf-16be' : undefined
}

export function decodeText(bytes: Buffer): { readonly text: string; readonly encoding: TextEncoding } {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  const encoding = marked?.[0] ?? unmarkedUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  const text = new TextDecoder(encoding).decode(bytes) // without the mark
  // A picture or another program's file has NUL bytes, a table has none.
  if (text.includes('\0')) throw new UnreadableFile('is not a table: it is neither CSV text nor an XLSX file')
  return { text, encoding }
}
