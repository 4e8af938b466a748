// @module-tag random
import fc from 'fast-check'
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { IncomingStream } from './incoming-stream.ts'

/** Writes the chunks in data mode, and returns the message and the commands behind it. */
async function read(stream: SMTPStream, chunks: readonly string[]) {
  const commands: string[] = []
  stream.oncommand = (command, done) => {
    commands.push(command.toString('latin1'))
    done?.()
  }
  const message = stream.startDataMode().toArray()
  stream.continue()
  for (const chunk of chunks)
    await new Promise(resolve => stream.write(Buffer.from(chunk, 'latin1'), resolve))
  return { message: Buffer.concat(await message).toString('latin1'), commands }
}

it('reads messages as the library does, however they are cut into chunks', async () => {
  const piece = fc.constantFrom('.', '..', '\r\n', '\n', '\r', '\r\n.', '\r\n..', '\n.', '.\r', 'x', '\0')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(piece, { maxLength: 9 }), { maxLength: 8 }), async pieces => {
      const chunks = ['Subject: x\r\n', ...pieces.map(chunk => chunk.join('')), '\r\n.\r\nNOOP\r\n']
      expect(await read(new IncomingStream(), chunks)).toEqual(await read(new SMTPStream(), chunks))
    }),
    { numRuns: runs(400) },
  )
})

it('reads a message that begins with a dot, and one that is empty', async () => {
  expect(await read(new IncomingStream(), ['..x\r\n.\r\nQUIT\r\n'])).toEqual({
    message: '.x\r\n',
    commands: ['QUIT'],
  })
  expect(await read(new IncomingStream(), ['.', '\r', '\n'])).toEqual({ message: '', commands: [] })
})

/** Reads each byte once, as the fastest scanner in this language would. */
function countLines(message: Buffer): number {
  let count = 0
  for (let at = 0; at < message.length; at++) if (message[at] === 10) count++
  return count
}

async function leastTime(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 3; n++) {
    const began = performance.now()
    await work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

it.each([['\r\n..'], ['\n..'], ['\r\n..a'], ['\n.a']])(
  'costs a few readings of the bytes, whatever the message is made of: %j',
  async shape => {
    const message = Buffer.from(`Subject: x\r\n${shape.repeat(2_000_000 / shape.length)}x\r\n.\r\n`)
    const chunks = Array.from({ length: Math.ceil(message.length / 65_536) }, (_, n) =>
      message.toString('latin1', n * 65_536, (n + 1) * 65_536),
    )
    let factor = Number.POSITIVE_INFINITY
    for (let n = 0; n < 6 && factor >= 30; n++)
      factor =
        (await leastTime(() => read(new IncomingStream(), chunks))) /
        (await leastTime(() => countLines(message)))
    expect(factor).toBeLessThan(30)
  },
)
