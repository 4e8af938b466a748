// A fake SMTP server that accepts all mails unless the test refuses them.
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'

export interface MailServer {
  readonly url: string
  readonly mails: { readonly to: string; readonly text: string }[]
  /** Reject to refuse the mail. */
  answer: (to: string) => Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.on('data', chunk => {
        text += chunk
      })
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(recipient => recipient.address).join(', ')
        mailServer.answer(to).then(
          () => {
            mailServer.mails.push({ to, text: text.replace(/=\r\n/g, '') })
            done(null)
          },
          error => done(error),
        )
      })
    },
  })
  server.on('error', () => undefined) // tests kill clients in the middle of a connection
  const port = await new Promise<number>(resolve => {
    const listening = server.listen(0, '127.0.0.1', () =>
      resolve((listening.address() as { port: number }).port),
    )
  })
  afterAll(() => new Promise<void>(resolve => server.close(() => resolve())))
  const mailServer: MailServer = { url: `smtp://127.0.0.1:${port}`, mails: [], answer: async () => undefined }
  return mailServer
}
