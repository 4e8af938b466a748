// Replies of an SMTP server, read as they arrive: one line, or several lines with the same code.

export interface SmtpReply {
  readonly code: number
  /** Without the code. */
  readonly lines: readonly string[]
}

/** RFC 5321 allows 512 bytes; some servers write more. */
const maxLineBytes = 4_096
const maxLines = 128

export class ReplyError extends Error {}

/** Splits the bytes of a connection into replies. Time and memory do not depend on how the bytes are cut into chunks. */
export class ReplyReader {
  readonly #parts: Buffer[] = []
  #partBytes = 0
  #lines: string[] = []

  /** Returns the replies that these bytes complete. Throws ReplyError when they are no SMTP. */
  read(chunk: Buffer): SmtpReply[] {
    const replies: SmtpReply[] = []
    let at = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, at)) {
      const reply = this.#line(this.#take(chunk.subarray(at, end)))
      if (reply) replies.push(reply)
      at = end + 1
    }
    this.#keep(chunk.subarray(at))
    return replies
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#partBytes += bytes.length
    if (this.#partBytes > maxLineBytes) throw new ReplyError('a reply is too long')
    // A copy: the chunk of the socket is 64 kB, and these are a few bytes of it.
    this.#parts.push(Buffer.from(bytes))
  }

  #take(end: Buffer): string {
    this.#keep(end)
    const line = Buffer.concat(this.#parts).toString('utf8')
    this.#parts.length = 0
    this.#partBytes = 0
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }

  #line(line: string): SmtpReply | undefined {
    const [, code = '', separator = '', text = ''] = /^([2-5]\d\d)([ -]?)(.*)$/.exec(line) ?? []
    if (code === '') throw new ReplyError('a reply has no code')
    this.#lines.push(text)
    if (separator !== '-') {
      const reply = { code: Number(code), lines: this.#lines }
      this.#lines = []
      return reply
    }
    if (this.#lines.length >= maxLines) throw new ReplyError('a reply has too many lines')
    return undefined
  }
}

export const isPositive = ({ code }: SmtpReply): boolean => code >= 200 && code < 300

/** The words of a reply in one line, as the relay passes them on. */
export const replyText = ({ lines }: SmtpReply): string =>
  lines
    .filter(line => line !== '')
    .join(' ')
    .slice(0, 900)
