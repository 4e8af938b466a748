// Titles and rules above a quote: `-----Original Message-----`, `Begin forwarded message:`, `________`.
import { isDateLine, isFramedAttribution } from './attributions.ts'
import {
  isOriginalTitle,
  labelOf,
  saysAboveLine,
  saysAnswer,
  saysForwarded,
  saysMessage,
  saysOriginal,
} from './labels.ts'

const longestTitle = 150

/** Characters that clients draw lines with. */
const signs = new Set('-‐‑–—―─━═=_*~#')

/** The end of the signs that begin at an offset. */
function signsEnd(text: string, from: number): number {
  let at = from
  while (signs.has(text[at] ?? '')) at++
  return at
}

/** A rule of underscores or dashes. Short ones of hyphens and stars are smileys, or end a signature. */
export const isRule = (text: string): boolean =>
  text.length >= (/[_=—―─━═]/.test(text) ? 4 : 10) && signsEnd(text, 0) === text.length

/** `-----BEGIN PUBLIC KEY-----` and the line at its end. */
const isEdgeOfKey = (text: string): boolean => /^-{4,5} ?(?:BEGIN|END) /.test(text)

/** The line of a help desk: `##- Please type your reply above this line -##` */
const isAnswerLine = (text: string): boolean =>
  saysAboveLine(text) && (saysAnswer(text) || signsEnd(text, 0) >= 2)

/** `Ada Lovelace ---18.11.2026 10:02:33---Subject` */
const isNotesTitle = (text: string): boolean => isDateLine(text.split('---', 3)[1] ?? '')

/** A title between signs, and what stands behind it in the line: some clients forget the line break. */
function framedTitle(text: string): { readonly title: string; readonly rest: string } | null {
  const start = signsEnd(text, 0)
  if (start < 2) return null
  for (let at = start; at < text.length; at++) {
    const end = signsEnd(text, at)
    if (end - at >= 2) return { title: text.slice(start, at).trim(), rest: text.slice(end).trim() }
    at = Math.max(at, end)
  }
  return null
}

/** `proven`: in every mail. `certain`: in an answer, by its words. `possible`: the next lines must prove it. */
export function titleOf(text: string): 'proven' | 'certain' | 'possible' | null {
  if (text.length < 6 || isEdgeOfKey(text)) return null
  // GroupWise, folded or not.
  if (text.startsWith('>>> ') && (text.endsWith(' >>>') || /@[^@>]*> \d/.test(text)) && /\d/.test(text))
    return 'certain'
  const framed = framedTitle(text)
  if (framed && framed.rest !== '')
    return saysMessage(framed.title) && labelOf(framed.rest) !== null ? 'proven' : null
  if (text.length > longestTitle) return null
  if (isAnswerLine(text)) return 'certain'
  if (framed && /\p{L}/u.test(framed.title))
    return saysMessage(framed.title) || isFramedAttribution(framed.title) ? 'certain' : 'possible'
  if (/^\[.*\]$/.test(text) && saysOriginal(text)) return 'possible'
  if ((text.length < 40 && isOriginalTitle(text)) || isNotesTitle(text)) return 'possible'
  if (!/[:：]$/.test(text) || !saysForwarded(text)) return null
  return isDateLine(text) && saysForwarded(text.split(' ', 2).join(' ')) ? 'certain' : 'possible'
}
