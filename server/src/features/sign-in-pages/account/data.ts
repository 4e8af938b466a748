// What the account page shows, in the form of the API's answers.

export interface AccountSession {
  readonly id: string
  readonly browser: string
  readonly is_current: boolean
  readonly created_at: string
  readonly last_used_at: string
}

export interface AccountPasskey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export interface AccountWorkspace {
  readonly id: string
  readonly name: string
  readonly role: string
}

export interface AccountContent {
  readonly name: string
  readonly email: string
  readonly locale: string | null
  readonly hasPassword: boolean
  readonly hasTotp: boolean
  readonly recoveryCodesLeft: number
  readonly passkeys: readonly AccountPasskey[]
  readonly sessions: readonly AccountSession[]
  readonly workspaces: readonly AccountWorkspace[]
  readonly workspaceId: string | null
}
