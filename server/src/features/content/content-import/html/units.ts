// Lengths, colours and fonts of CSS and of old attributes, as content has them.

import { enums, parseColor } from '@signoff/render'
import { ownEntry } from '#kernel/base/own-entry.ts'

/** Mail clients show text without a size at about this size, and so does the renderer. */
export const baseFontSize = 14

const pixelsPerUnit: Readonly<Record<string, number>> = {
  px: 1,
  '': 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  rem: baseFontSize,
}
const lengthText = /^([+-]?(?:\d{1,6}\.?\d{0,6}|\.\d{1,6}))\s?([a-z%]{0,3})$/i

/** Pixels; undefined for percentages and everything that is not a length. */
export function pixelsOf(text: string | undefined, fontSize: number = baseFontSize): number | undefined {
  if (text === undefined) return undefined
  const match = lengthText.exec(text.trim())
  if (!match) return undefined
  const unit = (match[2] ?? '').toLowerCase()
  const factor = unit === 'em' ? fontSize : unit === 'ex' ? fontSize / 2 : ownEntry(pixelsPerUnit, unit)
  return factor === undefined ? undefined : Math.round(Number(match[1]) * factor * 100) / 100
}

export function percentOf(text: string | undefined): number | undefined {
  const match = lengthText.exec(text?.trim() ?? '')
  return match?.[2] === '%' ? Number(match[1]) : undefined
}

const sizeWords: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
}

/** The sizes 1 to 7 of `<font size>`. */
const fontTagSizes = [10, 13, 16, 18, 24, 32, 48]

export function fontTagSize(text: string): number | undefined {
  if (!/^[+-]?\d$/.test(text.trim())) return undefined
  const number = Number(text)
  const index = /^[+-]/.test(text.trim()) ? 3 + number : number
  return fontTagSizes[Math.min(7, Math.max(1, index)) - 1]
}

export function fontSizeFrom(text: string, parent: number): number | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'smaller') return parent / 1.2
  if (word === 'larger') return parent * 1.2
  const percent = percentOf(word)
  if (percent !== undefined) return (parent * percent) / 100
  return ownEntry(sizeWords, word) ?? pixelsOf(word, parent)
}

const functionColor =
  /^rgba?\(\s?(\d{1,3})[\s,]{1,3}(\d{1,3})[\s,]{1,3}(\d{1,3})(?:[\s,/]{1,4}([\d.]{1,8})(%?))?\s?\)$/

/** Mixes a half transparent colour with white, as most mails show it. */
function mixed([red = 0, green = 0, blue = 0]: readonly number[], alpha: number): string {
  const channel = (value: number) =>
    Math.round(Math.min(255, value) * alpha + 255 * (1 - alpha))
      .toString(16)
      .padStart(2, '0')
  return `#${channel(red)}${channel(green)}${channel(blue)}`
}

/** `#rrggbb`; null for transparent; undefined when the text is no colour. */
export function colorOf(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined
  const color = text.trim().toLowerCase()
  const match = functionColor.exec(color)
  if (match) {
    const alpha = match[4] === undefined ? 1 : Number(match[4]) / (match[5] === '%' ? 100 : 1)
    if (alpha === 0) return null
    return mixed(match.slice(1, 4).map(Number), Math.min(1, alpha))
  }
  if (color === 'windowtext') return '#000000'
  if (/^#[\da-f]{8}$/.test(color)) return color.endsWith('00') ? null : parseColor(color.slice(0, 7))
  if (/^([\da-f]{6}|[\da-f]{3})$/.test(color)) return parseColor(`#${color}`)
  return parseColor(color)
}

type FontFamily = (typeof enums.fontFamily)[number]

const families = new Map<string, FontFamily>([
  ...enums.fontFamily.map(name => [name.toLowerCase(), name] as const),
  ['helvetica neue', 'Helvetica'],
  ['helveticaneue', 'Helvetica'],
  ['arial black', 'Arial'],
  ['aptos', 'Calibri'],
  ['carlito', 'Calibri'],
  ['times', 'Times New Roman'],
  ['courier', 'Courier New'],
  ['consolas', 'Courier New'],
  ['lucida grande', 'Lucida Sans'],
  ['lucida sans unicode', 'Lucida Sans'],
  ['palatino linotype', 'Palatino'],
  ['book antiqua', 'Palatino'],
  ['cambria', 'Georgia'],
  ['segoe', 'Segoe UI'],
  ['wf_segoe-ui_normal', 'Segoe UI'],
  ['sans-serif', 'Arial'],
  ['serif', 'Times New Roman'],
  ['monospace', 'Courier New'],
  ['system-ui', 'Segoe UI'],
  ['-apple-system', 'Helvetica'],
])
/** Close enough that no entry is worth its reading. */
const alike = new Set([
  'helvetica neue',
  'helveticaneue',
  'aptos',
  'lucida grande',
  '-apple-system',
  'system-ui',
])

export interface FontChoice {
  readonly family: FontFamily | undefined
  /** The first font of the list, when content cannot use it. */
  readonly replaced: string | undefined
}

export function fontFrom(list: string): FontChoice {
  const names = list
    .split(',', 12)
    .map(name => name.replace(/["']/g, '').trim().slice(0, 60))
    .filter(name => name !== '')
  const usable = names.find(name => families.has(name.toLowerCase()))
  const [first = ''] = names
  const isExact = usable === first || alike.has(first.toLowerCase()) || first === ''
  return {
    family: usable === undefined ? undefined : families.get(usable.toLowerCase()),
    replaced: isExact ? undefined : first,
  }
}
