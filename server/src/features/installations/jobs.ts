// Background work of installations: reconciling after a change, and carrying what is due.
import type { Db, Sql } from '../../kernel/db.ts'
import { enqueue, enqueueBy, type Job } from '../../kernel/jobs.ts'
import { addressesWithin, type Reach } from '../campaigns/index.ts'
import { hasSignature } from '../signatures/index.ts'
import type { Tracking } from '../tracking/index.ts'
import type { Connection, PushChannels } from './channel.ts'
import type { Place } from './desired.ts'
import { emailsOfTeammates, nextDue, touchedBy } from './queries.ts'
import { reconcile } from './reconcile.ts'
import { type Halt, work } from './work.ts'

const reconcileJob = 'installations.reconcile'
const bannersJob = 'installations.reconcile_banners'
const carryJob = 'installations.carry'

interface ReconcilePayload {
  readonly workspace_id: string
  readonly signature_id?: string
  readonly teammate_ids?: readonly string[]
}

/** To be run in the transaction that changed a signature or who gets it. */
export const signatureChanged = (workspaceId: string, signatureId: string): Sql =>
  enqueue(
    reconcileJob,
    { workspace_id: workspaceId, signature_id: signatureId },
    `${reconcileJob} ${signatureId}`,
  )

/** To be run in the transaction that changed people. */
export const peopleChanged = (workspaceId: string, teammateIds: readonly string[]): Sql =>
  enqueue(reconcileJob, { workspace_id: workspaceId, teammate_ids: teammateIds })

/** To be run in the transaction that changed what many signatures look like. */
export const everythingChanged = (workspaceId: string): Sql =>
  enqueue(reconcileJob, { workspace_id: workspaceId }, `${reconcileJob} ${workspaceId}`)

type Reached = Reach & { readonly workspace_id: string }

/** To be run in the transaction that changed which banners these see. What waits in the queue is worked in one go. */
export const bannersChanged = (workspaceId: string, reaches: readonly Reach[]): Sql =>
  enqueue(
    bannersJob,
    reaches.map((reach): Reached => ({ workspace_id: workspaceId, ...reach })),
    `${bannersJob} ${workspaceId}`,
  )

/** Lanes are worked side by side, by one process or several. */
const lanes = 4

type Lane = Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>

const carry = ({ workspaceId, channel, integrationId }: Lane, lane: number, at?: Date): Sql => {
  const payload = { workspace_id: workspaceId, channel, integration_id: integrationId, lane }
  const key = `${carryJob} ${workspaceId} ${channel} ${integrationId} ${lane}`
  return at ? enqueueBy(carryJob, payload, key, at) : enqueue(carryJob, payload, key)
}

type CarryPayload = {
  readonly workspace_id: string
  readonly channel: string
  readonly integration_id: string | null
  readonly lane: number
}

export interface InstallationDeps {
  readonly db: Db
  readonly publicUrl: string
  readonly tracking?: Tracking
  readonly channels: PushChannels
  /** The channels that a workspace has, opened. */
  readonly connectionsOf: (workspaceId: string) => Promise<readonly Connection[]>
  /** Nobody gets through any more, and people have to know; null: they do again. */
  readonly halted: (connection: Connection, why: Halt | null) => Promise<void>
  /** Every connection that is pushed through, of all workspaces. */
  readonly everywhere: () => Promise<readonly Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>[]>
}

const batch = 1_000
const first = '00000000-0000-0000-0000-000000000000'

export function installationJobs(deps: InstallationDeps): readonly Job[] {
  const { db, publicUrl, tracking, channels, connectionsOf, halted, everywhere } = deps
  const placeOf = (workspaceId: string): Place => ({ workspaceId, publicUrl, ...(tracking && { tracking }) })

  async function reconcileBatch(
    workspaceId: string,
    emailIds: readonly string[],
    connections: readonly Connection[],
  ) {
    const busy = await reconcile(db, placeOf(workspaceId), emailIds, connections)
    for (const connection of busy)
      if (channels.has(connection.channel))
        for (let lane = 0; lane < lanes; lane++) await db.query(carry(connection, lane))
  }

  return [
    {
      name: reconcileJob,
      async run(payload) {
        const { workspace_id, signature_id = null, teammate_ids } = payload as ReconcilePayload
        const connections = await connectionsOf(workspace_id)
        if (teammate_ids) {
          const emails = await emailsOfTeammates(db, workspace_id, teammate_ids)
          return reconcileBatch(workspace_id, emails, connections)
        }
        // Of one that was deleted nothing is left to tell whom it reached.
        const isThere = signature_id !== null && (await hasSignature(db, workspace_id, signature_id))
        const one = isThere ? signature_id : null
        for (let after = first; ; ) {
          const emails = await touchedBy(db, workspace_id, one, after, batch)
          const last = emails.at(-1)
          if (last === undefined) return
          await reconcileBatch(workspace_id, emails, connections)
          after = last
        }
      },
    },
    {
      name: bannersJob,
      async run(payload) {
        const reaches = payload as readonly Reached[]
        const workspaceId = reaches[0]?.workspace_id
        if (workspaceId === undefined) return
        const connections = await connectionsOf(workspaceId)
        for await (const emails of addressesWithin(db, workspaceId, reaches, batch))
          await reconcileBatch(workspaceId, emails, connections)
      },
    },
    {
      name: carryJob,
      async run(payload) {
        const { workspace_id: workspaceId, channel: name, integration_id, lane } = payload as CarryPayload
        const connections = await connectionsOf(workspaceId)
        const connection = connections.find(
          one => one.channel === name && one.integrationId === integration_id,
        )
        const channel = connection && channels.get(connection.channel)
        if (!connection || !channel) return
        const halt = await work(db, placeOf(workspaceId), channel, connection)
        if (halt?.until) {
          await db.query(carry(connection, lane, halt.until))
          return
        }
        await halted(connection, halt)
        if (halt) return
        // What another lane is carrying counts from the end of its claim: it will know better, and sooner.
        const due = await nextDue(db, connection)
        if (due) await db.query(carry(connection, 0, due))
      },
    },
    {
      // Whoever was locked out is tried again now and then, and nothing waits for a job that was lost.
      name: 'installations.nudge',
      schedule: '*/10 * * * *',
      async run() {
        for (const connection of await everywhere()) await db.query(carry(connection, 0))
      },
    },
  ]
}
