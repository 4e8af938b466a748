// Works through the changes of many teammates: one job per workspace, in batches of one transaction each.

import { type Caller, operator } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueueSerial, type Job } from '#kernel/db/jobs.ts'
import type { TeammateWriteDeps } from '../rules.ts'
import { type ChangeBatch, failChange, lockLiving, lockNextBatch, saveChangedBatch } from './queries.ts'
import { checkValues, writeSameValues } from './rules.ts'

const changeJob = 'teammates.change'

interface ChangePayload {
  readonly workspace_id: string
}

export const enqueueTeammateChanges = (workspaceId: string) => {
  const payload: ChangePayload = { workspace_id: workspaceId }
  return enqueueSerial(changeJob, payload, `${changeJob} ${workspaceId}`)
}

const batchSize = 500
/** A job ends after this many, and the next one goes on: other jobs get a turn. */
const batchesPerJob = 20

const callerOf = (workspaceId: string, batch: ChangeBatch): Caller => ({
  ...operator(workspaceId),
  actorId: batch.member_id,
  apiKeyId: batch.api_key_id,
  sessionId: batch.session_id,
  requestId: batch.request_id,
  via: batch.via,
})

/** False when no change waits. */
const runBatch = (db: Db, workspaceId: string, deps: TeammateWriteDeps): Promise<boolean> =>
  db.transaction(async tx => {
    const change = await lockNextBatch(tx, workspaceId, batchSize)
    if (!change) return false
    const { values, problems } = await checkValues(tx, workspaceId, change.smart_fields, deps.publicUrl)
    const [problem] = problems
    if (problem) {
      // A field was deleted or has another kind now. What was written stays.
      await failChange(tx, workspaceId, change.id, problem.message)
      return true
    }
    const living = await lockLiving(tx, workspaceId, change.batch)
    const changed = await writeSameValues(tx, callerOf(workspaceId, change), living, values, deps)
    await saveChangedBatch(tx, workspaceId, change, {
      processed: change.batch.length,
      changed,
      unchanged: living.length - changed,
      missing: change.batch.length - living.length,
    })
    return true
  })

export const teammateChangeJobs = (db: Db, deps: TeammateWriteDeps): readonly Job[] => [
  {
    name: changeJob,
    async run(payload) {
      const { workspace_id: workspaceId } = payload as ChangePayload
      for (let done = 0; done < batchesPerJob; done++) if (!(await runBatch(db, workspaceId, deps))) return
      await db.query(enqueueTeammateChanges(workspaceId))
    },
  },
]
