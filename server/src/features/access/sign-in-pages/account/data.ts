// What the account page shows, in the form of the API's answers.
import type { OwnWorkspace } from '../entry/workspaces.ts'

export interface AccountSession {
  readonly id: string
  readonly browser: string
  readonly network: string
  readonly current: boolean
  readonly created_at: string
  readonly last_used_at: string
}

export interface AccountPasskey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export interface AccountFactors {
  readonly totp: { readonly enabled: boolean }
  readonly passkeys: readonly AccountPasskey[]
  readonly recovery_codes: { readonly remaining: number }
}

export interface AccountContent {
  readonly name: string
  readonly email: string
  readonly locale: string | null
  /** The person's own ways to sign in; null for a session of single sign-on, which must not see them. */
  readonly own: { readonly hasPassword: boolean; readonly factors: AccountFactors } | null
  readonly sessions: readonly AccountSession[]
  readonly workspaces: readonly OwnWorkspace[]
  readonly workspaceId: string | null
}
