// Once a day every mailbox that can be read back is read, a few every five minutes.
import { enqueueInBackground, type Job } from '#kernel/db/jobs.ts'
import { type Connection, type RepairMode, repairModes } from '../channel.ts'
import type { DeliverDeps } from '../mailboxes/jobs.ts'
import type { PushConnection } from '../mailboxes/queries.ts'
import { checkMailboxes, usualCheckPace } from './rules.ts'

const checkJobName = 'installations.check'

interface CheckPayload {
  readonly workspace_id: string
  readonly integration_id: string | null
}

/** The setting of the integration. */
const repairOf = ({ settings }: Pick<Connection, 'settings'>): RepairMode =>
  repairModes.find(mode => mode === settings.repair) ?? 'report'

interface DriftDeps extends Pick<DeliverDeps, 'db' | 'channels' | 'connectionsOf'> {
  readonly allConnections: () => Promise<readonly PushConnection[]>
}

export const driftJobs = ({ db, channels, connectionsOf, allConnections }: DriftDeps): readonly Job[] => [
  {
    name: checkJobName,
    async run(payload) {
      const { workspace_id, integration_id } = payload as CheckPayload
      const connection = (await connectionsOf(workspace_id)).find(
        ({ integrationId }) => integrationId === integration_id,
      )
      const channel = connection && channels.get(connection.channel)
      if (!connection || !channel?.read || connection.trouble !== undefined) return
      await checkMailboxes(db, channel, connection, repairOf(connection), usualCheckPace)
    },
  },
  {
    name: 'installations.check_all',
    schedule: '*/5 * * * *',
    async run() {
      for (const { workspaceId, channel, integrationId } of await allConnections()) {
        if (!channels.get(channel)?.read) continue
        const payload: CheckPayload = { workspace_id: workspaceId, integration_id: integrationId }
        await db.query(enqueueInBackground(checkJobName, payload, `${checkJobName} ${integrationId}`))
      }
    },
  },
]
