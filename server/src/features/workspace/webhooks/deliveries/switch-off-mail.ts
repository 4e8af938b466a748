import {
  factsPart,
  type MailContent,
  type MailContext,
  type MailLanguage,
  paragraph,
} from '#kernel/base/mail.ts'

export type SwitchOffReason = 'gone' | 'failing'

/** In English, as in messages to webhooks. */
export const switchOffReasons: Readonly<Record<SwitchOffReason, string>> = {
  gone: 'The receiver answered 410: it wants no more events.',
  failing: 'For 3 days no request to it has succeeded.',
}

/** A webhook that the service switched off. */
export interface SwitchOff {
  readonly to: string
  readonly webhook_id: string
  readonly url: string
  readonly reason: SwitchOffReason
}

interface SwitchOffMessages {
  readonly title: string
  readonly intro: string
  readonly receiver: string
  readonly why: string
  readonly reasons: Readonly<Record<SwitchOffReason, string>>
  readonly next: (request: string, body: string) => string
  readonly because: (company: string, to: string) => string
}

const messagesIn: Readonly<Record<MailLanguage, SwitchOffMessages>> = {
  en: {
    title: 'A webhook was switched off',
    intro: 'Signoff sends no more events to this receiver.',
    receiver: 'Receiver',
    why: 'Reason',
    reasons: switchOffReasons,
    next: (request, body) =>
      `Correct the receiver, then switch the webhook on again:\n${request} with ${body}`,
    because: (company, to) =>
      `You get this mail because you administer the workspace ${company} with the address ${to}.`,
  },
  de: {
    title: 'Ein Webhook wurde abgeschaltet',
    intro: 'Signoff sendet keine Ereignisse mehr an diesen Empfänger.',
    receiver: 'Empfänger',
    why: 'Grund',
    reasons: {
      gone: 'Der Empfänger hat mit 410 geantwortet: Er will keine Ereignisse mehr.',
      failing: 'Seit 3 Tagen war keine Anfrage an ihn erfolgreich.',
    },
    next: (request, body) =>
      `Korrigieren Sie den Empfänger und schalten Sie den Webhook dann wieder ein:\n${request} mit ${body}`,
    because: (company, to) =>
      `Sie erhalten diese E-Mail, weil Sie den Workspace ${company} mit der Adresse ${to} verwalten.`,
  },
}

export const switchOffMail =
  ({ to, webhook_id, url, reason }: SwitchOff, publicUrl: string) =>
  ({ company, language }: MailContext): MailContent => {
    const messages = messagesIn[language]
    return {
      subject: messages.title,
      title: messages.title,
      parts: [
        paragraph(messages.intro),
        factsPart([messages.receiver, url], [messages.why, messages.reasons[reason]]),
        paragraph(
          messages.next(`PATCH ${publicUrl}/v1/webhooks/${webhook_id}`, '{"webhook": {"active": true}}'),
        ),
      ],
      reason: messages.because(company, to),
    }
  }
