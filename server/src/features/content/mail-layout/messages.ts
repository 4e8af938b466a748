import type { MailLanguage } from '#kernel/base/mail.ts'

interface LayoutMessages {
  /** The host is HTML. */
  readonly leadsTo: (host: string) => string
  readonly otherwise: string
  readonly sentBy: (company: string) => string
  readonly sentBySignoff: string
  readonly untracked: string
}

/** Text of the layout itself, around the parts of a mail. */
export const layoutMessages: Readonly<Record<MailLanguage, LayoutMessages>> = {
  en: {
    leadsTo: host => `The button leads to ${host}.`,
    otherwise: 'If nothing opens, copy this address into your browser:',
    sentBy: company => `Sent by Signoff on behalf of ${company}.`,
    sentBySignoff: 'Sent by Signoff.',
    untracked: 'This mail does not record whether it is opened.',
  },
  de: {
    leadsTo: host => `Die Schaltfläche führt zu ${host}.`,
    otherwise: 'Öffnet sich nichts, kopieren Sie diese Adresse in Ihren Browser:',
    sentBy: company => `Gesendet von Signoff im Auftrag von ${company}.`,
    sentBySignoff: 'Gesendet von Signoff.',
    untracked: 'Diese E-Mail zeichnet nicht auf, ob sie geöffnet wird.',
  },
}
