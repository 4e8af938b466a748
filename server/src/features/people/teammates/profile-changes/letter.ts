import {
  factsPart,
  linkPart,
  type MailContent,
  type MailContext,
  type MailPart,
  paragraph,
} from '#kernel/base/mail.ts'
import type { ProfileChangeView } from './queries.ts'

interface DecisionWords {
  readonly subject: string
  readonly intro: string
  readonly field: string
  readonly wanted: string
  readonly reasonGiven: string
  readonly decidedBy: string
  readonly cleared: string
  readonly picture: string
  readonly open: string
  readonly reason: string
}

const english = (label: string, isApproved: boolean, company: string, to: string): DecisionWords => ({
  subject: isApproved ? `Your change was approved: ${label}` : `Your change was not approved: ${label}`,
  intro: isApproved
    ? 'The change that you asked for is in your email signature now. If you copy the signature yourself, copy it again from your page.'
    : 'The change that you asked for was not approved. Your email signature stays as it is.',
  field: 'Field',
  wanted: 'You asked for',
  reasonGiven: 'Reason',
  decidedBy: 'Decided by',
  cleared: 'no value',
  picture: 'a new picture',
  open: 'Open my page',
  reason: `You get this mail because ${company} manages the signature of your address ${to} with Signoff.`,
})

const german = (label: string, isApproved: boolean, company: string, to: string): DecisionWords => ({
  subject: isApproved
    ? `Ihre Änderung wurde freigegeben: ${label}`
    : `Ihre Änderung wurde abgelehnt: ${label}`,
  intro: isApproved
    ? 'Die gewünschte Änderung steht jetzt in Ihrer E-Mail-Signatur. Kopieren Sie die Signatur selbst, kopieren Sie sie noch einmal von Ihrer Seite.'
    : 'Die gewünschte Änderung wurde nicht freigegeben. Ihre E-Mail-Signatur bleibt, wie sie ist.',
  field: 'Feld',
  wanted: 'Ihr Wunsch',
  reasonGiven: 'Begründung',
  decidedBy: 'Entschieden von',
  cleared: 'kein Wert',
  picture: 'ein neues Bild',
  open: 'Meine Seite öffnen',
  reason: `Sie erhalten diese E-Mail, weil ${company} die Signatur Ihrer Adresse ${to} mit Signoff verwaltet.`,
})

/** `page` is the personal page of the reader; null when there is none. */
export const decisionLetter =
  (change: ProfileChangeView, page: string | null) =>
  ({ company, language, nameOf }: MailContext): MailContent => {
    const { teammate, field, status, after_value, after_asset_id, reason, decided_by } = change
    const label = nameOf(field.label)
    const write = language === 'de' ? german : english
    const words = write(label, status === 'approved', company, teammate.email)
    const wanted = after_asset_id === null ? after_value : words.picture
    const facts = factsPart(
      [words.field, label],
      [words.wanted, wanted === null ? words.cleared : nameOf(wanted)],
      [words.reasonGiven, reason],
      [words.decidedBy, decided_by?.name ? nameOf(decided_by.name) : null],
    )
    const link: readonly MailPart[] = page === null ? [] : [linkPart(words.open, page)]
    return {
      subject: words.subject,
      title: words.subject,
      parts: [paragraph(words.intro), facts, ...link],
      reason: words.reason,
    }
  }
