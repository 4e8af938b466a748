// The deliver job: sends to the due mailboxes of one connection.
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import type { Db, Sql } from '#kernel/db/db.ts'
import { enqueue, enqueueNoLaterThan, type Job } from '#kernel/db/jobs.ts'
import type { Connection, PushChannels } from '../channel.ts'
import { type DeliveryPace, deliverDue, usualPace } from './deliver.ts'
import { databaseTimeIn, nextDue, type PushConnection } from './queries.ts'
import type { ChannelHalt } from './states.ts'

const deliverJobName = 'installations.deliver'

/** So many deliver jobs of one connection run at once, in one process or several. */
const slots = 4

/** A deliver job that found nothing to do is enqueued again after so many milliseconds at the earliest. */
const soonestMilliseconds = 1_000

interface DeliverPayload {
  readonly workspace_id: string
  readonly channel: string
  readonly integration_id: string | null
  readonly slot: number
}

const enqueueSlot = (
  { workspaceId, channel, integrationId }: PushConnection,
  slot: number,
  at?: Date,
): Sql => {
  const payload = { workspace_id: workspaceId, channel, integration_id: integrationId, slot }
  const key = `${deliverJobName} ${workspaceId} ${channel} ${integrationId} ${slot}`
  return at ? enqueueNoLaterThan(deliverJobName, payload, key, at) : enqueue(deliverJobName, payload, key)
}

/**
 * For mailboxes that became due, in the transaction that made them due; the job enqueues the other slots where they help.
 * One row per connection, because graphile-worker completes several jobs in one statement: a transaction that locks
 * several jobs of a connection could deadlock with it. A worker whose completion fails stops; kernel/db/jobs.ts restarts it.
 */
export const enqueueDeliver = (connection: PushConnection): Sql => enqueueSlot(connection, 0)

export interface DeliverDeps {
  readonly db: Db
  readonly rendering: RenderDeps
  readonly channels: PushChannels
  /** The connections of a workspace, with their secrets decrypted. */
  readonly connectionsOf: (workspaceId: string) => Promise<readonly Connection[]>
  /** The channel halted: the integration shows why, and the nudge job (../jobs.ts) tries again. Null: a delivery arrived. */
  readonly onHalt: (connection: Connection, halt: ChannelHalt | null) => Promise<void>
  readonly pace?: DeliveryPace
}

export const deliverJob = ({ db, rendering, channels, connectionsOf, onHalt, pace }: DeliverDeps): Job => ({
  name: deliverJobName,
  async run(payload) {
    const { workspace_id: workspaceId, channel: name, integration_id, slot } = payload as DeliverPayload
    const connection = (await connectionsOf(workspaceId)).find(
      ({ channel, integrationId }) => channel === name && integrationId === integration_id,
    )
    const channel = connection && channels.get(connection.channel)
    if (!connection || !channel) return
    if (connection.trouble !== undefined)
      return onHalt(connection, { code: 'access_lost', message: connection.trouble })
    const { halt, delivered } = await deliverDue({
      db,
      context: { ...rendering, workspaceId },
      channel,
      connection,
      pace: pace ?? usualPace,
      async onFullBatch() {
        if (slot > 0) return
        for (let other = 1; other < slots; other++) await db.query(enqueueSlot(connection, other))
      },
    })
    if (halt && halt.after === undefined) return onHalt(connection, halt)
    if (delivered > 0) await onHalt(connection, null)
    if (halt?.after !== undefined) {
      await db.query(enqueueSlot(connection, slot, await databaseTimeIn(db, halt.after)))
      return
    }
    // A mailbox that another slot has claimed counts from the end of that claim. A mailbox that is due now is locked by a
    // reconcile job, which enqueues the deliver job when it commits.
    const due = await nextDue(db, connection, soonestMilliseconds)
    if (due) await db.query(enqueueSlot(connection, 0, due))
  },
})
