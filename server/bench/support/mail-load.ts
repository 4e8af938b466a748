// Messages for the benchmark of the relay, and a client that sends many of them.
import { SmtpSender } from '#test/support/mail/smtp-sender.ts'

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
  const sender = await SmtpSender.connect(port)
  const say = async (line: string, code = '250') => {
    const reply = await sender.say(line)
    if (!reply.startsWith(code)) throw new Error(`${line}: ${reply}`)
  }
  await say('EHLO bench.test')
  for (const message of messages) {
    await say(`MAIL FROM:<ada@example.com>${declaresSize ? ` SIZE=${message.length}` : ''}`)
    await say('RCPT TO:<bob@other.test>')
    await say('DATA', '354')
    sender.write(message)
    await say('.')
  }
  sender.quit()
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
