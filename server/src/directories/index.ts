// Where people come from, and the kinds of integrations that can be connected. docs/internals/directories.md says how a
// source is added.
import type { Directories } from '#features/directories/index.ts'
import type { IntegrationKinds } from '#features/integrations/index.ts'
import { csvDirectory, csvKind } from './csv.ts'
import { googleDirectory } from './google/directory.ts'
import { googleKind } from './google/kind.ts'
import { microsoftDirectory } from './microsoft/directory.ts'
import { microsoftKind } from './microsoft/kind.ts'
import { type WebhookKindDeps, webhookKind } from './webhook-kind.ts'

export const directorySources = (): Directories =>
  new Map([googleDirectory, microsoftDirectory, csvDirectory].map(directory => [directory.kind, directory]))

export const integrationKinds = (deps: WebhookKindDeps): IntegrationKinds =>
  new Map([googleKind, microsoftKind, csvKind, webhookKind(deps)].map(kind => [kind.kind, kind]))
