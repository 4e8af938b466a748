import { linkPart, type MailContent, type MailContext, paragraph } from '#kernel/base/mail.ts'

const german = ({ company }: MailContext, to: string, url: string): MailContent => ({
  subject: 'Ihre E-Mail-Signatur ist bereit',
  title: 'Ihre E-Mail-Signatur ist bereit',
  parts: [
    paragraph('Guten Tag,'),
    paragraph(
      'Ihre E-Mail-Signatur wurde erneuert. Öffnen Sie Ihre private Seite, kopieren Sie die Signatur mit einem Klick und fügen Sie sie in Ihr Mailprogramm ein. Die Seite zeigt, wie das geht.',
    ),
    linkPart('Meine Signatur öffnen', url),
    paragraph('Die Adresse ist nur für Sie bestimmt: Bitte geben Sie sie nicht weiter.'),
  ],
  reason: `Sie erhalten diese E-Mail, weil ${company} die Signatur Ihrer Adresse ${to} mit Signoff verwaltet.`,
})

const english = ({ company }: MailContext, to: string, url: string): MailContent => ({
  subject: 'Your email signature is ready',
  title: 'Your email signature is ready',
  parts: [
    paragraph('Hello,'),
    paragraph(
      'Your email signature has been updated. Open your private page, copy the signature with one click, and paste it into your mail program. The page shows how.',
    ),
    linkPart('Open my signature', url),
    paragraph('The address is for you alone: please do not pass it on.'),
  ],
  reason: `You get this mail because ${company} manages the signature of your address ${to} with Signoff.`,
})

export const invitationLetter =
  (to: string, url: string) =>
  (context: MailContext): MailContent =>
    context.language === 'de' ? german(context, to, url) : english(context, to, url)
