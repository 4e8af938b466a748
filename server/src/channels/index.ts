// The ways out, as one list; and which of them a workspace has.
import type { Connection, PushChannels } from '../features/installations/index.ts'
import { type ConnectedSystem, connectedSystems, systemsOfKinds } from '../features/integrations/index.ts'
import type { Db } from '../kernel/db.ts'
import type { PublicFetch } from '../public-fetch.ts'
import type { Vault } from '../secrets.ts'
import { webhookChannel } from './webhook.ts'

export function pushChannels(fetchPublic: PublicFetch): PushChannels {
  const all = [webhookChannel(fetchPublic)]
  return new Map(all.map(channel => [channel.name, channel]))
}

/** Kinds of integrations that signatures go through. */
const kinds: Readonly<Record<string, Connection['channel']>> = { webhook: 'webhook' }

/** All connections that signatures are pushed through. */
export async function pushedThrough(
  db: Db,
): Promise<Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>[]> {
  const systems = await systemsOfKinds(db, Object.keys(kinds))
  return systems.flatMap(({ workspace_id: workspaceId, id: integrationId, kind }) => {
    const channel = kinds[kind]
    return channel ? [{ workspaceId, channel, integrationId }] : []
  })
}

/** The personal page is always there; the rest is what was connected. */
export function createConnections(
  db: Db,
  vault: Vault,
): (workspaceId: string) => Promise<readonly Connection[]> {
  const open = async (workspaceId: string, system: ConnectedSystem): Promise<Connection[]> => {
    const channel = kinds[system.kind]
    if (!channel) return []
    const secret = system.secret && (await vault.open(system.secret, system.id))
    return [{ workspaceId, channel, integrationId: system.id, settings: system.settings, secret }]
  }
  return async workspaceId => {
    const systems = await connectedSystems(db, workspaceId)
    const page: Connection = {
      workspaceId,
      channel: 'personal_page',
      integrationId: null,
      settings: {},
      secret: null,
    }
    return [page, ...(await Promise.all(systems.map(system => open(workspaceId, system)))).flat()]
  }
}
