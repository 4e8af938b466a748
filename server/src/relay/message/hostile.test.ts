// Messages that are made to break the scanner: no exception, no quadratic time, bounded memory.
// @module-tag deep
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { corpus } from '#test/messages/corpus.ts'
import { loopLimit, watchLoop } from '#test/support/processes/loop-watch.ts'
import { runs } from '#test/support/runs.ts'
import { hasLettersOf, inspectMessage, stampMessage } from './index.ts'

const options = {
  instance: 'here',
  linkHosts: ['links.example.com', 'l.example.org'],
  stampsAutoReplies: true,
}
/** A block, as every signature is. */
const signature = {
  html: `<div><b>Łucja</b><i>${'x'.repeat(300)}</i></div>`,
  text: 'Łucja\nhttps://example.com/x',
}

/** Inspects, stamps, and checks what must hold for every message. */
async function pass(message: Buffer): Promise<Buffer> {
  const original = Buffer.from(message)
  const inspection = await inspectMessage(message, options)
  if (inspection.action === 'leave') return message
  const chunks = stampMessage(message, inspection.plan, signature)
  const stamped = Buffer.concat(chunks)
  expect(message.equals(original)).toBe(true)
  // One piece per body, and at most two header lines of a text that is written anew.
  const added = chunks.filter(chunk => chunk.buffer !== message.buffer)
  expect(added.length).toBeLessThanOrEqual(6)
  const again = await inspectMessage(stamped, options)
  if (again.action === 'stamp')
    expect(Buffer.concat(stampMessage(stamped, again.plan, signature)).equals(stamped)).toBe(true)
  return stamped
}

const words = fc.constantFrom(
  ...[
    '--b',
    '--b--',
    '--c',
    '--c--',
    '',
    'Content-Type: text/html',
    'Content-Type: multipart/mixed; boundary=c',
  ],
  ...['Content-Type: multipart/alternative; boundary="b"', 'Content-Transfer-Encoding: base64', 'SGVsbG8='],
  ...[
    'Content-Transfer-Encoding: quoted-printable',
    '=C3=',
    '=',
    '<blockquote type=cite>',
    '</blockquote>',
    '<p>text',
  ],
  ...[
    '> quoted',
    'From: bob@example.org',
    'Subject: x',
    'Sent: Monday 10:00',
    'To: a',
    '-----Original Message-----',
  ],
  ...[
    'On Nov 16, 2026 at 9:41 AM Bob wrote:',
    '<div class="gmail_quote">',
    '<!--',
    '-->',
    '<style>',
    '</body>',
    '-- ',
  ],
  ...[
    'Content-Type: text/plain; charset=utf-8',
    'Content-Type: text/plain; charset=iso-2022-jp',
    '\x1b$B<<\x1b(B',
  ],
  ...[
    'Content-Disposition: attachment; filename=x',
    'Hello',
    'üñ',
    '\0',
    '<td>',
    '</td>',
    '<table>',
    '<br>',
    '&nbsp;',
  ],
)

const mutations = fc.array(
  fc.record({
    kind: fc.constantFrom('flip', 'cut', 'repeat', 'insert', 'end'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    size: fc.nat(60),
    byte: fc.nat(255),
    word: words,
  }),
  { minLength: 1, maxLength: 6 },
)
type Mutation = Parameters<Parameters<typeof mutations.map>[0]>[0][number]

function mutate(message: Buffer, { kind, at, size, byte, word }: Mutation): Buffer {
  const start = Math.floor(at * message.length)
  const [before, after] = [message.subarray(0, start), message.subarray(start)]
  if (kind === 'flip') return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)])
  if (kind === 'cut') return Buffer.concat([before, after.subarray(size)])
  if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, size * 20), after])
  if (kind === 'insert') return Buffer.concat([before, Buffer.from(`\r\n${word}\r\n`, 'latin1'), after])
  return before
}

