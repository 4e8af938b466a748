// The systems that a workspace can connect. CONTRIBUTING.md says how a directory or a channel is added.
import type { ChannelName, PushChannels } from '#features/delivery/installations/index.ts'
import type { Directories } from '#features/people/directories/index.ts'
import type { IntegrationKinds } from '#features/workspace/integrations/index.ts'
import type { ChannelDeps, Connector, KindDeps, SourceDeps } from './connector.ts'
import { csvConnector } from './csv/index.ts'
import { googleConnector } from './google/index.ts'
import { ldapConnector } from './ldap/index.ts'
import { microsoftConnector } from './microsoft/index.ts'
import { scimConnector } from './scim/index.ts'
import { webhookConnector } from './webhook/index.ts'

const connectors: readonly Connector[] = [
  googleConnector,
  microsoftConnector,
  ldapConnector,
  scimConnector,
  csvConnector,
  webhookConnector,
]

export const integrationKinds = (deps: KindDeps): IntegrationKinds =>
  new Map(connectors.map(({ kind, integration }) => [kind, integration(deps)]))

export const directorySources = (deps: SourceDeps): Directories =>
  new Map(connectors.flatMap(({ kind, directory }) => (directory ? [[kind, directory(deps)] as const] : [])))

export const pushChannels = (deps: ChannelDeps): PushChannels =>
  new Map(
    connectors.flatMap(({ channel, push }) => (channel && push ? [[channel, push(deps)] as const] : [])),
  )

/** The channel of each kind of integration that delivers signatures. The relay is a part of this service. */
export const channelOfKind: ReadonlyMap<string, ChannelName> = new Map([
  ...connectors.flatMap(({ kind, channel }) => (channel ? [[kind, channel] as const] : [])),
  ['smtp_relay', 'smtp_relay'],
])
