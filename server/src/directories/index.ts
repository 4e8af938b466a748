// Where people come from, and the kinds of integrations that can be connected. docs/internals/directories.md says how a
// source is added.
import type { Directories } from '#features/directories/index.ts'
import type { OnPeopleChange } from '#features/emails/index.ts'
import type { IntegrationKinds } from '#features/integrations/index.ts'
import { csvDirectory, csvKind } from './csv.ts'
import { googleDirectory } from './google/directory.ts'
import { googleKind } from './google/kind.ts'
import { scimDirectory, scimKind } from './scim.ts'
import { type WebhookKindDeps, webhookKind } from './webhook-kind.ts'

export interface SourceDeps {
  readonly onPeopleChange: OnPeopleChange
}

export const directorySources = (deps: SourceDeps): Directories =>
  new Map([googleDirectory, csvDirectory, scimDirectory(deps)].map(directory => [directory.kind, directory]))

export interface KindDeps extends WebhookKindDeps {
  readonly publicUrl: string
}

export const integrationKinds = (deps: KindDeps): IntegrationKinds =>
  new Map([googleKind, csvKind, scimKind(deps), webhookKind(deps)].map(kind => [kind.kind, kind]))
