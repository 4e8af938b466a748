// Messages between the service and the image process over pipes: two lengths, then a JSON head and raw bytes.
import type { Readable, Writable } from 'node:stream'

export interface Frame {
  readonly head: unknown
  readonly bytes: Buffer
}

const prefixLength = 8

export function writeFrame(
  stream: Pick<Writable, 'write'>,
  head: object,
  bytes: Buffer = Buffer.alloc(0),
): void {
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(prefixLength)
  prefix.writeUInt32BE(text.length, 0)
  prefix.writeUInt32BE(bytes.length, 4)
  stream.write(Buffer.concat([prefix, text]))
  if (bytes.length > 0) stream.write(bytes)
}

/** Copies every byte once, also when a frame arrives in many pieces. */
export async function* readFrames(stream: Readable): AsyncGenerator<Frame> {
  const reader = new PieceReader(stream)
  for (;;) {
    const prefix = await reader.take(prefixLength)
    if (!prefix) return
    const head = await reader.take(prefix.readUInt32BE(0))
    const bytes = await reader.take(prefix.readUInt32BE(4))
    if (!head || !bytes) return
    yield { head: JSON.parse(head.toString()), bytes }
  }
}

class PieceReader {
  readonly #pieces: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#pieces = stream[Symbol.asyncIterator]()
  }

  /** Undefined when the stream ends first. */
  async take(length: number): Promise<Buffer | undefined> {
    const buffer = Buffer.allocUnsafeSlow(length)
    for (let filled = 0; filled < length; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#pieces.next()
        if (done) return undefined
        this.#rest = value
      }
      const count = this.#rest.copy(buffer, filled)
      filled += count
      this.#rest = this.#rest.subarray(count)
    }
    return buffer
  }
}
