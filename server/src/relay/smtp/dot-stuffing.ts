// The body of DATA as it goes over the wire: a dot at the beginning of a line is doubled, and the last line ends with CRLF.

const lineFeed = 10
const carriageReturn = 13
const dot = 46
/** A block is large enough that few writes are needed, and small enough that TLS does not encrypt a whole message at once. */
const blockBytes = 64 * 1024
/** A longer piece without a dot is passed on as it is; shorter ones are copied into a block. */
const copiedBytes = 32 * 1024

const endsLine = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn

/**
 * A dot alone between a single LF or CR and a line end is doubled too. Servers that take those for the end of a line
 * would otherwise end the message there, and read the rest as commands (SMTP smuggling). Other dots behind a single LF
 * or CR stay as they are: a signed message must not change.
 */
export function* dotStuffed(chunks: Iterable<Buffer>): Generator<Buffer> {
  let block = Buffer.allocUnsafe(blockBytes)
  let used = 0
  let last = lineFeed
  let beforeLast = carriageReturn
  /** A chunk has ended with a dot behind a single LF or CR. */
  let isDotOpen = false

  function* write(piece: Buffer): Generator<Buffer> {
    if (piece.length === 0) return
    beforeLast = piece.length > 1 ? (piece[piece.length - 2] ?? 0) : last
    last = piece[piece.length - 1] ?? 0
    if (piece.length > copiedBytes) {
      if (used > 0) yield block.subarray(0, used)
      if (used > 0) block = Buffer.allocUnsafe(blockBytes)
      used = 0
      for (let at = 0; at < piece.length; at += blockBytes) yield piece.subarray(at, at + blockBytes)
      return
    }
    if (used + piece.length > blockBytes) {
      yield block.subarray(0, used)
      block = Buffer.allocUnsafe(blockBytes)
      used = 0
    }
    used += piece.copy(block, used)
  }

  const stuffing = Buffer.from('.')
  for (const chunk of chunks) {
    if (chunk.length === 0) continue
    let at = 0
    if (isDotOpen && endsLine(chunk[0])) yield* write(stuffing)
    isDotOpen = false
    if (chunk[0] === dot && endsLine(last)) {
      const isLine = last === lineFeed && beforeLast === carriageReturn
      if (isLine || endsLine(chunk[1])) yield* write(stuffing)
      else isDotOpen = chunk.length === 1
    }
    let afterLf = chunk.indexOf('\n.')
    let afterCr = chunk.indexOf('\r.')
    while (afterLf !== -1 || afterCr !== -1) {
      const next = afterCr === -1 || (afterLf !== -1 && afterLf < afterCr) ? afterLf : afterCr
      const before = next > 0 ? chunk[next - 1] : last
      const isLine = next === afterLf && before === carriageReturn
      isDotOpen = !isLine && next + 2 === chunk.length
      if (isLine || endsLine(chunk[next + 2])) {
        yield* write(chunk.subarray(at, next + 1))
        yield* write(stuffing)
        at = next + 1
      }
      if (next === afterLf) afterLf = chunk.indexOf('\n.', next + 1)
      else afterCr = chunk.indexOf('\r.', next + 1)
    }
    yield* write(chunk.subarray(at))
  }
  if (isDotOpen) yield* write(stuffing)
  if (last !== lineFeed || beforeLast !== carriageReturn) yield* write(Buffer.from('\r\n'))
  yield* write(Buffer.from('.\r\n'))
  if (used > 0) yield block.subarray(0, used)
}
