// Messages for the benchmark of the relay, and a client that sends many of them.
import { once } from 'node:events'
import { connect } from 'node:net'

const base64 = (bytes: number): string =>
  Buffer.alloc(bytes, 'The quick brown fox. ').toString('base64').replace(/.{76}/g, '$&\r\n')

const head = (type: string): string =>
  `From: Ada <ada@example.com>\r\nTo: Bob <bob@other.test>\r\nSubject: Report\r\nMessage-ID: <1@bench>\r\nDate: Tue, 17 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n`

const plain = (bytes: number): string =>
  `${head('text/plain; charset=utf-8')}\r\n${'A line of the letter, as people write it.\r\n'.repeat(bytes / 44)}`

const alternative = (bytes: number): string => {
  const line = '<p style="margin:0">A line of the letter, as people write it.</p>\r\n'
  const html = `<html><body><div>${line.repeat(bytes / line.length)}</div></body></html>`
  return [
    '--b1\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nA letter.\r\n',
    `--b1\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${html}\r\n`,
    '--b1--\r\n',
  ].join('')
}

/** A letter with HTML, and an attachment of this size. */
export const withAttachment = (bytes: number): string =>
  [
    `${head('multipart/mixed; boundary=b2')}\r\n--b2\r\nContent-Type: multipart/alternative; boundary=b1\r\n\r\n`,
    alternative(4_000),
    `--b2\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bytes * 0.73)}\r\n--b2--\r\n`,
  ].join('')

/** About 100 kB on average, as a company sends: most are short, few have large files. */
export const mailMix = (): Buffer[] => {
  const letter = Buffer.from(plain(2_000))
  const html = Buffer.from(`${head('multipart/alternative; boundary=b1')}\r\n${alternative(23_000)}`)
  const picture = Buffer.from(withAttachment(230_000))
  const file = Buffer.from(withAttachment(3_500_000))
  return Array.from({ length: 100 }, (_, n) =>
    n % 50 === 0 ? file : n % 12 === 1 ? picture : n % 3 === 0 ? html : letter,
  )
}

/** Sends messages over one connection, one after the other. Throws when one is not accepted. */
export async function sendAll(port: number, messages: readonly Buffer[], declaresSize = true): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port }).setNoDelay(true)
  let text = ''
  let wake: () => void = () => undefined
  socket.on('data', chunk => {
    text += chunk
    wake()
  })
  const closed = once(socket, 'close').then(() => wake())
  const reply = async (code: string): Promise<void> => {
    for (;;) {
      const match = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(text)
      if (match) {
        text = text.slice(match[0].length)
        if (match[1] !== code) throw new Error(match[0])
        return
      }
      if (socket.destroyed) throw new Error('closed')
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  const say = (line: string, code: string) => {
    socket.write(`${line}\r\n`)
    return reply(code)
  }
  await reply('220')
  await say('EHLO bench.test', '250')
  for (const message of messages) {
    await say(`MAIL FROM:<ada@example.com>${declaresSize ? ` SIZE=${message.length}` : ''}`, '250')
    await say('RCPT TO:<bob@other.test>', '250')
    await say('DATA', '354')
    socket.write(message)
    await say('.', '250')
  }
  socket.end('QUIT\r\n')
  await closed
}

/** The messages are shared out to so many connections. */
export const sendMail = (port: number, messages: readonly Buffer[], connections: number) =>
  Promise.all(
    Array.from({ length: connections }, (_, n) =>
      sendAll(
        port,
        messages.filter((_message, at) => at % connections === n),
      ),
    ),
  )
