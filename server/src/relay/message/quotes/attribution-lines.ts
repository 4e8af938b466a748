// The signs that a line begins an attribution, or goes on with one.
import { digitsIn } from './attributions.ts'

/** The words with which attributions begin, before the date. */
const leadWords = new Set(
  (
    'On Am Le El En Il Em No Na Op Den På Þann Pe În In La W Dnia Dne Dňa V U Ob Ar Vào Pada Noong Kuupäev Στις На У В ' +
    '在 ในวันที่ בתאריך ב في بتاريخ در'
  ).split(' '),
)
/** Those before the name. */
const leadsToName = /^(?:Quoting|Zitat von|Citando|Missatge de|Wiadomość napisana przez) /

const mostNameWords = 12
/** A date has at most so many words: `18 de noviembre de 2026`. */
const dateWords = 7

/**
 * The beginning of a text. `lead`: `On Wed, 18`, as only attributions begin. `date`: `18.11.2026` or `śr., 18`. `name`:
 * `Ada Lovelace <ada@example.com>`.
 */
export function beginningOf(text: string): 'lead' | 'date' | 'name' | null {
  const words = text.replace(/^[^\p{L}\p{Nd}<]+/u, '').split(' ', mostNameWords)
  const at = words.findIndex(word => /[\p{Nd}@]/u.test(word))
  const word = words[at]
  if (word === undefined || word.includes('://')) return null
  if (word.includes('@')) {
    if (leadsToName.test(text)) return 'lead'
    const isBracketed = /^[<([]/.test(word) || /[<([]$/.test(words[at - 1] ?? '')
    return at > 0 && isBracketed && !/^\p{Ll}/u.test(text) ? 'name' : null
  }
  const isDate = !/^\d{1,2}:\d\d/.test(word) || hasWholeDate(text)
  if (at > 0 && at <= 4 && isDate && leadWords.has(words[0] ?? '')) return 'lead'
  return at <= 2 && hasWholeDate(words.slice(0, at + dateWords).join(' ')) ? 'date' : null
}

/** A year, or three numbers. A date can be folded, too. */
export const hasWholeDate = (text: string): boolean =>
  /(?<!\p{Nd})(?:(?:19|20|25)\d\d|(?:(?!\d)\p{Nd}){4})(?!\p{Nd})|\d[./-] ?\d{1,2}[./-] ?\d/u.test(text)

/** Words with a small letter: a name has at most two, and few stand around a date. */
const mostSmallWords = 4
export const isProse = (text: string): boolean =>
  text.split(' ').filter(word => /^\P{L}*\p{Ll}/u.test(word)).length > mostSmallWords

/** A sentence ends with the line above. A dot behind a few letters is that of an abbreviation. */
const endsSentence = (above: string, below: string): boolean =>
  /[!?。！？؟]["”)]?$/.test(above.slice(-2)) ||
  (/\p{L}{4}\.["”)]?$/u.test(above.slice(-6)) && /^["“„«(]?\p{Lu}/u.test(below))

/** The number or sign before an item of a list. A number with a dot can be the day of a date. */
const itemMark = /^(?:[-*•]|\p{Nd}{1,2}[:)]) /u
const numberMark = /^\p{Nd}{1,2}\. /u
const clock = /(?<![+\d.:-])\d{1,2}:\d\d/
const year = /(?<!\p{Nd})(?:19|20|25)\d\d(?!\p{Nd})/u
/** A year alone can be a part of a name. */
const isDate = (text: string): boolean => digitsIn(text) >= 5 && year.test(text)

/** Lines that cannot be one attribution: another sentence, date or item of a list begins with the one below. */
export const areSeparate = (above: string, below: string): boolean =>
  endsSentence(above, below) ||
  itemMark.test(below) ||
  (numberMark.test(above) && numberMark.test(below)) ||
  (clock.test(above) && clock.test(below)) ||
  (isDate(above) && isDate(below))