describe('a hostile message', () => {
  it('made of lines that mean something throws nothing, and is stamped once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { maxLength: 60 }),
        fc.constantFrom('\r\n', '\n'),
        async (lines, newline) => {
          await pass(Buffer.from(['From: ada@example.com', ...lines].join(newline), 'latin1'))
        },
      ),
      { numRuns: runs(1_500) },
    )
  })

  it('made of HTML pieces throws nothing, and is stamped once', async () => {
    const head = 'From: ada@example.com\r\nContent-Type: text/html; charset=utf-8\r\n\r\n'
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { maxLength: 60 }),
        fc.constantFrom('', '\r\n'),
        async (pieces, between) => {
          await pass(Buffer.from(head + pieces.join(between), 'latin1'))
        },
      ),
      { numRuns: runs(1_500) },
    )
  })

  it('mutated from the corpus throws nothing, and is stamped once', async () => {
    const small = corpus.filter(({ bytes }) => bytes.length > 0 && bytes.length < 30_000)
    await fc.assert(
      fc.asyncProperty(fc.nat(small.length - 1), mutations, async (index, changes) => {
        await pass(changes.reduce(mutate, small[index]?.bytes as Buffer))
      }),
      { numRuns: runs(2_500) },
    )
  })

  it('of random bytes throws nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async bytes => {
        await pass(Buffer.concat([Buffer.from('From: a@b.c\r\n'), bytes]))
      }),
      { numRuns: runs(300) },
    )
  })
})

const head = 'From: ada@example.com\r\nMIME-Version: 1.0\r\n'
const inHtml = (body: string) => `${head}Content-Type: text/html; charset=utf-8\r\n\r\n${body}`
const inText = (body: string) => `${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${body}`
/** The signature has a letter that Latin-1 lacks: the text is written anew. */
const inLatin = (body: string) =>
  `${head}Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${body}`
const inPart = (body: string) =>
  `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHello\r\n--b\r\n\r\n${body}\r\n--b--\r\n`

/** Shapes that cost quadratic time in a scanner that goes back, keeps a stack, or searches to the end each time. */
const shapes: readonly (readonly [string, (count: number) => string])[] = [
  ['lines of dashes', count => inPart('--\r\n'.repeat(count * 6))],
  ['lines that are nearly the boundary', count => inPart('--b-\r\n'.repeat(count * 4))],
  ['opening tags', count => inHtml('<div>'.repeat(count * 4))],
  ['closing tags that close nothing', count => inHtml('<b>'.repeat(count * 3) + '</i>'.repeat(count * 3))],
  ['tags that never end', count => inHtml('<a '.repeat(count * 7))],
  ['closing tags that never end', count => inHtml('</a '.repeat(count * 5))],
  ['comments that never end', count => inHtml('<!--'.repeat(count * 5))],
  ['brackets', count => inHtml('<'.repeat(count * 20))],
  ['entities', count => inHtml('&nbsp'.repeat(count * 4))],
  ['empty lines', count => inHtml('<br>'.repeat(count * 5))],
  ['blockquotes', count => inHtml('<blockquote type=cite>x'.repeat(count))],
  ['blockquotes with answers', count => inHtml('<blockquote type=cite>x</blockquote>y'.repeat(count))],
  ['labels in HTML', count => inHtml('From: a<br>'.repeat(count * 2))],
  ['attributes', count => inHtml(`<p ${'class=x '.repeat(count * 3)}>`)],
  ['classes', count => inHtml(`<p class="${'x '.repeat(count * 10)}">`)],
  ['quoted lines', count => inText('> x\r\ny\r\n'.repeat(count * 2))],
  ['labels in text', count => inText('From: a\r\n'.repeat(count * 2))],
  ['attributions', count => inText('On 1 Nov 2026 at 10:00 Bob said\r\n'.repeat(count))],
  ['letters to write anew', count => inLatin('\xe9= \r\n'.repeat(count * 4))],
  ['letters of a signature', count => inText('a'.repeat(count * 20))],
  ['pictures in the text of Gmail', count => inText('[image: '.repeat(count * 3))],
  ['empty text lines', count => inText('\r\n'.repeat(count * 10))],
  ['spaces', count => inText(' '.repeat(count * 20))],
  ['links to nearly our host', count => inHtml('//links.example.comx '.repeat(count))],
  [
    'soft line breaks',
    count =>
      inHtml('=  \r\n'.repeat(count * 4)).replace(
        '\r\n\r\n',
        '\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n',
      ),
  ],
  [
    'base64 spaces',
    count =>
      inHtml(`QUFB${' \r\n'.repeat(count * 6)}QUFB`).replace(
        '\r\n\r\n',
        '\r\nContent-Transfer-Encoding: base64\r\n\r\n',
      ),
  ],
]
/** Within the limits of a header. */
const headerShapes: readonly (readonly [string, (count: number) => string])[] = [
  ['header lines', count => `${head}${'a:\r\n'.repeat(count)}\r\nHello`],
  ['folded lines', count => `${head}To: a${'\r\n b'.repeat(count)}\r\n\r\nHello`],
  ['recipients', count => `${head}To: ${'a@b.c,'.repeat(count)}\r\n\r\nHello`],
  ['parentheses', count => `${head}To: ${'('.repeat(count * 4)}\r\n\r\nHello`],
  ['angle brackets', count => `${head}To: ${'<'.repeat(count * 4)}\r\n\r\nHello`],
  ['letters', count => `${head}To: ${'a'.repeat(count * 4)}\r\n\r\nHello`],
  ['parameters', count => `${head}Content-Type: text/plain; ${'a=b; '.repeat(count)}\r\n\r\nHello`],
]

