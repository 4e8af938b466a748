// Background work of installations: comparing after a change, and carrying what is due.

import type { RenderContext, RenderDeps } from '#features/live-signatures/index.ts'
import { hasSignature } from '#features/signatures/index.ts'
import type { Db, Sql } from '#kernel/db.ts'
import { enqueue, enqueueNoLaterThan, type Job } from '#kernel/jobs.ts'
import { bannersJob, reconcileBanners } from './banners/jobs.ts'
import { workspacesWithBannerReaches } from './banners/queries.ts'
import type { Connection, PushChannels } from './channel.ts'
import { type ChannelHalt, type DeliveryPace, deliverDue } from './mailboxes/deliver.ts'
import { databaseTimeIn, nextDue } from './mailboxes/queries.ts'
import type { Assignment } from './reconcile/assignments.ts'
import { enqueueReconcileEmails, type ReconcilePayload, reconcileJob } from './reconcile/enqueue.ts'
import { emailParts, emailsLosing, emailsOfTeammates, emailsReachedBy } from './reconcile/queries.ts'
import { reconcile } from './reconcile/rules.ts'

const carryJob = 'installations.carry'

const batch = 1_000
const first = '00000000-0000-0000-0000-000000000000'

/** Whoever a change of this signature can touch, or of any when none is named; all of them, or a part. */
async function* inBatches(
  db: Db,
  workspaceId: string,
  signatureId: string | null,
  part: number | null = null,
): AsyncGenerator<readonly string[]> {
  const among = async function* (
    find: typeof emailsReachedBy,
    count: number,
  ): AsyncGenerator<readonly string[]> {
    for (let after = first; ; ) {
      const emails = await find(db, workspaceId, signatureId, { part, after, count })
      const last = emails.at(-1)
      if (last === undefined) return
      for (let at = 0; at < emails.length; at += batch) yield emails.slice(at, at + batch)
      after = last
    }
  }
  yield* among(emailsReachedBy, batch)
  // Hardly anybody is, and finding them takes a look at everybody: many at once.
  yield* among(emailsLosing, 10 * batch)
}

/** Few are compared at once, so that whoever carries sees all of them; many in parts, side by side. */
async function partsOf(db: Db, workspaceId: string, signatureId: string | null): Promise<(number | null)[]> {
  const some = await emailsReachedBy(db, workspaceId, signatureId, { part: null, after: first, count: batch })
  return some.length < batch ? [null] : Array.from({ length: emailParts }, (_, part) => part)
}

/** To be run in the transaction that deletes a signature, before: afterwards nothing tells whom it reached. */
export async function enqueueReconcileReachedBy(
  tx: Db,
  workspaceId: string,
  signatureId: string,
): Promise<void> {
  for await (const emails of inBatches(tx, workspaceId, signatureId))
    await tx.query(enqueueReconcileEmails(workspaceId, emails))
}

/** Whoever finds nothing to do looks again after so many milliseconds at the earliest. */
const soonest = 1_000

/** Lanes are worked side by side, by one process or several. */
const lanes = 4

type Lane = Pick<Connection, 'workspaceId' | 'channel' | 'integrationId'>

const carry = ({ workspaceId, channel, integrationId }: Lane, lane: number, at?: Date): Sql => {
  const payload = { workspace_id: workspaceId, channel, integration_id: integrationId, lane }
  const key = `${carryJob} ${workspaceId} ${channel} ${integrationId} ${lane}`
  return at ? enqueueNoLaterThan(carryJob, payload, key, at) : enqueue(carryJob, payload, key)
}

type CarryPayload = {
  readonly workspace_id: string
  readonly channel: string
  readonly integration_id: string | null
  readonly lane: number
}

export interface InstallationDeps {
  readonly db: Db
  readonly rendering: RenderDeps
  readonly channels: PushChannels
  /** The channels that a workspace has, opened. */
  readonly connectionsOf: (workspaceId: string) => Promise<readonly Connection[]>
  /** Nobody gets through any more, and people have to know; null: somebody has got through. */
  readonly onHalt: (connection: Connection, why: ChannelHalt | null) => Promise<void>
  /** Every connection that is pushed through, of all workspaces. */
  readonly allConnections: () => Promise<readonly Lane[]>
  readonly pace?: DeliveryPace
}

export function installationJobs(deps: InstallationDeps): readonly Job[] {
  const {
    db,
    rendering: drawing,
    channels,
    connectionsOf,
    onHalt: halted,
    allConnections: everywhere,
    pace,
  } = deps
  const placeOf = (workspaceId: string): RenderContext => ({ ...drawing, workspaceId })

  const compare = (
    workspaceId: string,
    emailIds: readonly string[],
    connections: readonly Connection[],
    again?: (target: Assignment) => boolean,
  ) =>
    db.transaction(async tx => {
      const busy = await reconcile(tx, placeOf(workspaceId), emailIds, connections, again)
      for (const connection of busy)
        if (channels.has(connection.channel))
          for (let lane = 0; lane < lanes; lane++) await tx.query(carry(connection, lane))
    })

  return [
    {
      name: reconcileJob,
      async run(payload) {
        const { workspace_id, signature_id, teammate_ids, email_ids, again } = payload as ReconcilePayload
        const connections = await connectionsOf(workspace_id)
        const isMeant = ({ signatureId }: Assignment) => (signature_id ?? signatureId) === signatureId
        const force = again && isMeant
        const emails =
          email_ids ?? (teammate_ids && (await emailsOfTeammates(db, workspace_id, teammate_ids)))
        if (emails) return compare(workspace_id, emails, connections, force)
        // Whoever deletes one asks for those whom it reached.
        if (signature_id !== undefined && !(await hasSignature(db, workspace_id, signature_id))) return
        const signatureId = signature_id ?? null
        await Promise.all(
          (await partsOf(db, workspace_id, signatureId)).map(async part => {
            for await (const some of inBatches(db, workspace_id, signatureId, part))
              await compare(workspace_id, some, connections, force)
          }),
        )
      },
    },
    bannersJob(db, async (workspaceId, emailIds) =>
      compare(workspaceId, emailIds, await connectionsOf(workspaceId)),
    ),
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
        if (connection.trouble !== undefined)
          return halted(connection, { code: 'access_lost', message: connection.trouble })
        const { halt, delivered } = await deliverDue(db, placeOf(workspaceId), channel, connection, pace)
        if (halt && halt.after === undefined) return halted(connection, halt)
        if (delivered > 0) await halted(connection, null)
        if (halt?.after !== undefined) {
          await db.query(carry(connection, lane, await databaseTimeIn(db, halt.after)))
          return
        }
        // What another lane is carrying counts from the end of its claim: it will know better, and sooner. What is due now is being
        // compared by somebody, who asks for it again afterwards.
        const due = await nextDue(db, connection, soonest)
        if (due) await db.query(carry(connection, 0, due))
      },
    },
    {
      // Whoever was locked out is tried again now and then, and neither mailboxes nor banners wait for a job that was lost.
      name: 'installations.nudge',
      schedule: '*/10 * * * *',
      async run() {
        for (const connection of await everywhere()) await db.query(carry(connection, 0))
        for (const workspaceId of await workspacesWithBannerReaches(db))
          await db.query(reconcileBanners(workspaceId))
      },
    },
  ]
}
