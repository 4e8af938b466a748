// What a charset name means for the surgery: whether ASCII can be put between its bytes, and how text is written in it.
import { isAscii } from 'node:buffer'

/** Charsets in which ASCII bytes do not mean ASCII, or do so only in some places: such a body is left alone. */
const notAsciiBased =
  /^(?:utf-?(?:7|16|32)|unicode|ucs-|iso-10646|csunicode|hz-gb|ebcdic|ibm(?:037|10[24]\d|27[0-9]|28[0-9]|29[07]|42[0-4]|500|87[015]|88[0-9]|9[013]5|1140)$|cp(?:037|500|1026|1140)$|x-utf-16)/

const asciiNames = new Set(['us-ascii', 'ascii', 'ansi_x3.4-1968', 'iso646-us', ''])

export const isAsciiBased = (charset: string): boolean => !notAsciiBased.test(charset)
export const isAsciiCharset = (charset: string): boolean => asciiNames.has(charset)
/** Escape sequences switch to letters that are written with the bytes of ASCII. */
export const isEscaped = (charset: string): boolean => charset.startsWith('iso-2022')

export const isAsciiText = (text: string): boolean => !/[\u0080-\uffff]/.test(text)
export const isAsciiBytes: (bytes: Buffer) => boolean = isAscii

const aliases: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  'ks_c_5601-1987': 'euc-kr',
  cp949: 'euc-kr',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp950: 'big5',
  'x-gbk': 'gbk',
  'iso-8859-8-i': 'iso-8859-8',
}

/** Null for charsets that no standard of the web knows. */
export function decoderOf(charset: string): TextDecoder | null {
  if (isAsciiCharset(charset)) return new TextDecoder('windows-1252', { fatal: true })
  try {
    return new TextDecoder(aliases[charset] ?? charset, { fatal: true, ignoreBOM: true })
  } catch {
    return null
  }
}

/** The text of bytes; null when the bytes are not of this charset, or are not ASCII where ASCII is declared. */
export function decodeCharset(bytes: Buffer, charset: string): string | null {
  if (isAsciiCharset(charset)) return isAsciiBytes(bytes) ? bytes.toString('latin1') : null
  try {
    return decoderOf(charset)?.decode(bytes) ?? null
  } catch {
    return null
  }
}

/** ISO-2022 with every byte between two escape sequences replaced, so that a `<` there is not taken for a tag. */
export function maskEscaped(bytes: Buffer): Buffer {
  const masked = Buffer.from(bytes)
  let isWide = false
  for (let at = 0; at < masked.length; at++) {
    const byte = masked[at]
    if (byte === 0x1b) isWide = masked[at + 1] === 0x24 && masked[at + 2] !== 0x29
    else if (byte === 0x0e) isWide = true
    else if (byte === 0x0f) isWide = false
    else if (isWide && byte !== 10 && byte !== 13) masked[at] = 0x7e
  }
  return masked
}
