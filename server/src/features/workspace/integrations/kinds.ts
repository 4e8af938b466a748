// What the API, the command line and the test of a connection need to know about a kind of integration.
import type { TObject } from 'typebox'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'

export const capabilities = ['directory', 'channel'] as const
export type Capability = (typeof capabilities)[number]

/** One permission or setting that was tried. */
export interface TestStep {
  readonly name: string
  readonly ok: boolean
  readonly message: string
  /** Remedy when it failed; null when it worked. */
  readonly remedy: string | null
}

/** An integration with its opened secret. */
export interface OpenIntegration {
  readonly workspaceId: string
  readonly id: string
  readonly kind: string
  readonly capabilities: readonly Capability[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly secret: string | null
}

export interface AcceptedIntegration {
  /** As they are stored, and shown by the API. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Stored encrypted. Undefined keeps the stored one; null has none. */
  readonly secret?: string | null
  /** Shown once, in the answer that creates the integration. */
  readonly reveals?: Readonly<Partial<Record<RevealedName, string>>>
}

type RevealedName = 'signing_secret' | 'deployment_token' | 'manifest_url' | 'base_url' | 'next_step'

export interface SentIntegration {
  readonly capabilities: readonly Capability[]
  readonly settings: Readonly<Record<string, unknown>>
  /** Null when the request sends none. */
  readonly secret: Readonly<Record<string, unknown>> | null
  /** False when an integration is changed: `secret` can be missing. */
  readonly isNew: boolean
  /** True if a secret is stored. */
  readonly hasSecret: boolean
  /** The stored secret; null when there is none. Rejects when it cannot be opened. */
  readonly openSecret: () => Promise<string | null>
  /** Settings of an integration that is changed. */
  readonly storedSettings: Readonly<Record<string, unknown>>
  /** The command line can name addresses of the own network; the API cannot. */
  readonly isOperator: boolean
  /** The names of the settings that the request itself sends; the others of a change are stored ones. */
  readonly sentNames: ReadonlySet<string>
  readonly workspaceId: string
}

interface SavedIntegration extends Pick<OpenIntegration, 'id' | 'capabilities'> {
  /** The names of the settings that the request itself sends. */
  readonly sentNames: ReadonlySet<string>
}

export interface IntegrationKind {
  readonly kind: string
  /** As people call it; the default of `name`. */
  readonly title: string
  /** Only the command line connects it: its settings name hosts of the own network. */
  readonly isOperatorOnly?: boolean
  /** A workspace has one of this kind at most. */
  readonly isSingle?: boolean
  /** Every run reads a file that was applied, so other settings start none. */
  readonly readsFiles?: boolean
  /** Capabilities that it offers. */
  readonly capabilities: readonly Capability[]
  /** Capabilities unless the request says otherwise; `settings` as they were sent. */
  readonly defaultCapabilities:
    | readonly Capability[]
    | ((settings: Readonly<Record<string, unknown>>) => readonly Capability[])
  /** Closed. For a directory it includes `directorySettings`. */
  readonly settings: TObject
  /** Settings that only the operator can set, by the command line; API clients cannot change them. */
  readonly operatorSettings?: TObject
  /** Null: it has no secret. */
  readonly secret: TObject | null
  readonly dashboardUrl: string | null
  /** Checks what the schemas cannot express; throws `invalid(…)`. `settings` match the schema. */
  accept(sent: SentIntegration, db: Db): AcceptedIntegration | Promise<AcceptedIntegration>
  /**
   * Runs in the transaction that creates or changes an integration, after its row is written. Returns what is shown once
   * in the answer that creates it.
   */
  onSave?(tx: Db, by: Caller, integration: SavedIntegration): Promise<AcceptedIntegration['reveals']>
  /** Tries every permission that the capabilities need. Ends within 30 s. */
  test(integration: OpenIntegration, db: Db): Promise<readonly TestStep[]>
}

export type IntegrationKinds = ReadonlyMap<string, IntegrationKind>
