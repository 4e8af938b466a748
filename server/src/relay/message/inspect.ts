import { TimeSlice } from '#kernel/base/time-slice.ts'
import type { InspectionOptions, LeaveReason, MessageInspection } from './inspection.ts'
import { authorOf, reasonInHeader, reasonInParts, reasonInText } from './leave.ts'
import type { BodyPlace } from './place/body-place.ts'
import { findHtmlPlace } from './place/html-place.ts'
import { hasOwnSignature } from './place/own-signature.ts'
import type { BodyPlan } from './place/plan.ts'
import { findTextPlace } from './place/text-place.ts'
import { isAnswerSubject } from './quotes/answer-subject.ts'
import { headerAddresses } from './reading/addresses.ts'
import { bodiesOf } from './reading/bodies.ts'
import {
  bodyBytes,
  charsetOf,
  htmlOfBytes,
  rangeDecoder,
  type TextBudget,
  textBudget,
} from './reading/body-bytes.ts'
import { fieldsNamed, fieldText, headerText } from './reading/headers.ts'
import { type MessagePart, scanMessage } from './reading/scan.ts'

const answerHeaders = ['in-reply-to', 'references', 'x-forwarded-message-id']
/** Outlook adds five bytes to the 22 of the first message with each answer. */
const isThreadIndexOfAnswer = (text: string): boolean => Buffer.from(text, 'base64').length > 22

interface FoundPlace {
  readonly plan: BodyPlan
  readonly hasQuote: boolean
}

/** Values that are the same for all bodies of a message. */
interface BodyReading {
  readonly linkHosts: readonly string[]
  readonly isAnswer: boolean
  readonly budget: TextBudget
  readonly slice: TimeSlice
}

/** The place in one body, or why the message is left alone. */
async function placeIn(
  message: Buffer,
  part: MessagePart,
  kind: BodyPlan['kind'],
  reading: BodyReading,
): Promise<FoundPlace | LeaveReason> {
  const { linkHosts, budget, slice } = reading
  const bytes = bodyBytes(message, part, budget)
  if (typeof bytes === 'string') return bytes
  await slice.pause()
  const reason = await reasonInText(bytes, slice)
  if (reason) return reason
  const charset = charsetOf(part)
  const decode = rangeDecoder(bytes, charset)
  const bodyPlace: BodyPlace =
    kind === 'html'
      ? await findHtmlPlace(bytes, htmlOfBytes(bytes, charset), decode, reading)
      : await findTextPlace(bytes, decode, reading)
  if (hasOwnSignature(bytes, bodyPlace.own, linkHosts)) return 'already_signed'
  const { hasQuote, ...place } = bodyPlace
  return { plan: { part, kind, bytes, ...place }, hasQuote }
}

/** Finds the place in several bodies in a row: the first with a quote gets the signature, else the last. */
async function placeInRow(
  message: Buffer,
  parts: readonly MessagePart[],
  kind: BodyPlan['kind'],
  reading: BodyReading,
): Promise<FoundPlace | LeaveReason | null> {
  let last: FoundPlace | null = null
  for (const part of parts) {
    const result = await placeIn(message, part, kind, reading)
    if (typeof result === 'string' || result.hasQuote) return result
    last = result
  }
  return last
}

/**
 * Decides whether a message gets a signature, and where. Takes linear time, in slices of some milliseconds, and throws
 * for no message.
 */
export async function inspectMessage(
  message: Buffer,
  options: InspectionOptions,
): Promise<MessageInspection> {
  const root = await scanMessage(message)
  if (typeof root === 'string') return { action: 'leave', reason: root, from: null }
  const { header } = root
  const from = authorOf(message, header)
  const isSender = from.includes('@')
  const leave = (reason: LeaveReason): MessageInspection => ({
    action: 'leave',
    reason,
    from: isSender ? from : null,
  })
  const reason = reasonInHeader(message, header, options) ?? reasonInParts(root)
  if (reason) return leave(reason)
  if (!isSender) return leave(from as LeaveReason)
  const bodies = bodiesOf(root, part => headerText(message, part.header, 'content-id'))
  if (bodies === 'ambiguous') return leave(bodies)
  const hasReference = answerHeaders.some(name => headerText(message, header, name))
  const isAnswer =
    hasReference ||
    isAnswerSubject(headerText(message, header, 'subject') ?? '') ||
    isThreadIndexOfAnswer(headerText(message, header, 'thread-index') ?? '')
  const reading = { linkHosts: options.linkHosts, isAnswer, budget: textBudget(), slice: new TimeSlice() }
  const html = await placeInRow(message, bodies.html, 'html', reading)
  if (typeof html === 'string') return leave(html)
  const text = await placeInRow(message, bodies.text, 'text', reading)
  if (typeof text === 'string') return leave(text)
  const places = [text, html].filter(place => place !== null)
  if (places.length === 0) return leave('no_text')
  return {
    action: 'stamp',
    from,
    recipients: [...fieldsNamed(header, 'to'), ...fieldsNamed(header, 'cc')].flatMap(field =>
      headerAddresses(fieldText(message, field)),
    ),
    isReply: hasReference || places.some(({ hasQuote }) => hasQuote),
    plan: { message, newline: newlineOf(message), bodies: places.map(({ plan }) => plan) },
  }
}

const newlineOf = (message: Buffer): '\r\n' | '\n' => {
  const at = message.indexOf(10)
  return at > 0 && message[at - 1] === 13 ? '\r\n' : '\n'
}
