// Finds the lines between the parts of a message. A message can consist of lines that begin with `--`, so none of them
// becomes a string, and none costs a call of its own into native code.

interface Delimiter {
  readonly bytes: Buffer
  /** Index of its multipart among the open ones, from the outermost. */
  readonly index: number
  readonly closes: boolean
}

export interface DelimiterLine {
  readonly delimiter: Delimiter
  readonly start: number
  /** Start of the next line. */
  readonly next: number
}

/** The standard allows 70 characters. */
const longestBoundary = 200
/** With dashes, and with white space at the end. */
const longestLine = longestBoundary + 20
/** So far the bytes are read one by one, which is faster than a native search that ends after some of them. */
const nearBytes = 512

const newline = 10
const dash = 45
const space = 32

/** FNV-1a over the bytes. Another start in each process, so that a sender cannot prepare lines with one hash. */
const hashStart = Math.floor(Math.random() * 2 ** 31)
const hashFactor = 16_777_619

const hashOf = (bytes: Buffer): number =>
  bytes.reduce((hash, byte) => Math.imul(hash ^ byte, hashFactor), hashStart)

/** Searched in one call: lines of dashes take about 5 ms. */
const searchedBytes = 512 * 1024

/** Start of the next line that begins with `--`, before `limit`; -1 when there is none. */
function nextDashes(message: Buffer, from: number, limit: number): number {
  const near = Math.min(limit, from + nearBytes)
  let isStart = from === 0 || message[from - 1] === newline
  for (let at = from; at < near; at++) {
    if (isStart && message[at] === dash && message[at + 1] === dash) return at
    isStart = message[at] === newline
  }
  const at = message.subarray(0, limit).indexOf('\n--', near - 1, 'latin1')
  return at < 0 ? -1 : at + 1
}

function lineEnd(message: Buffer, from: number): number {
  const end = message.indexOf(newline, from)
  return end < 0 ? message.length : end
}

/** The delimiters of the multiparts that are open. */
class OpenDelimiters {
  readonly #byHash = new Map<number, Delimiter>()

  /** Returns false when the boundary cannot be used: it is too long, or open already. */
  open(boundary: string, index: number): boolean {
    if (boundary.length > longestBoundary) return false
    const added = this.#linesOf(boundary).map((bytes, at) => ({ bytes, index, closes: at === 1 }))
    if (added.some(({ bytes }) => this.#byHash.has(hashOf(bytes)))) return false
    for (const delimiter of added) this.#byHash.set(hashOf(delimiter.bytes), delimiter)
    return true
  }

  close(boundary: string): void {
    for (const bytes of this.#linesOf(boundary)) this.#byHash.delete(hashOf(bytes))
  }

  /** The next delimiter line, or where the search goes on; the end of the message when there is none. */
  find(message: Buffer, from: number): DelimiterLine | number {
    const searchEnd = Math.min(message.length, from + searchedBytes)
    for (let start = nextDashes(message, from, searchEnd); start >= 0; ) {
      const limit = Math.min(message.length, start + longestLine)
      let hash = hashStart
      let trimmedHash = 0
      let trimmedEnd = start
      let end = start
      for (let byte = dash; end < limit; end++) {
        byte = message[end] as number
        if (byte === newline) break
        hash = Math.imul(hash ^ byte, hashFactor)
        if (byte <= space) continue
        // White space at the end of the line does not count.
        trimmedHash = hash
        trimmedEnd = end + 1
      }
      if (end === limit) end = lineEnd(message, end)
      const next = Math.min(end + 1, message.length)
      const delimiter = trimmedEnd > start + 2 ? this.#byHash.get(trimmedHash) : undefined
      if (delimiter?.bytes.equals(message.subarray(start, trimmedEnd))) return { delimiter, start, next }
      if (next >= searchEnd) return next
      start = nextDashes(message, next, searchEnd)
    }
    // The dashes can lie on both sides of the last byte.
    return searchEnd < message.length ? searchEnd - 1 : message.length
  }

  #linesOf(boundary: string): Buffer[] {
    return [`--${boundary}`, `--${boundary}--`].map(line => Buffer.from(line, 'latin1'))
  }
}

export const openDelimiters = (): OpenDelimiters => new OpenDelimiters()
