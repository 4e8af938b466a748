import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { dotStuffed } from './dot-stuffing.ts'

/** As it is meant: a dot at the beginning and behind CRLF is doubled, and one that is alone behind a single CR or LF. */
function expected(text: string): string {
  const stuffed = text.replace(/(^|\r\n)\./g, '$1..').replace(/((?<!\r)\n|\r)\.(?=[\r\n]|$)/g, '$1..')
  return `${stuffed}${stuffed === '' || stuffed.endsWith('\r\n') ? '' : '\r\n'}.\r\n`
}

it('is the same however the message is cut into chunks, and for blocks of all sizes', () => {
  const piece = fc.oneof(
    fc.constantFrom('.', '\r\n', '\n', '\r', '\r\n.', '\n.', '\r.', 'x', '.\r\n'),
    fc.integer({ min: 1, max: 3 }).map(n => 'y'.repeat(n * 30_000)),
  )
  fc.assert(
    fc.property(fc.array(fc.array(piece, { maxLength: 12 }), { maxLength: 6 }), chunks => {
      const texts = chunks.map(pieces => pieces.join(''))
      const written = [...dotStuffed(texts.map(text => Buffer.from(text)))]
      expect(Buffer.concat(written).toString()).toBe(expected(texts.join('')))
      expect(written.every(block => block.length <= 65_536)).toBe(true)
    }),
    { numRuns: runs(150) },
  )
})
