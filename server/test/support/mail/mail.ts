// A fake SMTP server that accepts all mails unless the test refuses them.
import { text as readText } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterFile } from '../after-file.ts'

export interface MailServer {
  readonly url: string
  /** `text` is the whole mail without soft line breaks; `source` is as it was sent. */
  readonly mails: { readonly to: string; readonly text: string; readonly source: string }[]
  /** Reject to refuse the mail. */
  answer: (to: string) => Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(recipient => recipient.address).join(', ')
      const take = async () => {
        const source = await readText(stream)
        await mailServer.answer(to)
        mailServer.mails.push({ to, text: source.replace(/=\r\n/g, ''), source })
      }
      take().then(() => done(null), done)
    },
  })
  server.on('error', () => undefined) // tests kill clients in the middle of a connection
  const port = await new Promise<number>(resolve => {
    const listening = server.listen(0, '127.0.0.1', () =>
      resolve((listening.address() as { port: number }).port),
    )
  })
  afterFile(() => new Promise<void>(resolve => server.close(() => resolve())))
  const mailServer: MailServer = { url: `smtp://127.0.0.1:${port}`, mails: [], answer: async () => undefined }
  return mailServer
}

const bytesOf = (text: string): Buffer => {
  const escaped = text.replace(/=\r\n/g, '')
  return Buffer.from(
    escaped.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/** RFC 2047, as nodemailer writes it. */
const decodeWords = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/(=\?UTF-8\?[QB]\?[^?]*\?=)+/g, words =>
      Buffer.concat(
        [...words.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/g)].map(([, kind, word = '']) =>
          kind === 'B' ? Buffer.from(word, 'base64') : bytesOf(word.replaceAll('_', ' ')),
        ),
      ).toString('utf8'),
    )

function splitHead(source: string): {
  readonly headers: [name: string, value: string][]
  readonly body: string
} {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map(line => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())] as [string, string]
  })
  return { headers, body: source.slice(end + 4) }
}

export interface ReadMail {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The decoded headers and parts of a mail that has a plain and an HTML part. */
export function readMail(source: string): ReadMail {
  const { headers, body } = splitHead(source)
  const header = (name: string) => headers.find(([field]) => field === name)?.[1] ?? ''
  const boundary = /boundary="([^"]+)"/.exec(header('content-type'))?.[1] ?? ''
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map(part => splitHead(part.trimStart()))
  const content = (type: string) => {
    const part = parts.find(({ headers }) => headers.some(([, value]) => value.startsWith(type)))
    return bytesOf(part?.body ?? '')
      .toString('utf8')
      .replaceAll('\r\n', '\n')
      .trimEnd()
  }
  return {
    headers,
    from: header('from'),
    subject: header('subject'),
    text: content('text/plain'),
    html: content('text/html'),
  }
}
