import { TimeSlice } from '#kernel/base/time-slice.ts'
import type { LeaveReason } from '../inspection.ts'
import { type DelimiterLine, openDelimiters } from './delimiters.ts'
import { fieldsNamed, type HeaderBlock, type HeaderBounds, readHeaders } from './headers.ts'
import { type HeaderParameter, type ParameterizedField, readParameters } from './parameters.ts'

/** One part of a message, as byte offsets: nothing of the message is copied. */
export interface MessagePart {
  /** Start of the header lines, start of the body, and end of the body. */
  readonly start: number
  readonly bodyAt: number
  readonly end: number
  readonly header: HeaderBlock
  /** `text/html`, in lower case. */
  readonly type: string
  readonly parameters: ReadonlyMap<string, HeaderParameter>
  /** The transfer encoding in lower case; `7bit` when the header is absent. */
  readonly encoding: string
  /** `inline`, `attachment`, another word, or empty. */
  readonly disposition: string
  readonly filename: string | null
  readonly children: readonly MessagePart[]
}

/** A part whose end is not known yet. */
type OpenPart = Omit<MessagePart, 'end' | 'children'> & { end: number; readonly children: OpenPart[] }

const mostParts = 2_000
const deepest = 50
/** A thousand recipients are about 60 kB. */
const largestHeader = 256 * 1024
/** In all parts together: a header line takes more memory than bytes, and more time than a line of a body. */
const mostHeaders: HeaderBounds = { bytes: 1024 * 1024, lines: 20_000 }

const fileParameters = [
  'filename',
  'filename*',
  'filename*0',
  'filename*0*',
  'name',
  'name*',
  'name*0',
  'name*0*',
]

function singleField(
  message: Buffer,
  header: HeaderBlock,
  name: string,
): ParameterizedField | null | undefined {
  const [field, second] = fieldsNamed(header, name)
  if (second) return undefined
  return field ? readParameters(message, field) : null
}

/** A word that is no type is no text either: readers disagree how to show such a part. */
const typeOf = (word: string): string =>
  word.split('/').filter(Boolean).length === 2 ? word : 'application/octet-stream'

/** Reads the header of a part. The end of its body is not known yet. */
function openPart(
  message: Buffer,
  start: number,
  defaultType: string,
  most: HeaderBounds,
): OpenPart | LeaveReason {
  const header = readHeaders(message, start, most)
  if (typeof header === 'string') return header
  const type = singleField(message, header, 'content-type')
  const encoding = singleField(message, header, 'content-transfer-encoding')
  const disposition = singleField(message, header, 'content-disposition')
  if (type === undefined || encoding === undefined || disposition === undefined) return 'malformed'
  if (type?.isContradictory || disposition?.isContradictory) return 'malformed'
  const fileOf = (field: ParameterizedField | null): string | undefined =>
    fileParameters.map(name => field?.parameters.get(name)?.value).find(value => value !== undefined)
  return {
    start,
    bodyAt: header.bodyAt,
    end: message.length,
    header,
    type: type ? typeOf(type.word) : defaultType,
    parameters: type?.parameters ?? new Map(),
    encoding: encoding?.word || '7bit',
    disposition: disposition?.word ?? '',
    filename: fileOf(disposition) ?? fileOf(type) ?? null,
    children: [],
  }
}

/** The end of a body before a delimiter line: the line break belongs to the delimiter. */
function bodyEnd(message: Buffer, bodyAt: number, delimiterAt: number): number {
  let end = delimiterAt
  if (end > bodyAt && message[end - 1] === 10) end--
  if (end > bodyAt && message[end - 1] === 13) end--
  return end
}

/**
 * Reads the tree of parts in one pass, from one delimiter of a multipart that is open to the next. Nested messages (message/rfc822) are leaves: their boundaries are not open.
 */
class MessageScan {
  readonly #message: Buffer
  readonly #open: { part: OpenPart; boundary: string }[] = []
  /** Delimiters of the open multiparts. */
  readonly #delimiters = openDelimiters()
  #count = 0
  #headersLeft = mostHeaders
  /** The part whose body the scan is in; null in a preamble or an epilogue. */
  #leaf: OpenPart | null = null

  constructor(message: Buffer) {
    this.#message = message
  }

  async scan(): Promise<MessagePart | LeaveReason> {
    const slice = new TimeSlice()
    const root = this.#begin(0)
    if (typeof root === 'string') return root
    let at = root.bodyAt
    while (this.#open.length > 0) {
      if (at >= this.#message.length) return 'malformed'
      const line = this.#delimiters.find(this.#message, at)
      const next = typeof line === 'number' ? line : this.#readDelimiter(line)
      if (typeof next === 'string') return next
      at = next
      await slice.pause()
    }
    return root
  }

  /** A part begins. Returns why the message cannot be read, or the part. */
  #begin(start: number): OpenPart | LeaveReason {
    if (++this.#count > mostParts) return 'too_many_parts'
    const parent = this.#open.at(-1)?.part
    const part = openPart(
      this.#message,
      start,
      parent?.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
      { ...this.#headersLeft, bytes: Math.min(this.#headersLeft.bytes, largestHeader) },
    )
    if (typeof part === 'string') return part
    this.#headersLeft = {
      bytes: this.#headersLeft.bytes - (part.bodyAt - start),
      lines: this.#headersLeft.lines - part.header.lines,
    }
    parent?.children.push(part)
    if (!part.type.startsWith('multipart/')) {
      this.#leaf = part
      return part
    }
    const boundary = part.parameters.get('boundary')?.value.trimEnd() ?? ''
    if (boundary === '') return 'malformed'
    if (this.#open.length >= deepest) return 'too_deep'
    if (!this.#delimiters.open(boundary, this.#open.length)) return 'malformed'
    this.#open.push({ part, boundary })
    this.#leaf = null
    return part
  }

  /** Returns where to go on. */
  #readDelimiter({ delimiter, start, next }: DelimiterLine): number | LeaveReason {
    // A delimiter of an outer part: the inner one was never closed.
    if (delimiter.index !== this.#open.length - 1) return 'malformed'
    const { part, boundary } = this.#open[delimiter.index] as { part: OpenPart; boundary: string }
    const inner = this.#leaf ?? part.children.at(-1)
    if (inner) inner.end = bodyEnd(this.#message, inner.bodyAt, start)
    this.#leaf = null
    if (!delimiter.closes) {
      const begun = this.#begin(next)
      return typeof begun === 'string' ? begun : begun.bodyAt
    }
    if (part.children.length === 0) return 'malformed'
    this.#delimiters.close(boundary)
    this.#open.pop()
    return next
  }
}

/** The tree of parts, or why the message is left alone. */
export const scanMessage = (message: Buffer): Promise<MessagePart | LeaveReason> =>
  new MessageScan(message).scan()