/** A search that begins again after each near match reads all of it for each letter of the message. */
const repetitive = { html: `b${'a'.repeat(20_000)}`, text: `${'a'.repeat(20_000)}b` }

/** The least of several measurements: a busy machine only makes them longer. */
async function milliseconds(message: Buffer): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 3; n++) {
    const began = performance.now()
    const inspection = await inspectMessage(message, options)
    if (inspection.action === 'stamp') {
      await hasLettersOf(inspection.plan, [repetitive])
      stampMessage(message, inspection.plan, signature)
    }
    least = Math.min(least, performance.now() - began)
  }
  return least
}

/** Shorter times say nothing on a busy machine. */
const shortest = 0.2

/** Eight times the input takes about eight times as long; in quadratic time, 64 times. */
async function expectLinear(shape: (count: number) => string, count: number): Promise<void> {
  const messageOf = (size: number) => Buffer.from(shape(size), 'latin1')
  const factor = async () =>
    (await milliseconds(messageOf(count * 8))) / Math.max(await milliseconds(messageOf(count)), shortest)
  // More tries, because something else can run during all measurements of the long one.
  let least = await factor()
  for (let n = 0; n < 12 && least >= 32; n++) least = Math.min(least, await factor())
  expect(least).toBeLessThan(32)
}

describe('the time for a message', () => {
  it.each(shapes)('grows with its size: %s', async (_name, shape) => {
    // Within the limits of a text.
    await expectLinear(shape, 700)
  })

  it.each(headerShapes)('grows with its header: %s', async (_name, shape) => {
    await expectLinear(shape, 1_000)
  })
})

/** Reads each byte once, as the fastest scanner in this language would. */
function countLines(message: Buffer): number {
  let count = 0
  for (let at = 0; at < message.length; at++) if (message[at] === 10) count++
  return count
}

