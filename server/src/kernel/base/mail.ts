// The mails that features send. `platform/mail.ts` sends them by SMTP; the feature `mail-layout` lays them out.

export interface OutgoingMail {
  readonly to: string
  /** The name beside the sender's address. */
  readonly fromName?: string
  readonly subject: string
  readonly text: string
  /** The same content, for clients that show HTML. */
  readonly html?: string
}

export type SendMail = (mail: OutgoingMail) => Promise<void>

/** The languages in which the service writes mails. */
export const mailLanguages = ['en', 'de'] as const
export type MailLanguage = (typeof mailLanguages)[number]

/** One part of a mail, from top to bottom. All texts are plain: the layout escapes them. */
export type MailPart =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** A button. The layout shows the host and the whole address below it. */
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }
  /** A rendered signature, which is safe HTML already. */
  | { readonly kind: 'signature'; readonly html: string; readonly text: string }

export const paragraph = (text: string): MailPart => ({ kind: 'paragraph', text })
export const linkPart = (label: string, url: string): MailPart => ({ kind: 'link', label, url })

/** Leaves out what is unknown. */
export const factsPart = (...facts: readonly (readonly [string, string | null])[]): MailPart => ({
  kind: 'facts',
  facts: facts.filter((fact): fact is [string, string] => fact[1] !== null),
})

/** A mail of the service as data. */
export interface MailContent {
  readonly subject: string
  readonly title: string
  readonly parts: readonly MailPart[]
  /** The reason why the reader gets this mail: the small print. */
  readonly reason: string
}

/** The company on whose behalf a mail is written, and its form. */
export interface MailContext {
  /** The name of the company, made safe for a sentence; the host of the service for a mail without a workspace. */
  readonly company: string
  readonly language: MailLanguage
  /** Makes a name that people have chosen safe for a sentence: no line breaks, no links, no other direction. */
  readonly nameOf: (text: string) => string
  /** A moment in the time zone and form of the workspace. */
  readonly dateOf: (moment: Date) => string
}

export interface MailRequest {
  readonly to: string
  /** Null: the mail concerns the account alone. */
  readonly workspaceId: string | null
  /** The language that the reader has chosen; null: that of the workspace. */
  readonly language: MailLanguage | null
  readonly write: (context: MailContext) => MailContent
}

/** Composes text and HTML in the look of the workspace. It is ready before the mail is begun, and can fail. */
export type ComposeMail = (request: MailRequest) => Promise<OutgoingMail>

/** Everything a job needs to send mails. */
export interface Mailer {
  readonly compose: ComposeMail
  readonly send: SendMail
  /** True if this error proves that the mail server did not accept the mail. */
  readonly wasRefused: (error: unknown) => boolean
}
