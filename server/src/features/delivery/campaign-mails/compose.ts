import { linkPart, type MailContent, type MailContext, type MailPart, paragraph } from '#kernel/base/mail.ts'

export interface CampaignMail {
  readonly to: string
  readonly campaign: string
  /** The address of the personal page; null when the workspace has none. */
  readonly page: string | null
  readonly html: string
  readonly text: string
}

interface CampaignMessages {
  readonly subject: string
  readonly title: string
  readonly intro: string
  readonly hint: string
  readonly open: string
  readonly reason: string
}

const english = (campaign: string, company: string, to: string): CampaignMessages => ({
  subject: `New in your email signature: ${campaign}`,
  title: 'New in your email signature',
  intro: `The banner “${campaign}” is now part of your email signature. This is how it looks:`,
  hint: 'If you copy your signature yourself, fetch it again from your private page:',
  open: 'Open my signature',
  reason: `You get this mail because ${company} manages the signature of your address ${to} with Signoff.`,
})

const german = (campaign: string, company: string, to: string): CampaignMessages => ({
  subject: `Neu in Ihrer E-Mail-Signatur: ${campaign}`,
  title: 'Neu in Ihrer E-Mail-Signatur',
  intro: `Das Banner „${campaign}“ ist jetzt Teil Ihrer E-Mail-Signatur. So sieht sie aus:`,
  hint: 'Kopieren Sie Ihre Signatur selbst, holen Sie sie noch einmal von Ihrer privaten Seite:',
  open: 'Meine Signatur öffnen',
  reason: `Sie erhalten diese E-Mail, weil ${company} die Signatur Ihrer Adresse ${to} mit Signoff verwaltet.`,
})

/** Shows the current signature, and links the personal page for teammates who copy their signature themselves. */
export const campaignMail =
  ({ campaign, to, page, html, text }: CampaignMail) =>
  ({ company, language, nameOf }: MailContext): MailContent => {
    const messages = (language === 'de' ? german : english)(nameOf(campaign), company, to)
    const { subject, title, reason } = messages
    const link: readonly MailPart[] =
      page === null ? [] : [paragraph(messages.hint), linkPart(messages.open, page)]
    const parts = [paragraph(messages.intro), { kind: 'signature', html, text } as const, ...link]
    return { subject, title, parts, reason }
  }
