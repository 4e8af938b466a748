// The push channels, and the connections that each workspace has.
import {
  type Connection,
  deliveryModeOf,
  type PushChannels,
  personalPage,
  takeQuota,
} from '#features/delivery/installations/index.ts'
import {
  type ConnectedIntegration,
  connectedIntegrations,
  integrationsOfKinds,
} from '#features/workspace/integrations/index.ts'
import { hasPersonalPage } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { PublicFetch } from '#platform/public-fetch.ts'
import type { Vault } from '#platform/secrets.ts'
import { gmailChannel, gmailUpdatesPerMinute } from './gmail.ts'
import { createQuota } from './quota.ts'
import { webhookChannel } from './webhook.ts'

export function pushChannels(db: Db, fetchPublic: PublicFetch): PushChannels {
  const quota = createQuota(
    (connection, count) => takeQuota(db, connection, count, gmailUpdatesPerMinute),
    100,
  )
  const channels = [webhookChannel(fetchPublic), gmailChannel({ quota })]
  return new Map(channels.map(channel => [channel.name, channel]))
}

/** The channel of each kind of integration that delivers signatures. */
const channelOfKind: Readonly<Record<string, Connection['channel']>> = {
  webhook: 'webhook',
  google_workspace: 'google_workspace',
  microsoft_365: 'microsoft_365',
  smtp_relay: 'smtp_relay',
}

/** The push connections of all workspaces. */
export async function listPushConnections(
  db: Db,
): Promise<Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>[]> {
  const pushed = Object.entries(channelOfKind).filter(([, channel]) => deliveryModeOf(channel) === 'push')
  const systems = await integrationsOfKinds(
    db,
    pushed.map(([kind]) => kind),
  )
  return systems.flatMap(({ workspace_id: workspaceId, id: integrationId, kind }) => {
    const channel = channelOfKind[kind]
    return channel ? [{ workspaceId, channel, integrationId }] : []
  })
}

/** Reads the connections of a workspace: the connected integrations, and the personal page unless it is off. */
export function createConnectionReader(
  db: Db,
  vault: Vault,
): (workspaceId: string) => Promise<readonly Connection[]> {
  const openConnection = async (workspaceId: string, system: ConnectedIntegration): Promise<Connection[]> => {
    const channel = channelOfKind[system.kind]
    if (!channel || !system.capabilities.includes('channel')) return []
    const mode = deliveryModeOf(channel)
    const connection = { workspaceId, channel, mode, integrationId: system.id, settings: system.settings }
    // A channel that is fetched needs no secret to know which signatures belong there.
    if (mode === 'fetch') return [{ ...connection, secret: null }]
    if (!system.secret) return []
    try {
      return [{ ...connection, secret: await vault.open(system.secret, system.id) }]
    } catch (error) {
      // Only this connection is unusable; the others still work.
      return [{ ...connection, secret: null, trouble: (error as Error).message }]
    }
  }
  return async workspaceId => {
    const systems = await connectedIntegrations(db, workspaceId)
    const pages = (await hasPersonalPage(db, workspaceId)) ? [personalPage(workspaceId)] : []
    return [
      ...pages,
      ...(await Promise.all(systems.map(system => openConnection(workspaceId, system)))).flat(),
    ]
  }
}
