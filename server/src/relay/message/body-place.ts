/** A range of the decoded body. */
export interface BodyRange {
  readonly start: number
  readonly end: number
}

/** Where the signature goes in one body, and what of the body the sender wrote. */
export interface BodyPlace {
  readonly place: number
  readonly hasQuote: boolean
  /** What goes directly before and after the signature, with `\n` for line breaks: empty lines. */
  readonly before: string
  readonly after: string
  /** Everything outside quotes: a signature of ours there means that the message has one. */
  readonly own: readonly BodyRange[]
}

/** Beyond so many pieces between quotes, the last piece reaches to the end. */
export const mostOwnRanges = 1_000
