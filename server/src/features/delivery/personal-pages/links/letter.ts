import { linkPart, type MailContent, type MailContext, paragraph } from '#kernel/base/mail.ts'

const german = ({ company }: MailContext, to: string, url: string): MailContent => ({
  subject: 'Ihr neuer Link zur E-Mail-Signatur',
  title: 'Ihr neuer Link',
  parts: [
    paragraph('Guten Tag,'),
    paragraph(
      'hier ist der neue Link zu Ihrer persönlichen Seite. Der alte Link zeigt die Seite nicht mehr.',
    ),
    linkPart('Meine Signatur öffnen', url),
    paragraph('Die Adresse ist nur für Sie bestimmt: Bitte geben Sie sie nicht weiter.'),
  ],
  reason: `Sie erhalten diese E-Mail, weil auf Ihrer persönlichen Seite bei ${company} ein neuer Link für ${to} angefordert wurde. Waren Sie das nicht, können Sie sie löschen.`,
})

const english = ({ company }: MailContext, to: string, url: string): MailContent => ({
  subject: 'Your fresh link to your email signature',
  title: 'Your fresh link',
  parts: [
    paragraph('Hello,'),
    paragraph('here is the fresh link to your personal page. The old link does not show the page any more.'),
    linkPart('Open my signature', url),
    paragraph('The address is for you alone: please do not pass it on.'),
  ],
  reason: `You get this mail because a fresh link for ${to} was asked for on your personal page at ${company}. If that was not you, you can delete it.`,
})

export const freshLinkLetter =
  (to: string, url: string) =>
  (context: MailContext): MailContent =>
    context.language === 'de' ? german(context, to, url) : english(context, to, url)
