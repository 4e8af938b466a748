import type { Role } from '#kernel/api/scopes.ts'
import { factsPart, linkPart, type MailContext, type MailPart, paragraph } from '#kernel/base/mail.ts'
import type { AccountMailData, AccountMessages, MailReader } from './kinds.ts'

const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Inhaber',
  admin: 'Administrator',
  manager: 'Manager',
  member: 'Mitglied',
}

const factorNames: Readonly<Record<AccountMailData['second_factor_changed']['factor'], string>> = {
  totp: 'die Authenticator-App',
  passkey: 'ein Passkey',
  recovery_codes: 'Wiederherstellungscodes',
}

/** A sentence that begins with it. The text after the greeting, which ends with a comma, begins with a small letter. */
const capitalizedGerman = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The names of browsers are stored in English. */
const germanBrowser = (name: string): string =>
  name.replace('Unknown browser', 'Unbekannter Browser').replace(' on ', ' unter ')

type Origin = AccountMailData['new_sign_in']

const originFacts = ({ at, browser, network }: Origin, { dateOf, nameOf }: MailContext): MailPart =>
  factsPart(['Zeit', dateOf(at)], ['Browser', browser && nameOf(germanBrowser(browser))], ['Netz', network])

const validOnce = (expiresAt: Date, { dateOf }: MailContext): MailPart =>
  paragraph(`Der Link gilt einmal, bis zum ${dateOf(expiresAt)}.`)

/** Steps for a reader who did not do it. */
const notYou = (steps: string, button: MailPart): readonly MailPart[] => [
  paragraph('Waren Sie das, ist nichts zu tun.'),
  paragraph(`Waren Sie das nicht, ${steps}`),
  button,
]

const openAccount = (publicUrl: string): MailPart => linkPart('Ihr Konto öffnen', `${publicUrl}/account`)

const hostOf = ({ publicUrl }: MailReader): string => new URL(publicUrl).host

/** The person who can help the reader, in the dative and in the accusative. */
const tellHelper = ({ company }: MailContext, reader: MailReader): string =>
  reader.isOwner ? `dem Betreiber von ${hostOf(reader)}` : `der Administration von ${company}`
const askHelper = ({ company }: MailContext, reader: MailReader): string =>
  reader.isOwner ? `den Betreiber von ${hostOf(reader)}` : `die Administration von ${company}`

const changePassword = (context: MailContext, reader: MailReader): string =>
  `melden Sie sich an, ändern Sie Ihr Passwort und melden Sie sich überall ab. Sagen Sie danach ${tellHelper(context, reader)} Bescheid.`

/** The reader cannot sign in without a factor that another person has added. */
const removeFactor = ({ company }: MailContext, reader: MailReader): string =>
  `können Sie sich möglicherweise nicht mehr anmelden: Bitten Sie ${reader.isOwner ? '' : `die Administration von ${company} oder `}den Betreiber von ${hostOf(reader)}, das zu entfernen. Ändern Sie danach Ihr Passwort.`

const becauseOfAccount = (to: string): string =>
  `Sie erhalten diese E-Mail, weil es hier ein Konto mit der Adresse ${to} gibt. E-Mails zu seiner Sicherheit lassen sich nicht abbestellen.`

const variantNames = { reply: 'für Antworten', internal: 'für interne E-Mails' } as const

type Requested = AccountMailData['publication_requested' | 'publication_decided']

/** The name that people have given the signature, in quotes. */
const signatureOf = ({ signature, variant }: Requested, { nameOf }: MailContext): string =>
  `„${nameOf(signature)}“${variant === null ? '' : ` (die Variante ${variantNames[variant]})`}`

