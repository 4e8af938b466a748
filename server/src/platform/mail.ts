// Sends the mails of the service itself, by SMTP.
import type { Config } from '#config.ts'
import type { SendMail } from '#kernel/base/mail.ts'

/** True if the mail server certainly did not accept the mail: it refused it, or there was no connection. */
export function wasRefused(error: unknown): boolean {
  const {
    responseCode,
    code = '',
    syscall,
    timeoutType = '',
  } = error as {
    readonly responseCode?: number
    readonly code?: string
    readonly syscall?: string
    readonly timeoutType?: string
  }
  return (
    responseCode !== undefined ||
    syscall === 'connect' ||
    /^E(DNS|AUTH|ENVELOPE|TLS|CONNREFUSED)$/.test(code) ||
    /^(CONNECT|GREETING|UPGRADE)_TIMEOUT$/.test(timeoutType)
  )
}

export const createMailer =
  ({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail =>
  async ({ to, fromName, ...mail }) => {
    if (smtpUrl === null) throw new Error('no mail server is configured: set SIGNOFF_SMTP_URL')
    // Loaded with the first mail, because most processes never send one.
    const { createTransport } = await import('nodemailer')
    const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
    const transport = createTransport({ url: smtpUrl, ...timeouts })
    try {
      await transport.sendMail({
        ...mail,
        // As objects, so that nodemailer reads no list of addresses out of a name.
        from: fromName === undefined ? mailFrom : { name: fromName, address: mailFrom },
        to: { name: '', address: to },
        textEncoding: 'quoted-printable',
      })
    } finally {
      transport.close()
    }
  }
