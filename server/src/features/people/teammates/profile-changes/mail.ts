import {
  factsPart,
  linkPart,
  type MailContent,
  type MailContext,
  type MailPart,
  paragraph,
} from '#kernel/base/mail.ts'
import type { ProfileChangeView } from './queries.ts'

interface DecisionTexts {
  readonly subject: string
  readonly intro: string
  readonly field: string
  readonly asked: string
  readonly reasonGiven: string
  readonly decidedBy: string
  readonly cleared: string
  readonly picture: string
  readonly open: string
  readonly reason: string
}

const english = (label: string, isApproved: boolean, company: string, to: string): DecisionTexts => ({
  subject: isApproved ? `Your change was approved: ${label}` : `Your change was not approved: ${label}`,
  intro: isApproved
    ? 'The change that you asked for is in your email signature now. If you copy the signature yourself, copy it again from your page.'
    : 'The change that you asked for was not approved. Your email signature stays as it is.',
  field: 'Field',
  asked: 'You asked for',
  reasonGiven: 'Reason',
  decidedBy: 'Decided by',
  cleared: 'no value',
  picture: 'a new picture',
  open: 'Open my page',
  reason: `You get this mail because ${company} manages the signature of your address ${to} with Signoff.`,
})

const german = (label: string, isApproved: boolean, company: string, to: string): DecisionTexts => ({
  subject: isApproved
    ? `Ihre Änderung wurde freigegeben: ${label}`
    : `Ihre Änderung wurde abgelehnt: ${label}`,
  intro: isApproved
    ? 'Die gewünschte Änderung steht jetzt in Ihrer E-Mail-Signatur. Kopieren Sie die Signatur selbst, kopieren Sie sie noch einmal von Ihrer Seite.'
    : 'Die gewünschte Änderung wurde nicht freigegeben. Ihre E-Mail-Signatur bleibt, wie sie ist.',
  field: 'Feld',
  asked: 'Ihr Wunsch',
  reasonGiven: 'Begründung',
  decidedBy: 'Entschieden von',
  cleared: 'kein Wert',
  picture: 'ein neues Bild',
  open: 'Meine Seite öffnen',
  reason: `Sie erhalten diese E-Mail, weil ${company} die Signatur Ihrer Adresse ${to} mit Signoff verwaltet.`,
})

/** `page` is the personal page of the reader; null when there is none. */
export const decisionMail =
  (change: ProfileChangeView, page: string | null) =>
  ({ company, language, nameOf }: MailContext): MailContent => {
    const { teammate, field, status, after_value, after_asset_id, reason, decided_by } = change
    const label = nameOf(field.label)
    const write = language === 'de' ? german : english
    const texts = write(label, status === 'approved', company, teammate.email)
    const newValue = after_asset_id === null ? after_value : texts.picture
    const facts = factsPart(
      [texts.field, label],
      [texts.asked, newValue === null ? texts.cleared : nameOf(newValue)],
      [texts.reasonGiven, reason],
      [texts.decidedBy, decided_by?.name ? nameOf(decided_by.name) : null],
    )
    const link: readonly MailPart[] = page === null ? [] : [linkPart(texts.open, page)]
    return {
      subject: texts.subject,
      title: texts.subject,
      parts: [paragraph(texts.intro), facts, ...link],
      reason: texts.reason,
    }
  }
