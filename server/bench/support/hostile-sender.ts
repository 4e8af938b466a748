// Sends hostile messages from a process of its own, so that its CPU time does not count. The parent names each by its index.
import { hostileMessages } from '#test/messages/hostile.ts'
import { sendAll } from './mail-load.ts'

const port = Number(process.argv[2])

/** A dot at the beginning of a line is doubled, in one pass: a regular expression would take seconds. */
function stuffed(message: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(message.length * 2)
  let length = 0
  let isLineStart = true
  for (let at = 0; at < message.length; at++) {
    const byte = message[at] as number
    if (isLineStart && byte === 46) bytes[length++] = 46
    bytes[length++] = byte
    isLineStart = byte === 10 && message[at - 1] === 13
  }
  return bytes.subarray(0, length)
}

process.on('message', async (index: number) => {
  const message = hostileMessages[index]?.build() ?? Buffer.alloc(0)
  // The doubled dots do not count for the limit of the relay, so no size is declared.
  await sendAll(port, [Buffer.concat([stuffed(message), Buffer.from('\r\n')])], false)
  process.send?.('accepted')
})
process.send?.('ready')
