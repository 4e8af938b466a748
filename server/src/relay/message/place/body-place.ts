/** A range of the decoded body. */
export interface BodyRange {
  readonly start: number
  readonly end: number
}

/** The place of the signature in one body, and the parts of the body that the sender wrote. */
export interface BodyPlace {
  readonly place: number
  readonly hasQuote: boolean
  /** Text directly before and after the signature, with `\n` for line breaks: empty lines. */
  readonly before: string
  readonly after: string
  /** Everything outside quotes: a signature of ours there means that the message has one. */
  readonly own: readonly BodyRange[]
  /** The bytes of the body that readers show, at the same offsets, with spaces in the place of tags and of `<`. */
  readonly visible: Buffer
}

const mostOwnRanges = 1_000

/** Adds a range. Beyond a thousand pieces between quotes, the last one grows instead, over quotes too. */
export function addOwnRange(ranges: BodyRange[], range: BodyRange): void {
  const last = ranges.length < mostOwnRanges ? undefined : ranges.pop()
  ranges.push(last ? { start: last.start, end: range.end } : range)
}
