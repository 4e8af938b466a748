// Where people come from, and the kinds of integrations that can be connected. docs/internals/directories.md says how a
// source is added.
import type { Directories } from '#features/directories/index.ts'
import type { IntegrationKinds } from '#features/integrations/index.ts'
import { csvDirectory, csvKind } from './csv.ts'
import { googleDirectory } from './google/directory.ts'
import { googleKind } from './google/kind.ts'
import { ldapDirectory } from './ldap/directory.ts'
import { ldapKind } from './ldap/kind.ts'
import { type WebhookKindDeps, webhookKind } from './webhook-kind.ts'

export const directorySources = (): Directories =>
  new Map([googleDirectory, ldapDirectory, csvDirectory].map(directory => [directory.kind, directory]))

export const integrationKinds = (deps: WebhookKindDeps): IntegrationKinds =>
  new Map([googleKind, ldapKind, csvKind, webhookKind(deps)].map(kind => [kind.kind, kind]))
