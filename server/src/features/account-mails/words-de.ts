import { factsPart, type LetterContext, type LetterPart, linkPart, paragraph } from '#kernel/mail.ts'
import type { Role } from '#kernel/scopes.ts'
import type { AccountMailData, AccountWords } from './kinds.ts'

const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Inhaber',
  admin: 'Administrator',
  manager: 'Manager',
  member: 'Mitglied',
}

const factorNames: Readonly<Record<AccountMailData['second_factor_changed']['factor'], string>> = {
  totp: 'Die Authenticator-App',
  passkey: 'Ein Passkey',
  recovery_codes: 'Wiederherstellungscodes',
}

type Origin = AccountMailData['new_sign_in']

const originFacts = ({ at, browser, network }: Origin, { dateOf, nameOf }: LetterContext): LetterPart =>
  factsPart(['Zeit', dateOf(at)], ['Browser', browser && nameOf(browser)], ['Netz', network])

const validOnce = (expiresAt: Date, { dateOf }: LetterContext): LetterPart =>
  paragraph(`Der Link gilt einmal, bis zum ${dateOf(expiresAt)}.`)

/** What to do when it was not the reader. */
const notYou = (steps: string, publicUrl: string): readonly LetterPart[] => [
  paragraph('Waren Sie das, ist nichts zu tun.'),
  paragraph(`Waren Sie das nicht, ${steps}`),
  linkPart('Signoff öffnen', publicUrl),
]

const changePassword = (company: string): string =>
  `melden Sie sich an, ändern Sie Ihr Passwort und melden Sie sich überall ab. Sagen Sie danach der Administration von ${company} Bescheid.`

const becauseOfAccount = (to: string): string =>
  `Sie erhalten diese Mail, weil es hier ein Konto mit der Adresse ${to} gibt. Mails zu seiner Sicherheit lassen sich nicht abbestellen.`

export const germanWords: AccountWords = {
  greeting: name => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  kinds: {
    invitation: ({ url, expiresAt, invitedBy, role }, context, { to }) => {
      const { company, nameOf } = context
      const inviter = invitedBy === null ? `Die Administration von ${company}` : nameOf(invitedBy)
      return {
        subject: `Einladung zu ${company}`,
        title: `Einladung zu ${company} auf Signoff`,
        parts: [
          paragraph(
            `${inviter} lädt Sie ein, mit Signoff an den E-Mail-Signaturen von ${company} zu arbeiten. Ihre Rolle: ${roleNames[role]}.`,
          ),
          linkPart('Einladung annehmen', url),
          validOnce(expiresAt, context),
          paragraph(
            `Kennen Sie ${company} nicht, oder haben Sie die Einladung nicht erwartet, tun Sie nichts: Sie werden erst Mitglied, wenn Sie sie annehmen.`,
          ),
        ],
        reason: `Sie erhalten diese Mail, weil Ihre Adresse ${to} in einer Einladung eingetragen wurde.`,
      }
    },
    sign_in_link: ({ url, expiresAt }, context, { to }) => ({
      subject: `Ihr Link zur Anmeldung bei ${context.company}`,
      title: 'Anmelden',
      parts: [
        paragraph(
          `Dieser Link meldet Sie als ${to} an. Öffnen Sie ihn in dem Browser, in dem Sie ihn angefordert haben; in einem anderen funktioniert er nicht.`,
        ),
        linkPart('Anmelden', url),
        validOnce(expiresAt, context),
        paragraph(
          'Haben Sie ihn nicht angefordert, tun Sie nichts. Ohne diese Mail lässt sich der Link nicht verwenden.',
        ),
      ],
      reason: `Sie erhalten diese Mail, weil Ihre Adresse ${to} auf der Anmeldeseite eingegeben wurde.`,
    }),
    password_reset: ({ url, expiresAt }, context, { to }) => ({
      subject: `Neues Passwort für ${context.company}`,
      title: 'Neues Passwort festlegen',
      parts: [
        paragraph(`Mit diesem Link legen Sie ein neues Passwort für Ihr Konto ${to} fest.`),
        linkPart('Neues Passwort festlegen', url),
        validOnce(expiresAt, context),
        paragraph('Haben Sie ihn nicht angefordert, tun Sie nichts: Ihr Passwort bleibt, wie es ist.'),
      ],
      reason: `Sie erhalten diese Mail, weil auf der Anmeldeseite ein neues Passwort für Ihre Adresse ${to} angefordert wurde.`,
    }),
    new_sign_in: (data, context, { to, publicUrl }) => ({
      subject: `Neue Anmeldung an Ihrem Konto bei ${context.company}`,
      title: 'Neue Anmeldung an Ihrem Konto',
      parts: [
        paragraph(
          `Ihr Konto ${to} wurde ${data.isBySso ? `über das Single Sign-on von ${context.company} ` : ''}in einem Browser verwendet, in dem es bisher nicht verwendet wurde.`,
        ),
        originFacts(data, context),
        ...notYou(
          data.isBySso
            ? `wenden Sie sich an die Administration von ${context.company}, und sichern Sie Ihr Konto beim Identitätsanbieter. Andere Arbeitsbereiche sind nicht betroffen.`
            : changePassword(context.company),
          publicUrl,
        ),
      ],
      reason: becauseOfAccount(to),
    }),
    password_changed: (data, context, { to, publicUrl }) => ({
      subject: `Ihr Passwort bei ${context.company} wurde geändert`,
      title: 'Ihr Passwort wurde geändert',
      parts: [
        paragraph(`Das Passwort Ihres Kontos ${to} wurde geändert. Alle anderen Browser wurden abgemeldet.`),
        originFacts(data, context),
        ...notYou(
          `fordern Sie auf der Anmeldeseite ein neues Passwort an. Sagen Sie danach der Administration von ${context.company} Bescheid.`,
          publicUrl,
        ),
      ],
      reason: becauseOfAccount(to),
    }),
    role_changed: ({ role, changedBy }, { company, nameOf }, { to, publicUrl }) => ({
      subject: `Ihre Rolle bei ${company} wurde geändert`,
      title: `Ihre Rolle ist jetzt: ${roleNames[role]}`,
      parts: [
        paragraph(
          `${changedBy === null ? `Die Administration von ${company}` : nameOf(changedBy)} hat Ihre Rolle bei ${company} geändert. Ab jetzt haben Sie die Rechte der Rolle „${roleNames[role]}“.`,
        ),
        paragraph(`Ist das ein Irrtum, fragen Sie die Administration von ${company}.`),
        linkPart('Signoff öffnen', publicUrl),
      ],
      reason: `Sie erhalten diese Mail, weil Sie mit der Adresse ${to} Mitglied von ${company} sind.`,
    }),
    second_factor_changed: (data, context, { to, publicUrl }) => {
      const factor = factorNames[data.factor]
      const verb = data.factor === 'recovery_codes' ? 'wurden' : 'wurde'
      const isNew = data.change === 'added'
      return {
        subject: `Ihre Wege zur Anmeldung bei ${context.company} wurden geändert`,
        title: `${factor} ${verb} ${isNew ? 'hinzugefügt' : 'entfernt'}`,
        parts: [
          paragraph(
            isNew
              ? `${factor} ${verb} Ihrem Konto ${to} hinzugefügt; eine Anmeldung damit ist jetzt möglich.`
              : `${factor} ${verb} von Ihrem Konto ${to} entfernt; eine Anmeldung damit ist nicht mehr möglich.`,
          ),
          originFacts(data, context),
          ...notYou(changePassword(context.company), publicUrl),
        ],
        reason: becauseOfAccount(to),
      }
    },
  },
}
