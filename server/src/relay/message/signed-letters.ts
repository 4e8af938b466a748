// Finds a signature that another channel put into the mail, where it has no link of ours: by its letters and digits. Mail
// clients write the same text with other tags, entities and white space.
import { charsetOf, rangeDecoder } from './body-bytes.ts'
import { isAsciiText } from './charsets.ts'
import { textOfHtml } from './html-tokens.ts'
import type { StampPlan, StampSignature } from './inspection.ts'
import type { BodyPlan } from './plan.ts'

/** Fewer letters could be in any mail. The Outlook add-in has the same limit. */
const fewestLetters = 8

/** Without marks above and below letters, which clients write as letters of their own or not. */
const lettersAndDigits = (text: string): string => text.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '')

/** What Gmail adds when it makes text of HTML: addresses of links, and names of pictures. */
const addedByGmail = /<(?:https?|mailto|tel):[^<>\s]*>|\[image: [^[\]]*\]/g

/** What the sender wrote, without tags and entities, as the texts in which a signature can stand. */
function* textsIn({ part, kind, own, shown }: BodyPlan): Generator<string> {
  const decode = rangeDecoder(shown, charsetOf(part))
  for (const { start, end } of own) {
    const written = decode(start, end)
    yield kind === 'html' && written.includes('&') ? textOfHtml(written) : written
    if (kind === 'html') continue
    const sent = written.replace(addedByGmail, '')
    if (sent !== written) yield sent
  }
}

const isAsciiLetter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z\d]/i.test(String.fromCharCode(code)) ? 1 : 0,
)

const frequentLetters = 'zqxjkvbpygfwmucldrhsnioate'
/** Digits, capitals and letters of other languages count as rarer than all of these. */
const frequencyOf = (letter: string): number => frequentLetters.indexOf(letter)

/**
 * Whether a text holds these letters and digits, with other ASCII characters between them or not, after Knuth, Morris
 * and Pratt: `includes` takes the product of both lengths for texts that repeat themselves.
 */
function lettersFinder(wanted: string): (text: string) => boolean {
  const { length } = wanted
  const letters = Uint16Array.from({ length }, (_, at) => wanted.charCodeAt(at))
  const borders = new Int32Array(length)
  for (let at = 1, border = 0; at < length; at++) {
    while (border > 0 && letters[border] !== letters[at]) border = borders[border - 1] as number
    if (letters[border] === letters[at]) border++
    borders[at] = border
  }
  // The rarest first, which most mails lack.
  const needed = [...new Set(wanted)].toSorted((a, b) => frequencyOf(a) - frequencyOf(b))
  return text => {
    if (!needed.every(letter => text.includes(letter))) return false
    let matched = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isAsciiLetter[code] === 0) continue
      while (matched > 0 && letters[matched] !== code) matched = borders[matched - 1] as number
      if (letters[matched] === code) matched++
      if (matched === length) return true
    }
    return false
  }
}

type LettersFinder = ReturnType<typeof lettersFinder>

/** The relay keeps signatures for minutes, and reading one takes longer than reading most mails. */
const findersBySignature = new WeakMap<StampSignature, readonly LettersFinder[]>()

function findersOf(signature: StampSignature): readonly LettersFinder[] {
  const known = findersBySignature.get(signature)
  if (known) return known
  const wanted = new Set([lettersAndDigits(textOfHtml(signature.html)), lettersAndDigits(signature.text)])
  const finders = [...wanted].filter(({ length }) => length >= fewestLetters).map(lettersFinder)
  findersBySignature.set(signature, finders)
  return finders
}

/** Whether what the sender wrote, outside quotes, holds the text of one of these signatures. Takes linear time. */
export function hasLettersOf(plan: StampPlan, signatures: readonly StampSignature[]): boolean {
  const finders = signatures.flatMap(findersOf)
  if (finders.length === 0) return false
  for (const body of plan.bodies)
    for (const text of textsIn(body)) {
      // Most texts are ASCII: searching them as they are takes a tenth of the time of normalizing them.
      const spaced = text.replaceAll('\u00a0', ' ')
      const searched = isAsciiText(spaced) ? spaced : lettersAndDigits(spaced)
      if (finders.some(find => find(searched))) return true
    }
  return false
}
