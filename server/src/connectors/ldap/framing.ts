// Splits what arrives into LDAP messages. The parser of ldapts would copy a large message again with every piece of it.

const sequence = 0x30

/** The length of the message that begins here, header included; undefined while the header is not complete. */
function messageLength(data: Buffer): number | undefined {
  const [tag, first] = data
  if (tag !== undefined && tag !== sequence) throw new Error('it is no LDAP message')
  if (first === undefined) return undefined
  if (first < 0x80) return 2 + first
  const bytes = first & 0x7f
  if (bytes === 0 || bytes > 4) throw new Error('the length of a message is not valid')
  return data.length < 2 + bytes ? undefined : 2 + bytes + data.readUIntBE(2, bytes)
}

export class MessageFramer {
  readonly #maxBytes: number
  #pieces: Buffer[] = []
  #bytes = 0
  /** Bytes needed for the next message; while its length is not known, for the next byte of its header. */
  #needed = 2

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The messages that are complete with this piece. */
  *messagesIn(piece: Buffer): Generator<Buffer> {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes < this.#needed) return
    let data = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces)
    for (;;) {
      const length = messageLength(data)
      if (length !== undefined && length > this.#maxBytes) throw new Error('a message is too large')
      if (length === undefined || data.length < length) {
        this.#pieces = data.length === 0 ? [] : [data]
        this.#bytes = data.length
        this.#needed = length ?? data.length + 1
        return
      }
      const message = data.subarray(0, length)
      data = data.subarray(length)
      yield message
    }
  }
}
