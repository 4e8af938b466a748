// The texts of the task pane. English decides which texts exist.
import type { KindOfMail } from '../launch/kinds.ts'
import type { ExplainedReason } from '../wire.ts'

type Carried = 'same' | 'variant' | 'hidden'

const english = {
  title: 'Your signature',
  loading: 'Looking up your signature …',
  from: 'Sending from',
  kind: {
    new: 'This is a new mail.',
    reply: 'This is a reply or a forwarded mail.',
    internal: 'This mail goes to your own company only.',
  } satisfies Record<KindOfMail, string> as Record<KindOfMail, string>,
  preview: 'The signature of this mail',
  hidden: 'Mails of this kind carry no signature.',
  insert: 'Insert again',
  inserting: 'Inserting …',
  inserted: 'The signature is in your mail.',
  cleared: 'Mails of this kind carry no signature. There is none in your mail now.',
  kept: 'Outlook keeps the signature that is in the mail. Delete it there, then insert again.',
  insertFailed: 'Outlook did not accept the signature.',
  insertLong: 'The signature is too long for Outlook and was inserted as plain text.',
  why: 'Why this one?',
  onlyOne: 'It is the only signature for this address.',
  first: 'It comes first among the signatures for this address.',
  reason: {
    first: (_chosen: string) => 'Chosen',
    same_priority: (chosen: string) => `“${chosen}” has the same place and is older.`,
    later: (chosen: string) => `“${chosen}” comes first.`,
    never_published: (_chosen: string) => 'It was never published.',
    switched_off: (_chosen: string) => 'It is switched off.',
  } satisfies Record<ExplainedReason, (chosen: string) => string> as Record<
    ExplainedReason,
    (chosen: string) => string
  >,
  others: 'All signatures for this address',
  mails: 'What your mails carry',
  newMails: 'New mails',
  replies: 'Replies, forwarded mails',
  internalMails: 'Mails inside the company',
  carried: {
    same: 'this signature',
    variant: 'a version of their own',
    hidden: 'no signature',
  } satisfies Record<Carried, string> as Record<Carried, string>,
  campaign: 'Banner',
  published: 'Published',
  none: 'No signature for this address',
  noneText:
    'No signature of your company reaches this address, so your mails stay as they are. Ask an admin if you should have one.',
  unknown: 'This address is not known',
  unknownText: 'An admin can add the address in Signoff. Until then your mails stay as they are.',
  away: 'The service cannot be reached',
  awayStored: 'Your mails get the signature that was stored last. Check the connection and try again.',
  awayEmpty: 'Until it answers, your mails stay as they are. Check the connection and try again.',
  refused: 'The service refused the add-in',
  refusedText: 'Your company has probably renewed the add-in. Ask an admin to install the new one.',
  noToken: 'Outlook could not sign you in',
  noTokenText: 'Sign in to Outlook again. If that does not help, tell an admin. Your mails stay as they are.',
  again: 'Try again',
}

export type PaneTexts = typeof english

const german: PaneTexts = {
  title: 'Ihre Signatur',
  loading: 'Ihre Signatur wird gesucht …',
  from: 'Absender',
  kind: {
    new: 'Das ist eine neue E-Mail.',
    reply: 'Das ist eine Antwort oder Weiterleitung.',
    internal: 'Diese E-Mail geht nur an Ihr Unternehmen.',
  },
  preview: 'Die Signatur dieser E-Mail',
  hidden: 'E-Mails dieser Art haben keine Signatur.',
  insert: 'Erneut einfügen',
  inserting: 'Wird eingefügt …',
  inserted: 'Die Signatur ist in Ihrer E-Mail.',
  cleared: 'E-Mails dieser Art haben keine Signatur. Ihre E-Mail hat jetzt keine.',
  kept: 'Outlook behält die Signatur, die in der E-Mail steht. Löschen Sie sie dort und fügen Sie sie erneut ein.',
  insertFailed: 'Outlook hat die Signatur nicht angenommen.',
  insertLong: 'Die Signatur ist zu lang für Outlook und wurde als reiner Text eingefügt.',
  why: 'Warum diese?',
  onlyOne: 'Sie ist die einzige Signatur für diese Adresse.',
  first: 'Sie steht an erster Stelle der Signaturen für diese Adresse.',
  reason: {
    first: () => 'Ausgewählt',
    same_priority: chosen => `„${chosen}“ hat denselben Rang und ist älter.`,
    later: chosen => `„${chosen}“ steht davor.`,
    never_published: () => 'Sie wurde nie veröffentlicht.',
    switched_off: () => 'Sie ist ausgeschaltet.',
  },
  others: 'Alle Signaturen für diese Adresse',
  mails: 'Was Ihre E-Mails enthalten',
  newMails: 'Neue E-Mails',
  replies: 'Antworten, Weiterleitungen',
  internalMails: 'E-Mails im Unternehmen',
  carried: { same: 'diese Signatur', variant: 'eine eigene Fassung', hidden: 'keine Signatur' },
  campaign: 'Banner',
  published: 'Veröffentlicht',
  none: 'Keine Signatur für diese Adresse',
  noneText:
    'Keine Signatur Ihres Unternehmens gilt für diese Adresse. Ihre E-Mails bleiben, wie sie sind. Fragen Sie einen Admin, wenn Sie eine haben sollten.',
  unknown: 'Diese Adresse ist nicht bekannt',
  unknownText: 'Ein Admin kann die Adresse in Signoff anlegen. Bis dahin bleiben Ihre E-Mails, wie sie sind.',
  away: 'Der Dienst ist nicht erreichbar',
  awayStored:
    'Ihre E-Mails erhalten die zuletzt gespeicherte Signatur. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  awayEmpty:
    'Bis er antwortet, bleiben Ihre E-Mails, wie sie sind. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  refused: 'Der Dienst hat das Add-in abgelehnt',
  refusedText:
    'Vermutlich hat Ihr Unternehmen das Add-in erneuert. Bitten Sie einen Admin, das neue zu installieren.',
  noToken: 'Outlook konnte Sie nicht anmelden',
  noTokenText:
    'Melden Sie sich in Outlook neu an. Hilft das nicht, sagen Sie es einem Admin. Ihre E-Mails bleiben, wie sie sind.',
  again: 'Erneut versuchen',
}

export interface PaneLanguage {
  readonly language: 'en' | 'de'
  readonly texts: PaneTexts
}

export const paneLanguageOf = (displayLanguage: string | undefined): PaneLanguage =>
  displayLanguage?.toLowerCase().startsWith('de')
    ? { language: 'de', texts: german }
    : { language: 'en', texts: english }
