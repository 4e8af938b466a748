// Reads what senders write: commands by the library, messages here. The library waits for the next turn of the event loop
// after each doubled dot, so that a message of dots takes ten seconds of CPU time.
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { hasOnlyInnerDots } from '../next-hop/dot-stuffing.ts'

const lineFeed = 10
const carriageReturn = 13
const dot = 46

/** States after the last byte. A single LF begins a line for doubled dots, but not for the end, as in the library. */
const states = { text: 0, cr: 1, lf: 2, crlf: 3, dotBehindLf: 4, dotBehindCrlf: 5, dotAndCr: 6 } as const
type State = (typeof states)[keyof typeof states]

function nextState(state: State, byte: number): State {
  if (byte === carriageReturn) return state === states.dotBehindCrlf ? states.dotAndCr : states.cr
  if (byte === lineFeed) return state === states.cr || state === states.dotAndCr ? states.crlf : states.lf
  if (byte !== dot) return states.text
  if (state === states.crlf) return states.dotBehindCrlf
  return state === states.lf ? states.dotBehindLf : states.text
}

/** By state and byte: twice as fast as the function. */
const table = Uint8Array.from({ length: 7 * 256 }, (_, at) => nextState((at >> 8) as State, at & 255))

/** Takes doubled dots out of a message, and finds its end. */
export class DotUnstuffing {
  #state: State = states.crlf

  /** The content of a chunk. `end`: where the chunk goes on behind the message, or -1. */
  read(chunk: Buffer): { readonly content: Buffer; readonly end: number } {
    const isLineStart = this.#state === states.lf || this.#state === states.crlf
    const isPlain = this.#state < states.lf || (isLineStart && chunk[0] !== dot)
    if (isPlain && hasOnlyInnerDots(chunk)) {
      if (chunk.length > 2) this.#state = states.text
      for (const byte of chunk.subarray(-2)) this.#state = nextState(this.#state, byte)
      return { content: chunk, end: -1 }
    }
    // A dot and CR can be held back from the chunk before.
    const content = Buffer.allocUnsafe(chunk.length + 2)
    let length = 0
    let state: number = this.#state
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      const before = state
      state = table[(before << 8) | byte] as number
      // A dot at the beginning of a line is held back until the next bytes tell what it is.
      if (state >= states.dotBehindLf) continue
      if (before === states.dotAndCr && state === states.crlf)
        return { content: content.subarray(0, length), end: at + 1 }
      if (before >= states.dotBehindLf) {
        const isDoubled = byte === dot && before !== states.dotAndCr
        if (!isDoubled) content[length++] = dot
        if (before === states.dotAndCr) content[length++] = carriageReturn
      }
      content[length++] = byte
    }
    this.#state = state as State
    return { content: content.subarray(0, length), end: -1 }
  }
}

export class IncomingStream extends SMTPStream {
  #dots = new DotUnstuffing()

  override startDataMode(maxBytes?: number | string | null) {
    this.#dots = new DotUnstuffing()
    return super.startDataMode(maxBytes)
  }

  override _feedDataStream(chunk: Buffer, done: (error?: Error | null) => void): void {
    const { content, end } = this.#dots.read(chunk)
    this._countDataBytes(content.length)
    if (end >= 0) {
      this._endDataMode(content, chunk.subarray(end), done)
      return
    }
    const stream = this._dataStream
    if (!stream?.writable || content.length === 0 || stream.write(content) || stream.destroyed) {
      done()
      return
    }
    // A stream that the session destroys never drains.
    const events = ['drain', 'close'] as const
    const go = () => {
      for (const event of events) stream.off(event, go)
      done()
    }
    for (const event of events) stream.once(event, go)
  }
}
