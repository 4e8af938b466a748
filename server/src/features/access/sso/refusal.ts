// Why a sign-in through an identity provider is refused: the codes of the page and of the connection's last refusal.
import { ProviderUnreachable } from './outgoing.ts'

/** Each with what an administrator or the person can do. */
export const refusalCodes = {
  unknown_connection: 'This workspace has no such identity provider, or it is switched off.',
  no_attempt: 'This sign-in was not started in this browser, is finished, or took longer than 10 minutes.',
  provider_unreachable: 'The identity provider cannot be reached.',
  provider_refused: 'The identity provider has refused the sign-in.',
  invalid_answer: 'The answer of the identity provider is not valid.',
  no_address: 'The identity provider has sent no email address.',
  unverified_address: 'The identity provider does not confirm the email address.',
  domain_not_allowed: 'The domain of the email address is not allowed.',
  not_a_member: 'This person is not a member of the workspace.',
  address_linked: 'The member with this address signs in with another account of the identity provider.',
  owner_not_trusted:
    'The owner signs in only through a connection that the owner or the operator has set up: see owner_trusted.',
  invitation_needed:
    'This person has an account already: the invitation to this workspace must be accepted before the sign-in.',
  other_account:
    'This browser is signed in as another account: a sign-in by single sign-on does not replace its session.',
  no_role: 'None of the groups of this person has a role, and there is no default role.',
} as const

export type RefusalCode = keyof typeof refusalCodes

/** As administrators and the log read it. */
export interface Refusal {
  readonly code: RefusalCode
  /** The text of the code, and what exactly is wrong. */
  readonly message: string
}

/** `problem` is for administrators and the log; the person sees the text of the code. */
export class SignInRefused extends Error {
  readonly code: RefusalCode
  /** With `other_account`: the address of the account that the browser uses. For this browser alone. */
  readonly signedInAs: string | null

  constructor(code: RefusalCode, problem: string = refusalCodes[code], signedInAs: string | null = null) {
    super(problem)
    this.code = code
    this.signedInAs = signedInAs
  }
}

/** A provider can write anything into its answers. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
    .toWellFormed()

/** Undefined for an error of another kind. */
export function signInRefusalOf(error: unknown): Refusal | undefined {
  const isUnreachable = error instanceof ProviderUnreachable
  if (!isUnreachable && !(error instanceof SignInRefused)) return undefined
  const code = isUnreachable ? 'provider_unreachable' : error.code
  const text = refusalCodes[code]
  return { code, message: error.message === text ? text : `${text} ${oneLine(error.message)}` }
}

export const refuse = (code: RefusalCode, problem?: string): never => {
  throw new SignInRefused(code, problem)
}
