// Where people come from, and the kinds of integrations that can be connected. docs/internals/directories.md says how a
// source is added.

import type { TokenDeps } from '#features/delivery/outlook/index.ts'
import type { Directories, Directory } from '#features/people/directories/index.ts'
import type { OnPeopleChange } from '#features/workspace/emails/index.ts'
import type { IntegrationKind, IntegrationKinds } from '#features/workspace/integrations/index.ts'
import { csvDirectory, csvKind } from './csv.ts'
import { googleDirectory } from './google/directory.ts'
import { googleKind } from './google/kind.ts'
import { ldapDirectory, ldapKind } from './ldap/kind.ts'
import { microsoftDirectory } from './microsoft/directory.ts'
import { microsoftKind } from './microsoft/kind.ts'
import { scimDirectory, scimKind } from './scim.ts'
import { type WebhookKindDeps, webhookKind } from './webhook-kind.ts'

export interface SourceDeps {
  readonly onPeopleChange: OnPeopleChange
}

export function directorySources(deps: SourceDeps): Directories {
  const sources: readonly Directory[] = [
    googleDirectory,
    microsoftDirectory,
    ldapDirectory,
    scimDirectory(deps),
    csvDirectory,
  ]
  return new Map(sources.map(directory => [directory.kind, directory]))
}

export interface KindDeps extends WebhookKindDeps, TokenDeps {}

export function integrationKinds(deps: KindDeps): IntegrationKinds {
  const kinds: readonly IntegrationKind[] = [
    googleKind,
    microsoftKind(deps),
    ldapKind,
    scimKind(deps),
    csvKind,
    webhookKind(deps),
  ]
  return new Map(kinds.map(kind => [kind.kind, kind]))
}
