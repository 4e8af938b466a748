// @module-tag random
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { DotStuffing } from './dot-stuffing.ts'

/**
 * As it is meant: a dot at the beginning and behind CRLF is doubled, and one that is alone behind a single CR or LF. NUL
 * does not count, as servers that drop it would see the dot alone.
 */
function expected(text: string): string {
  const stuffed = text
    .replace(/(^|\r\n)\./g, '$1..')
    .replace(/((?:^|[\r\n])\0*)(?<!\r\n|^)\.(\0*)(?=[\r\n]|$)/g, '$1.$2.')
  return `${stuffed}${stuffed === '' || stuffed.endsWith('\r\n') ? '' : '\r\n'}.\r\n`
}

function* dotStuffed(chunks: Iterable<Buffer>): Generator<Buffer> {
  const stuffing = new DotStuffing()
  for (const chunk of chunks) yield* stuffing.blocksOf(chunk)
  yield stuffing.end()
}

it('is the same however the message is cut into chunks, and for blocks of all sizes', () => {
  const piece = fc.oneof(
    fc.constantFrom('.', '\r\n', '\n', '\r', '\r\n.', '\n.', '\r.', 'x', '.\r\n', '\0', '\r\n\0.\r\n'),
    fc.integer({ min: 1, max: 3 }).map(n => 'y'.repeat(n * 30_000)),
  )
  fc.assert(
    fc.property(fc.array(fc.array(piece, { maxLength: 12 }), { maxLength: 6 }), chunks => {
      const texts = chunks.map(pieces => pieces.join(''))
      const written = [...dotStuffed(texts.map(text => Buffer.from(text)))]
      expect(Buffer.concat(written).toString()).toBe(expected(texts.join('')))
      expect(written.every(block => block.length <= 131_072)).toBe(true)
    }),
    { numRuns: runs(150) },
  )
})

const pieceBytes = 65_536

it('reads a chunk of any size in pieces of at most 64 kB', () => {
  const chunk = Buffer.alloc(37_000_000, '\n.a')
  const doubled = Buffer.alloc(pieceBytes - 1, '\r\n.')
  let at = 0
  let count = 0
  for (const piece of dotStuffed([chunk])) {
    expect(piece.length).toBeLessThanOrEqual(2 * pieceBytes)
    // What is written behind the piece that was read is in the next piece.
    if (at > 0 && at < chunk.length - pieceBytes) expect(piece.length).toBeGreaterThan(1.3 * pieceBytes)
    at += pieceBytes
    count++
    if (at < chunk.length - pieceBytes) chunk.set(doubled, at)
  }
  expect(count).toBeGreaterThanOrEqual(chunk.length / pieceBytes)
})

/** Reads each byte once, as the fastest scanner in this language would. */
function countLines(message: Buffer): number {
  let count = 0
  for (let at = 0; at < message.length; at++) if (message[at] === 10) count++
  return count
}

function leastTime(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return Math.min(...times)
}

it.each([['\n.a'], ['\r\n.\r\n.'], ['\n.\n.'], ['\r.'], ['\0.']])(
  // Measured on three machines: 2.3 to 14.5 readings, by what the compiler makes of both loops. A turn of the event loop for
  // each dot, as before, is 400.
  'costs a few readings of the bytes, whatever the message is made of: %j',
  shape => {
    const message = Buffer.alloc(8_000_000, shape)
    const write = () => {
      for (const piece of dotStuffed([message])) expect(piece.length).toBeGreaterThan(0)
    }
    let factor = Number.POSITIVE_INFINITY
    for (let n = 0; n < 6 && factor >= 25; n++)
      factor = leastTime(write) / leastTime(() => countLines(message))
    expect(factor).toBeLessThan(25)
  },
)
