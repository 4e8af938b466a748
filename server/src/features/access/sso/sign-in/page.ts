// The page that a browser shows when a sign-in is refused, in the look of the sign-in pages.
import { languageOf, type NoticeDocument, noticeDocument } from '#features/access/sign-in-pages/index.ts'
import type { RefusalCode } from '../refusal.ts'

type Texts = Readonly<Record<RefusalCode, string>>

const english: Texts = {
  unknown_connection: 'This workspace does not use this way to sign in.',
  no_attempt:
    'This sign-in was not started in this browser, is finished already, or took too long. Start it again.',
  provider_unreachable: 'The identity provider cannot be reached at the moment. Try again in a few minutes.',
  provider_refused: 'Your identity provider has refused the sign-in. Ask your administrator for access.',
  invalid_answer: 'The answer of the identity provider is not valid. Try again, or tell your administrator.',
  no_address: 'Your identity provider has sent no email address. Tell your administrator.',
  unverified_address: 'Your identity provider does not confirm your email address. Tell your administrator.',
  domain_not_allowed: 'People with an email address of this domain cannot sign in here.',
  not_a_member: 'You are not a member of this workspace. Ask an administrator to invite you.',
  address_linked: 'The member with your address signs in with another account. Tell your administrator.',
  owner_not_trusted:
    'The owner of the workspace cannot use this sign-in, because another member has set it up. Sign in another way.',
  invitation_needed:
    'You have an account here already. Accept the invitation to this workspace first: it comes by mail, or from an administrator.',
  other_account:
    'This browser is signed in as {email}. If you want to change the account, sign out first, and then start again.',
  no_role: 'None of your groups has access to this workspace. Ask your administrator.',
}

const german: Texts = {
  unknown_connection: 'Dieser Arbeitsbereich nutzt diesen Weg der Anmeldung nicht.',
  no_attempt:
    'Diese Anmeldung wurde nicht in diesem Browser begonnen, ist schon beendet oder hat zu lange gedauert. Beginnen Sie neu.',
  provider_unreachable:
    'Der Identitätsanbieter ist zurzeit nicht erreichbar. Versuchen Sie es in einigen Minuten wieder.',
  provider_refused:
    'Ihr Identitätsanbieter hat die Anmeldung abgelehnt. Bitten Sie Ihre Administration um Zugang.',
  invalid_answer:
    'Die Antwort des Identitätsanbieters ist nicht gültig. Versuchen Sie es noch einmal, oder wenden Sie sich an Ihre Administration.',
  no_address:
    'Ihr Identitätsanbieter hat keine E-Mail-Adresse gesendet. Wenden Sie sich an Ihre Administration.',
  unverified_address:
    'Ihr Identitätsanbieter bestätigt Ihre E-Mail-Adresse nicht. Wenden Sie sich an Ihre Administration.',
  domain_not_allowed: 'Mit einer E-Mail-Adresse dieser Domain ist hier keine Anmeldung möglich.',
  not_a_member: 'Sie sind nicht Mitglied dieses Arbeitsbereichs. Bitten Sie um eine Einladung.',
  address_linked:
    'Das Mitglied mit Ihrer Adresse meldet sich mit einem anderen Konto an. Wenden Sie sich an Ihre Administration.',
  owner_not_trusted:
    'Die Eigentümerin oder der Eigentümer des Arbeitsbereichs kann diese Anmeldung nicht nutzen, weil ein anderes Mitglied sie eingerichtet hat. Melden Sie sich auf einem anderen Weg an.',
  invitation_needed:
    'Sie haben hier bereits ein Konto. Nehmen Sie zuerst die Einladung in diesen Arbeitsbereich an: Sie kommt per E-Mail oder von der Administration.',
  other_account:
    'Dieser Browser ist als {email} angemeldet. Wenn Sie das Konto wechseln wollen, melden Sie sich zuerst ab, und beginnen Sie dann neu.',
  no_role: 'Keine Ihrer Gruppen hat Zugang zu diesem Arbeitsbereich. Wenden Sie sich an Ihre Administration.',
}

/** `language` is the header Accept-Language. */
export function refusalPage(
  { code, signedInAs }: { readonly code: RefusalCode; readonly signedInAs: string | null },
  requestId: string,
  language: unknown,
): NoticeDocument {
  const isGerman = languageOf(typeof language === 'string' ? language : undefined) === 'de'
  const [texts, title] = isGerman ? [german, 'Anmeldung abgelehnt'] : [english, 'Sign-in refused']
  const id = requestId.replace(/[^\w.:-]/g, '')
  const text = texts[code].replace('{email}', () => signedInAs ?? '')
  return noticeDocument(isGerman ? 'de' : 'en', { title, texts: [text], reference: `${code} · ${id}` })
}
