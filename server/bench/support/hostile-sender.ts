// Sends hostile messages from a process of its own, so that its CPU time does not count. The parent names each by its index.
import { connect } from 'node:net'
import { hostileMessages } from '#test/messages/hostile.ts'

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

const send = (message: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    const lines = [
      'EHLO bench.test\r\n',
      'MAIL FROM:<ada@example.com>\r\n',
      'RCPT TO:<bob@other.test>\r\n',
      'DATA\r\n',
      Buffer.concat([stuffed(message), Buffer.from('\r\n.\r\n')]),
    ]
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed')))
    socket.on('data', chunk => {
      const reply = chunk.toString('latin1').trimEnd().split('\r\n').at(-1) ?? ''
      const next = reply.charCodeAt(3) === 32 && /^[23]/.test(reply) ? lines.shift() : undefined
      if (next !== undefined) socket.write(next)
      else if (!/^\d{3}-/.test(reply)) {
        socket.removeAllListeners('close').end('QUIT\r\n')
        resolve(reply)
      }
    })
  })

process.on('message', async (index: number) => {
  const message = hostileMessages[index]?.build() ?? Buffer.alloc(0)
  process.send?.({ bytes: message.length, reply: await send(message) })
})
process.send?.('ready')
