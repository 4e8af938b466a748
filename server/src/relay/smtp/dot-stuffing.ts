// The body of DATA as it goes over the wire: a dot at the beginning of a line is doubled, and the last line ends with CRLF.

const lineFeed = 10
const carriageReturn = 13
const dot = 46
/** A block is large enough that few writes are needed, and small enough that TLS does not encrypt a whole message at once. */
const blockBytes = 64 * 1024
/** A longer piece without a dot is passed on as it is; shorter ones are copied into a block. */
const copiedBytes = 32 * 1024

/**
 * A dot is doubled behind a single LF or CR too. Servers that take those for the end of a line would otherwise end the
 * message at a dot of its content, and read the rest as commands (SMTP smuggling).
 */
export function* dotStuffed(chunks: Iterable<Buffer>): Generator<Buffer> {
  let block = Buffer.allocUnsafe(blockBytes)
  let used = 0
  let last = lineFeed
  let beforeLast = carriageReturn

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
    let at = 0
    if (chunk[0] === dot && (last === lineFeed || last === carriageReturn)) yield* write(stuffing)
    let afterLf = chunk.indexOf('\n.')
    let afterCr = chunk.indexOf('\r.')
    while (afterLf !== -1 || afterCr !== -1) {
      const next = afterCr === -1 || (afterLf !== -1 && afterLf < afterCr) ? afterLf : afterCr
      yield* write(chunk.subarray(at, next + 1))
      yield* write(stuffing)
      at = next + 1
      if (next === afterLf) afterLf = chunk.indexOf('\n.', at)
      else afterCr = chunk.indexOf('\r.', at)
    }
    yield* write(chunk.subarray(at))
  }
  if (last !== lineFeed || beforeLast !== carriageReturn) yield* write(Buffer.from('\r\n'))
  yield* write(Buffer.from('.\r\n'))
  if (used > 0) yield block.subarray(0, used)
}
