import type { MessagePart } from '../reading/scan.ts'
import type { BodyRange } from './body-place.ts'

/** One part of the message that gets the signature. */
export interface BodyPlan {
  readonly part: MessagePart
  readonly kind: 'html' | 'text'
  /** Offset of the signature in the body, after the transfer encoding is removed. */
  readonly place: number
  /** Text directly before and after the signature. */
  readonly before: string
  readonly after: string
  /** The text of the sender: everything outside quotes. */
  readonly own: readonly BodyRange[]
  /** The body without its transfer encoding. */
  readonly bytes: Buffer
  /** The bytes that readers show: see BodyPlace. */
  readonly visible: Buffer
}
