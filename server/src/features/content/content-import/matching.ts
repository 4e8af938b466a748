// Compares texts and link targets with the values of a person.
import { safeUrl } from '@signoff/render'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import type { FilledField } from './fields.ts'

export interface FieldMatch {
  readonly start: number
  readonly end: number
  readonly filled: FilledField
  readonly confidence: number
}

/** Longer texts are sentences: a name inside of them is a part of the sentence. */
const maxTextLength = 200

/** In the same length as the text, so that positions stay the same. */
function comparable(text: string): string {
  const lower = text.replace(/[\u00a0\u2007\u202f]/g, ' ').toLowerCase()
  return lower.length === text.length ? lower : text
}

/** Characters that continue a word, an address or a number. */
const continues = /[\p{L}\p{N}@._\-/&+]/u
const isApart = (text: string, start: number, end: number): boolean =>
  (start === 0 || !continues.test(text[start - 1] ?? '')) &&
  (end === text.length || !continues.test((text[end] ?? '').replace('.', ' ')))

const digitsOf = (text: string): string => text.replace(/\D/g, '')
/** Without the zero of `+44 (0)20`. */
const dialled = (text: string): string => digitsOf(text.replace('(0)', ''))

/** 1 for equal numbers; less for the same number with and without its country code. */
function samePhone(text: string, value: string): number {
  const [a, b] = [dialled(text), dialled(value)]
  if (a.length < 5 || b.length < 5) return 0
  if (a === b) return text.trim() === value.trim() ? 1 : 0.95
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  const national = short.replace(/^0{1,2}/, '')
  return national.length >= 7 && long.endsWith(national) ? 0.75 : 0
}

const bareAddress = (url: string): string =>
  url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '')

/** The mailbox of `mailto:ada@example.com?subject=Hello`. */
function mailboxOf(target: string): string {
  const [mailbox = ''] = target.slice('mailto:'.length).split('?', 1)
  try {
    return decodeURIComponent(mailbox)
  } catch {
    return mailbox
  }
}

const sameText = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Certainty, from 0 to 1, that a link leads to the value of a field of this kind. */
export function targetConfidence(target: string, kind: SmartField['kind'], value: string): number {
  if (kind === 'email') return target.startsWith('mailto:') && sameText(mailboxOf(target), value) ? 0.95 : 0
  if (kind === 'phone') return isNumber(target) ? Math.min(0.95, samePhone(target.slice(4), value)) : 0
  if (kind !== 'url' || !target.startsWith('http')) return 0
  return bareAddress(target) === bareAddress(safeUrl(value) ?? value) ? 0.95 : 0
}

const isNumber = (target: string): boolean => /^(tel|sms):/.test(target)

/** True if a link is of the kind that a field of this kind gives. */
export const isTargetOf = (target: string, kind: SmartField['kind']): boolean =>
  kind === 'email' ? target.startsWith('mailto:') : kind === 'phone' && isNumber(target)

const phonePattern = /[+(\d][\d\s()./\u00a0-]{4,30}/g

/** `+44 20 7946 ` and `(020) ` end with a digit or a bracket. */
function upToLastDigit(text: string): string {
  let end = text.length
  while (end > 0 && !/[\d)]/.test(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}

/** Phone numbers in a text that are the value. */
function phoneMatches(text: string, filled: FilledField): FieldMatch[] {
  const matches: FieldMatch[] = []
  for (const match of text.matchAll(phonePattern)) {
    const words = upToLastDigit(match[0])
    const confidence = samePhone(words, filled.value)
    if (confidence > 0)
      matches.push({ start: match.index, end: match.index + words.length, filled, confidence })
  }
  return matches
}

const isWhole = (text: string, start: number, end: number): boolean =>
  text.slice(0, start).trim() === '' && text.slice(end).trim() === ''

function textMatches(text: string, filled: FilledField): FieldMatch[] {
  const value = filled.value.trim().replace(/\s+/g, ' ')
  if (value.length < 2) return []
  const sought = filled.field.kind === 'url' ? bareAddress(value) : comparable(value)
  const searched = comparable(text)
  const matches: FieldMatch[] = []
  for (let at = searched.indexOf(sought); at !== -1; at = searched.indexOf(sought, at + sought.length)) {
    const [start, end] =
      filled.field.kind === 'url' ? webAddressAround(searched, at, sought) : [at, at + sought.length]
    if (!isApart(text, start, end)) continue
    const isSameCase = text.slice(at, at + sought.length).replace(/\u00a0/g, ' ') === value
    const isAll = isWhole(text, start, end)
    if (!isAll && value.length < 3) continue
    const base = isAll ? 1 : filled.field.kind !== 'text' || value.includes(' ') ? 0.9 : 0.65
    matches.push({
      start,
      end,
      filled,
      confidence: base - (isSameCase || filled.field.kind !== 'text' ? 0 : 0.05),
    })
  }
  return matches
}

/** Includes `https://www.` before and `/` after a bare address. */
function webAddressAround(text: string, at: number, sought: string): readonly [number, number] {
  const before = ['https://www.', 'http://www.', 'https://', 'http://', 'www.'].find(prefix =>
    text.slice(0, at).endsWith(prefix),
  )
  const end = at + sought.length
  return [
    at - (before?.length ?? 0),
    text[end] === '/' && !/[^\s]/.test(text[end + 1] ?? ' ') ? end + 1 : end,
  ]
}

/** First and last name beside each other: both are certain. */
function withFullNames(matches: readonly FieldMatch[], text: string): FieldMatch[] {
  const isName = ({ filled }: FieldMatch) => ['first_name', 'last_name'].includes(filled.field.key)
  return matches.map(match => {
    const other = matches.find(
      candidate =>
        isName(candidate) &&
        candidate.filled.field.key !== match.filled.field.key &&
        (text.slice(match.end, candidate.start).trim() === '' ||
          text.slice(candidate.end, match.start).trim() === '') &&
        Math.min(Math.abs(candidate.start - match.end), Math.abs(match.start - candidate.end)) === 1,
    )
    return isName(match) && other ? { ...match, confidence: Math.max(match.confidence, 0.98) } : match
  })
}

/** The values in a text, from left to right, without overlaps. The surest and longest ones win. */
export function matchesIn(text: string, filled: readonly FilledField[]): readonly FieldMatch[] {
  const all = filled.flatMap(entry => {
    const { kind } = entry.field
    if (kind === 'image' || (kind === 'text' && text.length > maxTextLength)) return []
    return kind === 'phone' ? phoneMatches(text, entry) : textMatches(text, entry)
  })
  const ranked = withFullNames(all.slice(0, 100), text).sort(
    (a, b) => b.confidence - a.confidence || b.end - b.start - (a.end - a.start),
  )
  const chosen: FieldMatch[] = []
  for (const match of ranked)
    if (chosen.every(({ start, end }) => match.end <= start || match.start >= end)) chosen.push(match)
  return chosen.sort((a, b) => a.start - b.start)
}
