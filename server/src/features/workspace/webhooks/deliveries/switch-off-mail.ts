import {
  factsPart,
  type Letter,
  type LetterContext,
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

interface SwitchOffWords {
  readonly title: string
  readonly intro: string
  readonly receiver: string
  readonly why: string
  readonly reasons: Readonly<Record<SwitchOffReason, string>>
  readonly next: (request: string, body: string) => string
  readonly because: (company: string, to: string) => string
}

const wordsIn: Readonly<Record<MailLanguage, SwitchOffWords>> = {
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

export const switchOffLetter =
  ({ to, webhook_id, url, reason }: SwitchOff, publicUrl: string) =>
  ({ company, language }: LetterContext): Letter => {
    const words = wordsIn[language]
    return {
      subject: words.title,
      title: words.title,
      parts: [
        paragraph(words.intro),
        factsPart([words.receiver, url], [words.why, words.reasons[reason]]),
        paragraph(
          words.next(`PATCH ${publicUrl}/v1/webhooks/${webhook_id}`, '{"webhook": {"active": true}}'),
        ),
      ],
      reason: words.because(company, to),
    }
  }
