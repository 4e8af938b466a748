import type { MessagePart } from './scan.ts'

/** One part of the message that gets the signature. */
export interface BodyPlan {
  readonly part: MessagePart
  readonly kind: 'html' | 'text'
  /** Offset of the signature in the body, after the transfer encoding is removed. */
  readonly place: number
  /** Whether an empty line goes between what is written and the signature. */
  readonly needsGap: boolean
}
