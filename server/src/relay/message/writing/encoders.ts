// Text to the bytes of old charsets. Node decodes all of them and encodes none, so the tables are made by decoding.
import { decoderOf, isAsciiCharset, isAsciiText } from '../reading/charsets.ts'

type ByteTable = ReadonlyMap<string, readonly number[]>

const tables = new Map<string, ByteTable>()

const isOneLetter = (text: string | undefined): text is string =>
  text !== undefined &&
  text !== '' &&
  text.length === ((text.codePointAt(0) as number) > 0xffff ? 2 : 1) &&
  text > '\x7f'

/** All letters of one or two bytes. The longer ones of GB 18030 and EUC-JP are missing: such text is written as UTF-8. */
function buildTable(charset: string): ByteTable {
  const label = decoderOf(charset)?.encoding
  const table = new Map<string, readonly number[]>()
  if (!label) return table
  const decoder = new TextDecoder(label)
  const decode = (bytes: readonly number[]) => decoder.decode(Uint8Array.from(bytes))
  const add = (text: string | undefined, bytes: readonly number[]) => {
    if (isOneLetter(text) && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let byte = 0x80; byte < 0x100; byte++) add(decode([byte]), [byte])
  if (!/^(?:shift_jis|euc-jp|euc-kr|gbk|gb18030|big5)$/.test(label)) return table
  for (let lead = 0x81; lead < 0xff; lead++) {
    const trails = Array.from({ length: 0xbf }, (_, index) => index + 0x40)
    // One call per lead byte: a line break after each pair ends a sequence that is cut.
    const texts = decode(trails.flatMap(trail => [lead, trail, 10])).split('\n')
    trails.forEach((trail, index) => {
      add(texts[index], [lead, trail])
    })
  }
  return table
}

function tableOf(charset: string): ByteTable {
  const stored = tables.get(charset)
  if (stored) return stored
  const table = buildTable(charset)
  tables.set(charset, table)
  return table
}

/** ISO charsets are read as those of Windows, which have letters where ISO has control characters. */
const isIsoByte = (bytes: readonly number[]): boolean => bytes.length > 1 || (bytes[0] as number) >= 0xa0

function encodeByTable(text: string, table: ByteTable, isIso: boolean): Buffer | null {
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter.charCodeAt(0)
    const encoded = code < 0x80 ? [code] : table.get(letter)
    if (!encoded || (isIso && code >= 0x80 && !isIsoByte(encoded))) return null
    bytes.push(...encoded)
  }
  return Buffer.from(bytes)
}

const escapeByte = 0x1b

/** ISO-2022-JP: the letters of EUC-JP with seven bits, between escape sequences. Every line ends in ASCII. */
function encodeJapanese(text: string): Buffer | null {
  const table = tableOf('euc-jp')
  const bytes: number[] = []
  let isWide = false
  for (const letter of text) {
    const code = letter.charCodeAt(0)
    const encoded = code < 0x80 ? null : table.get(letter)
    if (encoded === undefined || encoded?.some(byte => byte < 0xa1)) return null
    if (encoded && !isWide) bytes.push(escapeByte, 0x24, 0x42)
    if (!encoded && isWide) bytes.push(escapeByte, 0x28, 0x42)
    isWide = encoded !== null
    bytes.push(...(encoded?.map(byte => byte & 0x7f) ?? [code]))
  }
  if (isWide) bytes.push(escapeByte, 0x28, 0x42)
  return Buffer.from(bytes)
}

/** The bytes of a text in a charset, or null when the charset lacks a letter of it. */
export function encodeCharset(text: string, charset: string): Buffer | null {
  if (isAsciiText(text)) return Buffer.from(text, 'latin1')
  const label = decoderOf(charset)?.encoding
  if (label === undefined || isAsciiCharset(charset)) return null
  if (label === 'utf-8') return Buffer.from(text)
  const isIso = label.startsWith('windows-') && !/^(?:x-)?(?:windows|cp)/.test(charset)
  return label === 'iso-2022-jp' ? encodeJapanese(text) : encodeByTable(text, tableOf(label), isIso)
}
