// Finds a signature that another channel put into the mail, where it has no link of ours: by its letters and digits. Mail
// clients write the same text with other tags, entities and white space.
import { bodyBytes, charsetOf, rangeDecoder } from './body-bytes.ts'
import { textOfHtml } from './html-tokens.ts'
import type { StampPlan, StampSignature } from './inspection.ts'
import type { BodyPlan } from './plan.ts'

/** Fewer letters could be in any mail. The Outlook add-in has the same limit. */
const fewestLetters = 8

/** Without marks above and below letters, which clients write as letters of their own or not. */
const lettersAndDigits = (text: string): string => text.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '')

/** What Gmail adds when it makes text of HTML: addresses of links, and names of pictures. */
const addedByGmail = /<(?:https?|mailto|tel):[^<>\s]*>|\[image: [^[\]]*\]/g

function* lettersIn(message: Buffer, { part, kind, own }: BodyPlan): Generator<string> {
  const bytes = bodyBytes(message, part)
  if (typeof bytes === 'string') return
  const decode = rangeDecoder(bytes, charsetOf(part))
  for (const { start, end } of own) {
    const written = decode(start, end)
    yield lettersAndDigits(kind === 'html' ? textOfHtml(written) : written)
    if (kind === 'text') yield lettersAndDigits(written.replace(addedByGmail, ''))
  }
}

/**
 * Whether a text holds another one, after Knuth, Morris and Pratt: `includes` takes the product of both lengths for texts
 * that repeat themselves.
 */
function textFinder(wanted: string): (text: string) => boolean {
  const borders = new Int32Array(wanted.length)
  const advance = (matched: number, char: number): number => {
    let length = matched
    while (length > 0 && wanted.charCodeAt(length) !== char) length = borders[length - 1] as number
    return wanted.charCodeAt(length) === char ? length + 1 : 0
  }
  for (let at = 1; at < wanted.length; at++)
    borders[at] = advance(borders[at - 1] as number, wanted.charCodeAt(at))
  return text => {
    let matched = 0
    for (let at = 0; at < text.length; at++) {
      matched = advance(matched, text.charCodeAt(at))
      if (matched === wanted.length) return true
    }
    return false
  }
}

type TextFinder = ReturnType<typeof textFinder>

/** The relay keeps signatures for minutes, and reading one takes longer than reading most mails. */
const findersBySignature = new WeakMap<StampSignature, readonly TextFinder[]>()

function findersOf(signature: StampSignature): readonly TextFinder[] {
  const known = findersBySignature.get(signature)
  if (known) return known
  const wanted = new Set([lettersAndDigits(textOfHtml(signature.html)), lettersAndDigits(signature.text)])
  const finders = [...wanted].filter(({ length }) => length >= fewestLetters).map(textFinder)
  findersBySignature.set(signature, finders)
  return finders
}

/** Whether what the sender wrote, outside quotes, holds the text of one of these signatures. Takes linear time. */
export function hasLettersOf(
  message: Buffer,
  plan: StampPlan,
  signatures: readonly StampSignature[],
): boolean {
  const finders = signatures.flatMap(findersOf)
  if (finders.length === 0) return false
  for (const body of plan.bodies)
    for (const letters of lettersIn(message, body)) if (finders.some(find => find(letters))) return true
  return false
}
