// Puts a signature into the mail: never twice, and never again after the user removed it.
import type { MailSignature, SignatureAnswer } from '../wire.ts'
import { ownAddress } from './answers.ts'
import { signaturesOf } from './kinds.ts'
import { abovePart, hasLetters, holdsSignature, lettersOf } from './marks.ts'
import { type Ask, failWith, type MailItem } from './outlook.ts'

/** Outlook refuses longer signatures. */
const maxLength = 30_000

export interface MailPlacement {
  readonly item: MailItem
  /** Null, or one without HTML: the mail carries no signature. */
  readonly target: MailSignature | null
  readonly answer: SignatureAnswer
  readonly isReply: boolean
  /** The mail was opened just now. */
  readonly isFresh: boolean
  /** Also where the body has no signature of the service. Otherwise one that the user removed would come back. */
  readonly inserts: boolean
  /** Also where the same signature is there: the user can have changed it. */
  readonly renews?: boolean
}

/** `kept`: Outlook does not replace the signature that is there, and a second one is not added. */
export type Placed = 'same' | 'set' | 'cleared' | 'absent' | 'kept'

/** The sha of the signature that was set in this mail, and its first letters. Outlook before 1.11 and phones lack it. */
const shaKey = 'signoff'
const lettersKey = 'signoff-letters'

const recall = (ask: Ask, item: MailItem, key: string): Promise<string> =>
  ask<string>(done => item.sessionData.getAsync(key, done)).catch(() => '')

export const recallSha = (ask: Ask, item: MailItem): Promise<string> => recall(ask, item, shaKey)

/** For Outlook without session data, as long as it keeps the script. Letters of another mail do no harm. */
let lastLetters = ''
/** The signature of another sender, which the body can have besides those of the answer. Also for as long as that. */
let lastSet: MailSignature[] = []

function remember(ask: Ask, item: MailItem, sha: string, letters: string): Promise<unknown> {
  lastLetters = letters.slice(0, 400)
  return ask(done => item.sessionData.setAsync(shaKey, sha, done))
    .then(() => ask(done => item.sessionData.setAsync(lettersKey, lastLetters, done)))
    .catch(() => null)
}

function write(ask: Ask, item: MailItem, data: string, isText: boolean): Promise<unknown> {
  const coercionType = (isText ? 'text' : 'html') as Office.CoercionType
  return ask(done => item.body.setSignatureAsync(data, { coercionType }, done)).catch(() =>
    failWith('set_failed'),
  )
}

const isLongText = ({ html, text }: MailSignature, isText: boolean): boolean =>
  (isText || html.length > maxLength) && text.length > maxLength

/** A signature that is too long is set as text, and reported. */
function insert(ask: Ask, item: MailItem, signature: MailSignature, isText: boolean): Promise<Placed> {
  const { html, text, sha } = signature
  const isLong = !isText && html.length > maxLength
  const data = isText || isLong ? text : html
  return write(ask, item, data, isText || isLong)
    .then(() => {
      lastSet = [signature]
      return remember(ask, item, sha, lettersOf(data))
    })
    .then(() => (isLong ? failWith('too_long') : 'set'))
}

export function placeSignature(ask: Ask, placement: MailPlacement): Promise<Placed> {
  const { item, target, answer, isReply, isFresh, inserts, renews } = placement
  const own = ownAddress()
  const hasHtml = target !== null && target.html !== ''

  const withType = (type: string, letters: string): Promise<Placed> => {
    const isText = type === 'text'
    const read = (isFresh: boolean): Promise<string> =>
      ask<string>(done => item.body.getAsync(type as Office.CoercionType, done)).then(body =>
        abovePart(body, isText, isReply, isFresh),
      )
    const has = (body: string) => (signature: MailSignature) => holdsSignature(body, signature, own)
    const isOurs = (body: string): boolean =>
      body.indexOf(own) >= 0 || hasLetters(body, letters) || signaturesOf(answer).some(has(body))
    // Letters and own addresses: less of them after a signature was taken away.
    const sizeOf = (body: string): number => lettersOf(body).length + body.split(own).length
    const finish = (): Promise<Placed> =>
      hasHtml
        ? insert(ask, item, target, isText)
        : remember(ask, item, target ? target.sha : 'none', '').then(() => 'cleared')

    return read(isFresh).then(body => {
      const isThere = isOurs(body)
      if (!isThere && !inserts) return 'absent'
      if (hasHtml && isLongText(target, isText)) return failWith('too_long')
      if (!isThere) return finish()
      // The letters of one kind can be a part of another's.
      const present = signaturesOf(answer)
        .concat(lastSet)
        .filter(has(body))
        .sort((a, b) => b.html.length - a.html.length)[0]
      if (hasHtml && present && present.sha === target.sha && !renews) return 'same'
      // An Outlook that replaces takes the old signature away. One that adds signatures keeps it: then nothing is added.
      return write(ask, item, '', isText)
        .then(() => read(false))
        .then(left => {
          if (sizeOf(left) >= sizeOf(body)) return 'kept'
          return finish().catch(problem =>
            // The old signature is better than none.
            (present && problem.trouble === 'set_failed'
              ? insert(ask, item, present, isText).catch(() => null)
              : Promise.resolve()
            ).then(() => Promise.reject(problem)),
          )
        })
    })
  }

  return Promise.all([
    ask<string>(done => item.body.getTypeAsync(done)).catch(() => failWith('body_type')),
    recall(ask, item, lettersKey),
  ]).then(([type, letters]) => withType(type, letters || lastLetters))
}
