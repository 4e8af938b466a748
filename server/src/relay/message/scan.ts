/** One part of a message, as byte offsets: nothing of the message is copied. */
export interface MessagePart {
  /** Where the header lines begin, where the body begins, and where the body ends. */
  readonly start: number
  readonly bodyAt: number
  readonly end: number
}
