// The text of a cell as Excel shows it plainly.
import { day } from '#kernel/base/durations.ts'

/** Built-in number formats that show dates and times. */
const builtInDates: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54,
  55, 56, 57, 58,
])

export type CellFormat =
  | { readonly kind: 'plain' | 'date' }
  | { readonly kind: 'digits'; readonly count: number }

const plain: CellFormat = { kind: 'plain' }

/** `code` is the text of a format that the file defines itself. */
export function formatOf(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return builtInDates.has(id) ? { kind: 'date' } : plain
  // Postcodes and staff numbers: `00000` shows 1067 as 01067.
  if (/^0{2,30}$/.test(code)) return { kind: 'digits', count: code.length }
  const pattern = code.replace(/"[^"]*"|\\.|\[[^[\]]*\]/g, '').split(';')[0] ?? ''
  return /[ymdhs]/i.test(pattern) && !/[0#?]/.test(pattern.replace(/\.0+/g, '')) ? { kind: 'date' } : plain
}

/** Day 0 of the two calendars of Excel. The first one has a 29th of February 1900, which did not exist. */
const firstDay = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) }
/** The last day that Excel knows: the 31st of December 9999. */
const lastDay = 2_958_465

function dateText(days: number, is1904: boolean): string | undefined {
  if (!(days >= 0 && days <= lastDay)) return undefined
  const seconds = Math.round((days * day) / 1000)
  const text = new Date((is1904 ? firstDay[1904] : firstDay[1900]) + seconds * 1000).toISOString()
  const [date = '', time = ''] = text.slice(0, 19).split('T')
  if (days < 1) return time
  return time === '00:00:00' ? date : `${date} ${time}`
}

/** Excel keeps 15 digits. More of them in the file are the rest of a calculation with binary fractions. */
const numberText = (value: number): string => String(Number(value.toPrecision(15)))

export function cellText(raw: string, format: CellFormat, is1904: boolean): string {
  const value = raw.trim() === '' ? Number.NaN : Number(raw)
  if (!Number.isFinite(value)) return raw
  if (format.kind === 'date') return dateText(value, is1904) ?? numberText(value)
  const text = numberText(value)
  return format.kind === 'digits' && /^\d+$/.test(text) ? text.padStart(format.count, '0') : text
}

/** `BC12` → 54; -1 for a text that is no reference. */
export function columnIndex(reference: string): number {
  const [, letters = ''] = /^([A-Z]{1,3})\d*$/.exec(reference) ?? []
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
