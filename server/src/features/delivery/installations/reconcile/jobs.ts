// The reconcile job: after a change it compares the mailboxes of all affected addresses, in batches.
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import { hasSignature } from '#features/signatures/signatures/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import type { Assignment } from '../assignments.ts'
import type { Connection } from '../channel.ts'
import { enqueueDeliver } from '../mailboxes/jobs.ts'
import { enqueueReconcileEmails, type ReconcilePayload, reconcileJobName } from './enqueue.ts'
import { emailParts, emailsLosing, emailsOfTeammates, emailsReachedBy } from './queries.ts'
import { reconcile } from './rules.ts'

const batchSize = 1_000
const smallestUuid = '00000000-0000-0000-0000-000000000000'

/** The addresses that a change of this signature can affect, or of any signature when none is given; all of them, or one part. */
async function* affectedEmails(
  db: Db,
  workspaceId: string,
  signatureId: string | null,
  part: number | null = null,
): AsyncGenerator<readonly string[]> {
  const readAll = async function* (
    find: typeof emailsReachedBy,
    count: number,
  ): AsyncGenerator<readonly string[]> {
    for (let after = smallestUuid; ; ) {
      const emails = await find(db, workspaceId, signatureId, { part, after, count })
      const last = emails.at(-1)
      if (last === undefined) return
      for (let at = 0; at < emails.length; at += batchSize) yield emails.slice(at, at + batchSize)
      after = last
    }
  }
  yield* readAll(emailsReachedBy, batchSize)
  // There are few of these, and finding them reads all installations: many per query.
  yield* readAll(emailsLosing, 10 * batchSize)
}

/** A small set is compared in one part, so that one deliver job sees all of it; a large set in parts, at the same time. */
async function partsOf(db: Db, workspaceId: string, signatureId: string | null): Promise<(number | null)[]> {
  const page = { part: null, after: smallestUuid, count: batchSize }
  const emails = await emailsReachedBy(db, workspaceId, signatureId, page)
  return emails.length < batchSize ? [null] : Array.from({ length: emailParts }, (_, part) => part)
}

/** Runs in the transaction that deletes a signature, before the deletion: afterwards its recipients are unknown. */
export async function scheduleReconcileReachedBy(
  tx: Db,
  workspaceId: string,
  signatureId: string,
): Promise<void> {
  for await (const emails of affectedEmails(tx, workspaceId, signatureId))
    await tx.query(enqueueReconcileEmails(workspaceId, emails))
}

interface ReconcileDeps {
  readonly db: Db
  readonly rendering: RenderDeps
  readonly connectionsOf: (workspaceId: string) => Promise<readonly Connection[]>
}

type IsForcedTarget = (assignment: Assignment) => boolean

/** Compares some addresses, and enqueues the deliver job where mailboxes became due, in one transaction. */
export const createComparer =
  ({ db, rendering }: ReconcileDeps) =>
  (
    workspaceId: string,
    emailIds: readonly string[],
    connections: readonly Connection[],
    isForcedTarget?: IsForcedTarget,
  ): Promise<void> =>
    db.transaction(async tx => {
      const context = { ...rendering, workspaceId }
      const busy = await reconcile(tx, context, emailIds, connections, isForcedTarget)
      for (const connection of busy)
        if (connection.mode === 'push') await tx.query(enqueueDeliver(connection))
    })

export function reconcileJob(deps: ReconcileDeps): Job {
  const { db, connectionsOf } = deps
  const compare = createComparer(deps)
  return {
    name: reconcileJobName,
    async run(payload) {
      const { workspace_id, signature_id, teammate_ids, email_ids, again } = payload as ReconcilePayload
      const connections = await connectionsOf(workspace_id)
      const isOfSignature: IsForcedTarget = ({ signatureId }) => (signature_id ?? signatureId) === signatureId
      const isForcedTarget = again && isOfSignature
      const emails = email_ids ?? (teammate_ids && (await emailsOfTeammates(db, workspace_id, teammate_ids)))
      if (emails) return compare(workspace_id, emails, connections, isForcedTarget)
      // The transaction that deleted a signature has enqueued its recipients.
      if (signature_id !== undefined && !(await hasSignature(db, workspace_id, signature_id))) return
      const signatureId = signature_id ?? null
      await Promise.all(
        (await partsOf(db, workspace_id, signatureId)).map(async part => {
          for await (const batch of affectedEmails(db, workspace_id, signatureId, part))
            await compare(workspace_id, batch, connections, isForcedTarget)
        }),
      )
    },
  }
}
