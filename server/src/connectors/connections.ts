// The connections through which the signatures of a workspace reach mailboxes.
import { type Connection, deliveryModeOf, personalPage } from '#features/delivery/installations/index.ts'
import {
  type ConnectedIntegration,
  connectedIntegrations,
  integrationsOfKinds,
} from '#features/workspace/integrations/index.ts'
import { hasPersonalPage } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Vault } from '#platform/secrets.ts'
import { channelOfKind } from './index.ts'

/** The push connections of all workspaces. */
export async function listPushConnections(
  db: Db,
): Promise<Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>[]> {
  const pushed = [...channelOfKind].filter(([, channel]) => deliveryModeOf(channel) === 'push')
  const systems = await integrationsOfKinds(
    db,
    pushed.map(([kind]) => kind),
  )
  return systems.flatMap(({ workspace_id: workspaceId, id: integrationId, kind }) => {
    const channel = channelOfKind.get(kind)
    return channel ? [{ workspaceId, channel, integrationId }] : []
  })
}

/** Reads the connections of a workspace: the connected integrations, and the personal page unless it is off. */
export function createConnectionReader(
  db: Db,
  vault: Vault,
): (workspaceId: string) => Promise<readonly Connection[]> {
  const openConnection = async (workspaceId: string, system: ConnectedIntegration): Promise<Connection[]> => {
    const channel = channelOfKind.get(system.kind)
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