export const germanMessages: AccountMessages = {
  greeting: name => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  kinds: {
    invitation: ({ url, expiresAt, invitedBy, role }, context, reader) => {
      const { company, nameOf } = context
      const { to } = reader
      const sender =
        role === 'owner' ? `der Betreiber von ${hostOf(reader)}` : `die Administration von ${company}`
      const inviter = invitedBy === null ? sender : nameOf(invitedBy)
      return {
        subject: `Einladung zu ${company}`,
        title: `Einladung zu ${company}`,
        parts: [
          paragraph(
            `${inviter} lädt Sie ein, mit Signoff an den E-Mail-Signaturen von ${company} zu arbeiten. Ihre Rolle: ${roleNames[role]}.`,
          ),
          linkPart('Einladung annehmen', url),
          validOnce(expiresAt, context),
          paragraph(
            `Kennen Sie ${company} nicht, oder haben Sie die Einladung nicht erwartet, tun Sie nichts: Die Einladung verfällt von selbst.`,
          ),
        ],
        reason: `Sie erhalten diese E-Mail, weil Ihre Adresse ${to} in einer Einladung eingetragen wurde.`,
      }
    },
    sign_in_link: ({ url, expiresAt }, context, { to }) => ({
      subject: `Ihr Link zur Anmeldung bei ${context.company}`,
      title: 'Anmelden',
      parts: [
        paragraph(
          `dieser Link meldet Sie als ${to} an. Öffnen Sie ihn in dem Browser, in dem Sie ihn angefordert haben; in einem anderen funktioniert er nicht.`,
        ),
        linkPart('Anmelden', url),
        validOnce(expiresAt, context),
        paragraph(
          'Haben Sie ihn nicht angefordert, tun Sie nichts. Ohne diese E-Mail lässt sich der Link nicht verwenden.',
        ),
      ],
      reason: `Sie erhalten diese E-Mail, weil Ihre Adresse ${to} auf der Anmeldeseite eingegeben wurde.`,
    }),
    password_reset: ({ url, expiresAt }, context, { to }) => ({
      subject: `Neues Passwort für ${context.company}`,
      title: 'Neues Passwort festlegen',
      parts: [
        paragraph(`mit diesem Link legen Sie ein neues Passwort für Ihr Konto ${to} fest.`),
        linkPart('Neues Passwort festlegen', url),
        validOnce(expiresAt, context),
        paragraph('Haben Sie ihn nicht angefordert, tun Sie nichts: Ihr Passwort bleibt, wie es ist.'),
      ],
      reason: `Sie erhalten diese E-Mail, weil auf der Anmeldeseite ein neues Passwort für Ihre Adresse ${to} angefordert wurde.`,
    }),
    new_sign_in: (data, context, reader) => ({
      subject: `Neue Anmeldung an Ihrem Konto bei ${context.company}`,
      title: 'Neue Anmeldung an Ihrem Konto',
      parts: [
        paragraph(
          `Ihr Konto ${reader.to} wurde ${data.isBySso ? `über das Single Sign-on von ${context.company} ` : ''}in einem Browser verwendet, in dem es bisher nicht verwendet wurde.`,
        ),
        originFacts(data, context),
        ...notYou(
          data.isBySso
            ? `wenden Sie sich an die Administration von ${context.company}, und sichern Sie Ihr Konto beim Identitätsanbieter. Andere Arbeitsbereiche sind nicht betroffen.`
            : changePassword(context, reader),
          openAccount(reader.publicUrl),
        ),
      ],
      reason: becauseOfAccount(reader.to),
    }),
    password_changed: (data, context, reader) => ({
      subject: `Ihr Passwort bei ${context.company} wurde geändert`,
      title: 'Ihr Passwort wurde geändert',
      parts: [
        paragraph(
          `das Passwort Ihres Kontos ${reader.to} wurde geändert. Alle anderen Browser wurden abgemeldet.`,
        ),
        originFacts(data, context),
        ...notYou(
          `fordern Sie einen Link für ein neues Passwort an. Sagen Sie danach ${tellHelper(context, reader)} Bescheid.`,
          linkPart('Neues Passwort anfordern', `${reader.publicUrl}/forgot`),
        ),
      ],
      reason: becauseOfAccount(reader.to),
    }),
    role_changed: ({ role, changedBy }, context, reader) => ({
      subject: `Ihre Rolle bei ${context.company} wurde geändert`,
      title: `Ihre Rolle ist jetzt: ${roleNames[role]}`,
      parts: [
        paragraph(
          `${changedBy === null ? `der Betreiber von ${hostOf(reader)}` : context.nameOf(changedBy)} hat Ihre Rolle bei ${context.company} geändert. Ab jetzt haben Sie die Rechte der Rolle „${roleNames[role]}“.`,
        ),
        paragraph(`Ist das ein Irrtum, fragen Sie ${askHelper(context, reader)}.`),
        openAccount(reader.publicUrl),
      ],
      reason: `Sie erhalten diese E-Mail, weil Sie mit der Adresse ${reader.to} Mitglied von ${context.company} sind.`,
    }),
    second_factor_changed: (data, context, reader) => {
      const { to, publicUrl } = reader
      const factor = factorNames[data.factor]
      const verb = data.factor === 'recovery_codes' ? 'wurden' : 'wurde'
      const isNew = data.change === 'added'
      const steps = isNew && data.factor !== 'recovery_codes' ? removeFactor : changePassword
      return {
        subject: `Ihre Wege zur Anmeldung bei ${context.company} wurden geändert`,
        title: `${capitalizedGerman(factor)} ${verb} ${isNew ? 'hinzugefügt' : 'entfernt'}`,
        parts: [
          paragraph(
            isNew
              ? `${factor} ${verb} Ihrem Konto ${to} hinzugefügt; eine Anmeldung damit ist jetzt möglich.`
              : `${factor} ${verb} von Ihrem Konto ${to} entfernt; eine Anmeldung damit ist nicht mehr möglich.`,
          ),
          originFacts(data, context),
          ...notYou(steps(context, reader), openAccount(publicUrl)),
        ],
        reason: becauseOfAccount(to),
      }
    },
    publication_requested: (data, context, { publicUrl, to }) => ({
      subject: `Eine Signatur von ${context.company} wartet auf Ihre Freigabe`,
      title: 'Eine Signatur wartet auf Freigabe',
      parts: [
        paragraph(
          `${data.requestedBy === null ? 'ein Manager' : context.nameOf(data.requestedBy)} möchte die Signatur ${signatureOf(data, context)} veröffentlichen. Sie gilt, sobald ein Inhaber oder Administrator sie freigibt.`,
        ),
        linkPart('Anfrage ansehen', `${publicUrl}/approvals`),
      ],
      reason: `Sie erhalten diese E-Mail, weil Sie mit der Adresse ${to} Inhaber oder Administrator von ${context.company} sind.`,
    }),
    publication_decided: (data, context, { publicUrl, to }) => ({
      subject: `Ihre Signatur bei ${context.company} wurde ${data.isApproved ? 'freigegeben' : 'nicht freigegeben'}`,
      title: data.isApproved ? 'Ihre Signatur gilt jetzt' : 'Ihre Signatur wurde nicht freigegeben',
      parts: [
        paragraph(
          `${data.decidedBy === null ? `die Administration von ${context.company}` : context.nameOf(data.decidedBy)} hat die Veröffentlichung der Signatur ${signatureOf(data, context)} ${data.isApproved ? 'freigegeben. Die Postfächer werden im Hintergrund aktualisiert.' : 'abgelehnt. Der Entwurf bleibt, wie er ist.'}`,
        ),
        ...(data.reason === null ? [] : [factsPart(['Grund', context.nameOf(data.reason)])]),
        linkPart('Signatur öffnen', `${publicUrl}/signatures/${data.signatureId}`),
      ],
      reason: `Sie erhalten diese E-Mail, weil Sie als Mitglied von ${context.company} mit der Adresse ${to} um die Veröffentlichung dieser Signatur gebeten haben.`,
    }),
  },
}
