// What sign-in needs from the features above it, and how a person came in.
import type { EnqueueAccountMail } from '#features/workspace/account-mails/index.ts'
import type { Db } from '#kernel/db/db.ts'

export type SecondFactor = 'totp' | 'passkey'

/** The way in which a person signed in. */
export interface WayIn {
  readonly method: 'password' | 'link' | 'passkey' | 'oidc' | 'saml' | 'setup' | 'invitation' | 'operator'
  /** Single sign-on: the workspace whose connection signed the person in. */
  readonly workspaceId?: string
  /** Single sign-on: the connection. */
  readonly connectionId?: string
  /** A passkey with user verification, or single sign-on: no second factor is asked for. */
  readonly hasSecondFactor: boolean
}

/** Demands of the workspaces of an account on its sessions. */
export interface SignInPolicy {
  /** Ids of workspaces that the account can use only after single sign-on by them. */
  readonly ssoOnlyWorkspaces: readonly string[]
  /** Ids of workspaces that the account can use only in a session with a second factor. */
  readonly secondFactorWorkspaces: readonly string[]
}

export interface AccessDeps {
  readonly publicUrl: string
  readonly sendsMail: boolean
  /** Enqueues a mail in the transaction of the caller. Without a mail server it does nothing. */
  readonly enqueueAccountMail: EnqueueAccountMail
  readonly signInPolicyOf: (tx: Db, accountId: string) => Promise<SignInPolicy>
  /** The second factors that the account has. */
  readonly secondFactorsOf: (tx: Db, accountId: string) => Promise<readonly SecondFactor[]>
}
