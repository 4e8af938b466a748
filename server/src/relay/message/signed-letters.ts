// Finds a signature that another channel put into the mail, where it has no link of ours: by its letters and digits. Mail
// clients write the same text with other tags, entities and white space.
import { TimeSlice } from '#kernel/base/time-slice.ts'
import type { StampPlan, StampSignature } from './inspection.ts'
import { textOfHtml } from './place/html-tokens.ts'
import type { BodyPlan } from './place/plan.ts'
import { charsetOf, rangeDecoder } from './reading/body-bytes.ts'
import { isAsciiText } from './reading/charsets.ts'

/** Fewer letters could be in any mail. The Outlook add-in has the same limit. */
const fewestLetters = 8

/** Without marks above and below letters, which clients write as letters of their own or not. */
const lettersAndDigits = (text: string): string => text.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '')

/** Additions of Gmail when it makes text of HTML: addresses of links, and names of pictures. */
const addedByGmail = /<(?:https?|mailto|tel):[^<>\s]*>|\[image: [^[\]]*\]/g

/** Normalizing so many letters takes up to 10 ms. */
const pieceBytes = 32 * 1024

/** End of a piece of a range: at white space, so that no entity and no link is cut. */
function pieceEnd(bytes: Buffer, at: number, end: number): number {
  if (end - at <= pieceBytes) return end
  const limit = at + pieceBytes
  const spaceAt = Math.max(bytes.lastIndexOf(10, limit), bytes.lastIndexOf(32, limit))
  return spaceAt > at ? spaceAt + 1 : limit
}

interface TextPiece {
  readonly text: string
  readonly isFirst: boolean
  /** The next piece begins another text. */
  readonly isLast: boolean
}

/** The text of the sender, in pieces, without tags and entities. */
function* piecesOf({ part, kind, own, visible }: BodyPlan): Generator<TextPiece> {
  const decode = rangeDecoder(visible, charsetOf(part))
  for (const { start, end } of own)
    for (let at = start; at < end; ) {
      const next = pieceEnd(visible, at, end)
      const written = decode(at, next)
      const text = kind === 'html' && written.includes('&') ? textOfHtml(written) : written
      yield { text, isFirst: at === start, isLast: next === end }
      at = next
    }
}

const isAsciiLetter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z\d]/i.test(String.fromCharCode(code)) ? 1 : 0,
)

const frequentLetters = 'zqxjkvbpygfwmucldrhsnioate'
/** Digits, capitals and letters of other languages count as rarer than all of these. */
const frequencyOf = (letter: string): number => frequentLetters.indexOf(letter)

/** The letters and digits of a signature, prepared for the search of Knuth, Morris and Pratt. */
class SignedLetters {
  readonly codes: Uint16Array
  readonly borders: Int32Array
  /** The rarest first, which most mails lack. */
  readonly needed: readonly string[]

  constructor(letters: string) {
    const { length } = letters
    const codes = Uint16Array.from({ length }, (_, at) => letters.charCodeAt(at))
    const borders = new Int32Array(length)
    for (let at = 1, border = 0; at < length; at++) {
      while (border > 0 && codes[border] !== codes[at]) border = borders[border - 1] as number
      if (codes[border] === codes[at]) border++
      borders[at] = border
    }
    this.codes = codes
    this.borders = borders
    this.needed = [...new Set(letters)].toSorted((a, b) => frequencyOf(a) - frequencyOf(b))
  }
}

/**
 * Searches a text for these letters and digits, with other ASCII characters between them or not. `includes` would take
 * the product of both lengths for texts that repeat themselves.
 */
class LettersSearch {
  readonly #letters: SignedLetters
  #matched = 0

  constructor(letters: SignedLetters) {
    this.#letters = letters
  }

  /** Reads the next piece of a text. */
  finds(text: string, isLast: boolean): boolean {
    const { codes, borders, needed } = this.#letters
    let matched = this.#matched
    this.#matched = 0
    if (matched === 0 && isLast && !needed.every(letter => text.includes(letter))) return false
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isAsciiLetter[code] === 0) continue
      while (matched > 0 && codes[matched] !== code) matched = borders[matched - 1] as number
      if (codes[matched] === code) matched++
      if (matched === codes.length) return true
    }
    if (!isLast) this.#matched = matched
    return false
  }
}

/** The relay keeps signatures for minutes, and reading one takes longer than reading most mails. */
const lettersBySignature = new WeakMap<StampSignature, readonly SignedLetters[]>()

function lettersOf(signature: StampSignature): readonly SignedLetters[] {
  const stored = lettersBySignature.get(signature)
  if (stored) return stored
  const texts = new Set([lettersAndDigits(textOfHtml(signature.html)), lettersAndDigits(signature.text)])
  const letters = [...texts]
    .filter(({ length }) => length >= fewestLetters)
    .map(text => new SignedLetters(text))
  lettersBySignature.set(signature, letters)
  return letters
}

/** Most texts are ASCII: searching them as they are takes a tenth of the time of normalizing them. */
function searchedText(text: string): string {
  const spaced = text.replaceAll('\u00a0', ' ')
  return isAsciiText(spaced) ? spaced : lettersAndDigits(spaced)
}

/** True if the text of the sender, outside quotes, holds the text of one of these signatures. Takes linear time. */
export async function hasLettersOf(
  { bodies }: StampPlan,
  signatures: readonly StampSignature[],
): Promise<boolean> {
  const slice = new TimeSlice()
  const letters = signatures.flatMap(lettersOf)
  if (letters.length === 0) return false
  for (const body of bodies) {
    const written = letters.map(text => new LettersSearch(text))
    const sent = letters.map(text => new LettersSearch(text))
    for (const { text, isFirst, isLast } of piecesOf(body)) {
      await slice.pause()
      const searched = searchedText(text)
      if (written.some(search => search.finds(searched, isLast))) return true
      if (body.kind === 'html') continue
      const withoutAdded = text.replace(addedByGmail, '')
      if (withoutAdded === text && isFirst && isLast) continue
      const searchedSent = withoutAdded === text ? searched : searchedText(withoutAdded)
      if (sent.some(search => search.finds(searchedSent, isLast))) return true
    }
  }
  return false
}
