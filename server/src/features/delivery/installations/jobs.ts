// The background jobs of installations: reconcile after a change, deliver to due mailboxes, nudge both, and read mailboxes
// back once a day.
import type { Job } from '#kernel/db/jobs.ts'
import { driftJobs } from './drift/jobs.ts'
import { type DeliverDeps, deliverJob, enqueueDeliver } from './mailboxes/jobs.ts'
import type { PushConnection } from './mailboxes/queries.ts'
import { createComparer, reconcileJob } from './reconcile/jobs.ts'
import { bannersJob, enqueueBannersJob } from './reconcile-banners/jobs.ts'
import { workspacesWithBannerReaches } from './reconcile-banners/queries.ts'

interface InstallationDeps extends DeliverDeps {
  /** Every push connection, of all workspaces. */
  readonly allConnections: () => Promise<readonly PushConnection[]>
}

export function installationJobs(deps: InstallationDeps): readonly Job[] {
  const { db, connectionsOf, allConnections } = deps
  const compare = createComparer(deps)
  return [
    reconcileJob(deps),
    bannersJob(db, async (workspaceId, emailIds) =>
      compare(workspaceId, emailIds, await connectionsOf(workspaceId)),
    ),
    deliverJob(deps),
    ...driftJobs(deps),
    {
      // Retries halted channels, and enqueues again what a lost job left behind.
      name: 'installations.nudge',
      schedule: '*/10 * * * *',
      async run() {
        for (const connection of await allConnections()) await db.query(enqueueDeliver(connection))
        for (const workspaceId of await workspacesWithBannerReaches(db))
          await db.query(enqueueBannersJob(workspaceId))
      },
    },
  ]
}
