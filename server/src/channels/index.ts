// The ways out, as one list; and which of them a workspace has.
import { type Connection, type PushChannels, personalPage, takeQuota } from '#features/installations/index.ts'
import { type ConnectedSystem, connectedSystems, systemsOfKinds } from '#features/integrations/index.ts'
import { hasPersonalPage } from '#features/workspaces/index.ts'
import type { Db } from '#kernel/db.ts'
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
  const all = [webhookChannel(fetchPublic), gmailChannel({ quota })]
  return new Map(all.map(channel => [channel.name, channel]))
}

/** Kinds of integrations that signatures go through. */
const kinds: Readonly<Record<string, Connection['channel']>> = {
  webhook: 'webhook',
  google_workspace: 'google_workspace',
}

/** All connections that signatures are pushed through. */
export async function listPushConnections(
  db: Db,
): Promise<Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>[]> {
  const systems = await systemsOfKinds(db, Object.keys(kinds))
  return systems.flatMap(({ workspace_id: workspaceId, id: integrationId, kind }) => {
    const channel = kinds[kind]
    return channel ? [{ workspaceId, channel, integrationId }] : []
  })
}

/** The personal page is there unless it was switched off; the rest is what was connected. */
export function createConnectionReader(
  db: Db,
  vault: Vault,
): (workspaceId: string) => Promise<readonly Connection[]> {
  const open = async (workspaceId: string, system: ConnectedSystem): Promise<Connection[]> => {
    const channel = kinds[system.kind]
    // Without a secret it is a directory that people come from, and no way out.
    if (!channel || !system.secret) return []
    const connection = {
      workspaceId,
      channel,
      mode: 'push' as const,
      integrationId: system.id,
      settings: system.settings,
    }
    try {
      return [{ ...connection, secret: await vault.open(system.secret, system.id) }]
    } catch (error) {
      // The others need not suffer for it.
      return [{ ...connection, secret: null, trouble: (error as Error).message }]
    }
  }
  return async workspaceId => {
    const systems = await connectedSystems(db, workspaceId)
    const pages = (await hasPersonalPage(db, workspaceId)) ? [personalPage(workspaceId)] : []
    return [...pages, ...(await Promise.all(systems.map(system => open(workspaceId, system)))).flat()]
  }
}
