// The mails that features send. `platform/mail.ts` sends them by SMTP.

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same content, for clients that show HTML. */
  readonly html?: string
}

export type SendMail = (mail: OutgoingMail) => Promise<void>
