import { directoriesOfKinds, dueDirectories } from '#features/workspace/integrations/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { RunLost } from './context.ts'
import type { DirectoryDeps } from './deps.ts'
import { kindsOfSources } from './directory.ts'
import {
  type ApprovalPayload,
  approvalJob,
  type DirectoryPayload,
  directoryOf,
  remapJob,
  syncJob,
} from './enqueue.ts'
import { applyApproval, endGraces } from './leavers/approve.ts'
import { deleteOldRecords } from './leavers/queries.ts'
import { remapPeople } from './mapping/remap.ts'
import { photoJobs } from './photos/jobs.ts'
import { deleteOldRuns } from './runs/queries.ts'
import { startScheduledRun } from './runs/rules.ts'
import { runSync } from './runs/sync.ts'

/** Runs that one minute begins. */
const startsPerMinute = 1_000
/** The schedule runs once a minute, or some seconds late: a run that is due before the next time begins now. */
const ahead = 65_000

/** The directory was disconnected, or another process goes on with the work. */
const unlessLost = (work: Promise<void>): Promise<void> =>
  work.catch(error => {
    if (!(error instanceof RunLost)) throw error
  })

export const directoryJobs = (db: Db, deps: DirectoryDeps): readonly Job[] => [
  {
    name: syncJob,
    async run(sent) {
      await runSync(db, directoryOf(sent as DirectoryPayload), deps)
    },
  },
  {
    name: approvalJob,
    async run(sent) {
      const payload = sent as ApprovalPayload
      await unlessLost(applyApproval(db, directoryOf(payload), payload.run_id, deps))
    },
  },
  {
    name: remapJob,
    async run(sent) {
      await unlessLost(remapPeople(db, directoryOf(sent as DirectoryPayload), deps))
    },
  },
  ...photoJobs(db, deps),
  {
    name: 'directories.schedule',
    schedule: '* * * * *',
    async run() {
      const due = await dueDirectories(db, new Date(Date.now() + ahead), startsPerMinute)
      for (const { workspace_id, id } of due)
        await startScheduledRun(db, operator(workspace_id), id, deps.directories)
    },
  },
  {
    // Of sources without a schedule: a run of the others removes people itself.
    name: 'directories.end_graces',
    schedule: '11 * * * *',
    async run() {
      const kinds = kindsOfSources(deps.directories, false)
      for (const { workspace_id, id } of await directoriesOfKinds(db, kinds))
        await unlessLost(endGraces(db, { workspaceId: workspace_id, integrationId: id }, deps))
    },
  },
  {
    name: 'directories.expire',
    schedule: '41 4 * * *',
    async run() {
      const now = new Date()
      await db.query(deleteOldRuns(now))
      await db.query(deleteOldRecords(now))
    },
  },
]
