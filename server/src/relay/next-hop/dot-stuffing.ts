// The body of DATA as it goes over the wire: a dot at the beginning of a line is doubled, and the last line ends with CRLF.

const nul = 0
const lineFeed = 10
const carriageReturn = 13
const dot = 46
/** A piece is large enough that few writes are needed, and small enough that TLS does not encrypt a whole message at once. */
const pieceBytes = 64 * 1024

const endsLine = (byte: number): boolean => byte === lineFeed || byte === carriageReturn

/** States after the last byte. `behindBreak`: a single LF, or any number of NUL behind CR or LF. */
const states = { text: 0, behindBreak: 1, cr: 2, lineStart: 3, openDot: 4 } as const
type State = (typeof states)[keyof typeof states]

function nextState(state: State, byte: number): State {
  if (byte === carriageReturn) return states.cr
  if (byte === lineFeed) return state === states.cr ? states.lineStart : states.behindBreak
  const isBehindBreak = state === states.behindBreak || state === states.cr
  if (byte === dot) return isBehindBreak ? states.openDot : states.text
  if (byte !== nul) return states.text
  return isBehindBreak || state === states.lineStart ? states.behindBreak : state
}

/** A dot is written before the byte: its own at the beginning of a line, or a second one for an open dot whose line ends. */
const doubles = (state: State, byte: number): boolean =>
  state === states.lineStart ? byte === dot : state === states.openDot && endsLine(byte)

/** By state and byte, the next state and, as 8, a dot before the byte: no branch for each byte, so that all mail costs the same. */
const table = Uint8Array.from({ length: 5 * 256 }, (_, at) => {
  const state = (at >> 8) as State
  return nextState(state, at & 255) | (doubles(state, at & 255) ? 8 : 0)
})

/** In text, a dot stands in every sixty bytes or so. Where there are more, copying all bytes costs less than the search. */
const bytesPerDot = 32

/**
 * No dot is behind CR, LF or NUL: nothing has to be doubled, or taken out. The native search for each dot is ten times as
 * fast as a loop over the bytes. False without a full search where there are many dots.
 */
export function hasOnlyInnerDots(piece: Buffer): boolean {
  let at = piece.indexOf(dot)
  for (let left = piece.length / bytesPerDot; at >= 0 && left > 0; left--) {
    const before = piece[at - 1] ?? dot
    if (endsLine(before) || before === nul) return false
    at = piece.indexOf(dot, at + 1)
  }
  return at < 0
}

/**
 * A dot alone between a single LF or CR and a line end is doubled too. Servers that take those for the end of a line
 * would otherwise end the message there, and read the rest as commands (SMTP smuggling). NUL counts for nothing there,
 * because some servers drop it. Other dots behind a single LF or CR stay as they are: a signed message must not change.
 */
export class DotStuffing {
  #state: State = states.lineStart

  end(): Buffer {
    const isOpen = this.#state === states.openDot
    return Buffer.from(`${isOpen ? '.' : ''}${this.#state === states.lineStart ? '' : '\r\n'}.\r\n`)
  }

  /** Returns blocks of at most 128 kB, each after a bounded amount of work. */
  *blocksOf(chunk: Buffer): Generator<Buffer> {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes)
      yield this.#isPlain(piece) ? this.#pass(piece) : this.#copy(piece)
    }
  }

  #isPlain(piece: Buffer): boolean {
    if (this.#state === states.openDot) return false
    if (this.#state !== states.text && (piece[0] === dot || piece[0] === nul)) return false
    return hasOnlyInnerDots(piece)
  }

  #pass(piece: Buffer): Buffer {
    let end = piece.length - 1
    while (end > 0 && piece[end] === nul) end--
    const from = Math.max(0, end - 1)
    let state = from > 0 ? states.text : this.#state
    for (const byte of piece.subarray(from)) state = nextState(state, byte)
    this.#state = state
    return piece
  }

  #copy(piece: Buffer): Buffer {
    const copied = Buffer.allocUnsafe(piece.length * 2)
    let length = 0
    let state: number = this.#state
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number
      const next = table[(state << 8) | byte] as number
      copied[length] = dot
      length += next >> 3
      copied[length++] = byte
      state = next & 7
    }
    this.#state = state as State
    return copied.subarray(0, length)
  }
}
