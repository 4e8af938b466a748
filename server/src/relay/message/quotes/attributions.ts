// Recognises the line with which a mail client introduces a quote: `On 5 May 2026 at 10:00, Ada <ada@example.com> wrote:`.
import { saysWrote } from './labels.ts'

/** Digits outside addresses. A date with a time has six or more, a date at least five, a time four. */
export function digitsIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) count++
    else if (code === 64 || code >= firstOtherDigit) return digitsOutsideAddresses(text)
  }
  return count
}

/** The Arabic digits are the first ones behind those of ASCII. */
const firstOtherDigit = 0x660

function digitsOutsideAddresses(text: string): number {
  const words = text.split(' ').filter(word => !word.includes('@'))
  return words.join('').replace(/\P{Nd}/gu, '').length
}

const hasAddress = (text: string): boolean => /[^\s<>@]@[^\s<>@]/.test(text)

/** `<ada@example.com>`, also in other brackets. */
export const hasBracketedAddress = (text: string): boolean =>
  text.includes('@') &&
  text
    .split(/[\s<>()[\]]+/)
    .some(word => hasAddress(word) && /[<([]/.test(text.charAt(text.indexOf(word) - 1)))

/** Zoho ends with dashes instead of a colon, and Hebrew lines can be stored from their end. */
export const endsAttribution = (text: string): boolean => /[:：՝]["”]?$|[^-]-{2,6}$|^[:：]/.test(text)

/** The line can be the last one of an attribution. */
export const endsLikeAttribution = (line: string): boolean => /[-:：՝]["”]?$|^[:：]/.test(line)

/** `… <ada@example.com>:`, also in other brackets, or in none. */
const endsWithAddress = (text: string): boolean => /@[^\s@]+ ?[:：]$/.test(text)

/** Some clients end with the word for *wrote*, without a colon. */
export const endsWithWrote = (text: string): boolean => saysWrote(text.slice(-30))

/** Gmail until 2014 wrote a date, a name and nothing else: `2013-07-20 10:00 GMT+02:00 Ada <ada@example.com>`. */
const isDateAndName = (text: string): boolean =>
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b/.test(text) && (/GMT[+-]\d/.test(text) || hasBracketedAddress(text))

/** The name of an organisation has at most so many words with a small letter. */
const mostNameWords = 6
/** `Verein der Freunde und Förderer (Kasse):`, and not `Ada, that we need the following:` */
const isLongName = (words: readonly string[]): boolean =>
  words.length > 0 && !/^\p{Ll}/u.test(words[0] as string) && !/^\p{Ll}/u.test(words.at(-1) as string)

/**
 * `On 5 May I wrote to Ada that we need these:`. Behind the last date, address and word for *wrote* stands a name at most.
 * `most`: how many of its words begin with a small letter.
 */
function trailsOff(text: string, most: number): boolean {
  const words = text.split(' ')
  const at = words.findLastIndex(word => /[\p{Nd}@]/u.test(word) || saysWrote(word))
  const name = words.slice(at + 1)
  const count = name.filter(word => /^\P{L}*\p{Ll}/u.test(word)).length
  const isNamed = digitsIn(text) >= 8 && saysWrote(words[at] ?? '') && isLongName(name)
  return count > (isNamed ? mostNameWords : most)
}

/** Certain without a quote mark behind it, in every mail: letters that the sender cites have no addresses. */
export const isCertainAttribution = (text: string): boolean =>
  endsAttribution(text) && digitsIn(text) >= 5 && hasAddress(text) && saysWrote(text) && !trailsOff(text, 2)

/** Certain without a quote mark behind it, in a mail that answers another one. */
export function isLikelyAttribution(text: string): boolean {
  if (!endsAttribution(text)) return false
  const isDated = digitsIn(text) >= 5
  const isLikely = isDated && endsWithAddress(text)
  return (isLikely || ((isDated || hasBracketedAddress(text)) && saysWrote(text))) && !trailsOff(text, 2)
}

/** `----- On 5 May 2026 Ada wrote -----` */
export const isFramedAttribution = (text: string): boolean => digitsIn(text) >= 5 && saysWrote(text)

/** Certain when an empty line follows, in a mail that answers another one. */
export const isAttributionParagraph = (text: string): boolean =>
  isDateAndName(text) ||
  (digitsIn(text) >= 6 && endsWithWrote(text) && (hasAddress(text) || /^On /.test(text)))

/** With a quote mark behind it, fewer signs are enough. */
export function isAttributionBeforeQuote(text: string): boolean {
  const isDated = digitsIn(text) >= 6
  if (!isDated && !endsAttribution(text)) return false
  const isLikely =
    hasAddress(text) || (isDated && endsAttribution(text)) || saysWrote(text) || isDateAndName(text)
  return isLikely && !trailsOff(text, 4)
}

/** A date with a time. */
export const isDateLine = (text: string): boolean => digitsIn(text) >= 6

/** A date, a time and a name. */
export const isTimeLine = (text: string): boolean =>
  text.length < 80 && digitsIn(text) >= 8 && /\d[:.]\d\d/.test(text) && /\p{L}{3}/u.test(text)

/** A date: an attribution without one goes on in the line above. */
export const hasDate = (text: string): boolean => digitsIn(text) >= 4

/** Yahoo writes the first line of the quote behind the attribution. */
export function isAttributionWithText(text: string): boolean {
  const [, attribution = ''] = /^(.{10,200}?[^\s@]@[^\s@]+ ?>? \S+ ?[:：]) +\S/u.exec(text) ?? []
  return isCertainAttribution(attribution)
}

/** The end of an address without its beginning: the line goes on from the one above. GitHub writes `Ada ***@***.***>`. */
export const isOpenAtStart = (text: string): boolean => /^[^\s<>]+>/.test(text)

/** An opening bracket without a closing one: the next line goes on with it. */
export const isOpenAtEnd = (text: string): boolean =>
  text.replace(/[^<]/g, '').length > text.replace(/[^>]/g, '').length