async function leastTime(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 2; n++) {
    const began = performance.now()
    await work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

/** Whatever a large message is made of, it must not hold the process for longer than a few readings of its bytes. */
const largeShapes: readonly (readonly [string, string])[] = [
  ['lines of dashes', inPart('--\n'.repeat(2_000_000))],
  ['lines that are nearly the boundary', inPart('--b-\n'.repeat(1_200_000))],
  ['dashes between other lines', inPart('--\nx\n'.repeat(1_200_000))],
  [
    'folded header lines in many parts',
    inPart(`--b\r\nA: b\r\n${' x\n'.repeat(80_000)}\r\nx\r\n`.repeat(25)),
  ],
]

/** Text at the limits of what is read. */
const longestTexts: readonly (readonly [string, string])[] = [
  ['lines', inText('a:\r\n'.repeat(59_000))],
  ['lines with dates', inText('Bob said, 18.11.2026:\r\n'.repeat(59_000))],
  ['wrapped lines with dates', inText('The 18.11.2026 fox said to the lazy\r\n'.repeat(55_000))],
  ['blocks', inHtml('a:<p>'.repeat(59_000))],
  ['lines of HTML', inHtml('Bob 18.11.2026 10:<br>'.repeat(59_000))],
  ['attributes', inHtml(`<p ${'class=x '.repeat(250_000)}>`)],
]

describe('a large message', () => {
  it.each(longestTexts)(
    'with the longest text takes about the time of reading 40 MB: %s',
    async (_name, source) => {
      const message = Buffer.from(source, 'latin1')
      const bytes = Buffer.alloc(40_000_000)
      expect((await inspectMessage(message, options)).action).toBe('stamp')
      let factor = Number.POSITIVE_INFINITY
      for (let n = 0; n < 4 && factor >= 8; n++)
        factor =
          (await leastTime(() => inspectMessage(message, options))) /
          (await leastTime(() => countLines(bytes)))
      expect(factor).toBeLessThan(8)
    },
  )

  it.each([
    ['long lines', inText(`${'a'.repeat(1_000)}\r\n`.repeat(2_200))],
    ['short lines', inText('a:\r\n'.repeat(61_000))],
    [
      'several parts',
      inPart(`--b\r\nContent-Type: text/html\r\n\r\n${'a:<p>'.repeat(15_000)}\r\n`.repeat(5)),
    ],
  ])('with more text than is read passes unchanged: %s', async (_name, source) => {
    expect(await inspectMessage(Buffer.from(source, 'latin1'), options)).toMatchObject({
      reason: 'body_too_large',
    })
  })

  it.each(largeShapes)('takes about the time of reading its bytes: %s', async (_name, source) => {
    const message = Buffer.from(source, 'latin1')
    let factor = Number.POSITIVE_INFINITY
    for (let n = 0; n < 4 && factor >= 10; n++)
      factor =
        (await leastTime(() => inspectMessage(message, options))) /
        (await leastTime(() => countLines(message)))
    expect(factor).toBeLessThan(10)
  })
})

describe('a text that is written anew', () => {
  it.each([
    ['words', 'Caf\xe9 is open, and the rest is plain.\r\n'.repeat(50_000)],
    ['signs to escape', `${'='.repeat(500)}\r\n`.repeat(3_900)],
    ['one line', 'a\xe9bcdefg'.repeat(250_000)],
    ['spaces at the ends of lines', '\xe9 = \t \r\n'.repeat(59_000)],
  ])(
    'takes about the time of reading 40 MB, and does not hold the process for long: %s',
    async (_name, body) => {
      const message = Buffer.from(inLatin(body), 'latin1')
      const bytes = Buffer.alloc(40_000_000)
      const inspection = await inspectMessage(message, options)
      if (inspection.action === 'leave') throw new Error(inspection.reason)
      const write = async () => stampMessage(message, inspection.plan, signature)
      const text = Buffer.concat(await write()).toString('latin1')
      expect(text).toContain('charset=utf-8')
      let factor = Number.POSITIVE_INFINITY
      for (let n = 0; n < 4 && factor >= 2; n++)
        factor = (await leastTime(write)) / (await leastTime(() => countLines(bytes)))
      expect(factor).toBeLessThan(2)
      expect((await watchLoop(write)).held).toBeLessThan(loopLimit)
    },
  )
})

describe('the memory for a message', () => {
  it.each([
    [
      'header lines in many parts',
      inPart(`--b\r\n${'a:\r\n'.repeat(1_000)}\r\nx\r\n`.repeat(1_900)).slice(0, 8e6),
    ],
    ['own lines between quotes', inText('> x\r\ny\r\n'.repeat(29_000))],
    ['tags', inHtml(`<p>${'x'.repeat(60)}</p>`.repeat(29_000))],
  ])('is a small multiple of its size: %s', async (_name, source) => {
    const message = Buffer.from(source, 'latin1')
    const before = process.memoryUsage()
    await inspectMessage(message, options)
    const after = process.memoryUsage()
    const growth = after.heapUsed + after.external - before.heapUsed - before.external
    // With garbage that is not collected yet.
    expect(growth).toBeLessThan(Math.max(16 * message.length, 64e6))
  })
})
