// The mails that accounts get, and what each of them says.

import type { Role } from '#kernel/api/scopes.ts'
import type { MailContent, MailContext, MailLanguage } from '#kernel/base/mail.ts'
import type { Db } from '#kernel/db/db.ts'

/** A link that lets its reader in. It is not mailed after it has expired. */
interface OneTimeLink {
  readonly url: string
  readonly expiresAt: Date
}

/** From where a change was made, for the reader to recognise. */
interface Origin {
  readonly at: Date
  /** Such as `Firefox on Windows`; null where it is unknown. */
  readonly browser: string | null
  /** The client: an IPv4 address, or the first 64 bits of an IPv6 address; null where it is unknown. */
  readonly network: string | null
}

interface RequestedSignature {
  /** The name of the signature. */
  readonly signature: string
  /** Null: the signature itself. */
  readonly variant: 'reply' | 'internal' | null
}

export interface AccountMailData {
  readonly invitation: OneTimeLink & {
    /** The member who invites; null at the command line. */
    readonly invitedBy: string | null
    readonly role: Role
  }
  readonly sign_in_link: OneTimeLink
  readonly password_reset: OneTimeLink
  readonly new_sign_in: Origin & {
    /** By single sign-on of the workspace in whose name the mail is sent. */
    readonly isBySso?: boolean
  }
  readonly password_changed: Origin
  readonly role_changed: {
    readonly role: Role
    /** The member who changed it; null at the command line. */
    readonly changedBy: string | null
  }
  readonly second_factor_changed: Origin & {
    readonly factor: 'totp' | 'passkey' | 'recovery_codes'
    readonly change: 'added' | 'removed'
  }
  readonly publication_requested: RequestedSignature & {
    /** Null where the name is unknown. */
    readonly requestedBy: string | null
  }
  readonly publication_decided: RequestedSignature & {
    readonly signatureId: string
    readonly isApproved: boolean
    readonly decidedBy: string | null
    readonly reason: string | null
  }
}
export type AccountMailKind = keyof AccountMailData

export interface AccountMail<Kind extends AccountMailKind = AccountMailKind> {
  readonly to: string
  /** The name of the reader. */
  readonly name: string
  /** The language that the account has chosen; null: that of the workspace. */
  readonly locale: MailLanguage | null
  /**
   * The workspace in whose name the mail is sent. Null where the mail concerns the account alone: then it is the
   * workspace that the reader used last, or the only one.
   */
  readonly workspaceId: string | null
  readonly data: AccountMailData[Kind]
}

/** Run this in the transaction of the change. Without a mail server it does nothing. */
export type EnqueueAccountMail = <Kind extends AccountMailKind>(
  tx: Db,
  kind: Kind,
  mail: AccountMail<Kind>,
) => Promise<void>

/** Names for sentences. Names that people have chosen are safe for a sentence already. */
export interface MailReader {
  readonly to: string
  readonly name: string
  readonly publicUrl: string
  /** An owner has no administrator to ask: the operator of the installation helps. */
  readonly isOwner: boolean
}

/** A mail without its greeting, which is the same in all of them. */
type WriteBody<Kind extends AccountMailKind> = (
  data: AccountMailData[Kind],
  context: MailContext,
  reader: MailReader,
) => MailContent

export interface AccountMessages {
  readonly greeting: (name: string) => string
  readonly kinds: { readonly [Kind in AccountMailKind]: WriteBody<Kind> }
}
