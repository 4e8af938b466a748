// Background work as one list: which jobs there are, and when.

import { createConnectionReader, listPushConnections, pushChannels } from '#channels/index.ts'
import { analyticsJobs } from '#features/analytics/index.ts'
import { forgetRotatedSecrets } from '#features/api-keys/index.ts'
import { assetJobs } from '#features/assets/index.ts'
import { campaignMailJobs } from '#features/campaign-mails/index.ts'
import { campaignJobs } from '#features/campaigns/index.ts'
import { feedbackJob } from '#features/feedback/index.ts'
import { installationJobs } from '#features/installations/index.ts'
import { recordTrouble } from '#features/integrations/index.ts'
import { invitationJobs } from '#features/personal-pages/index.ts'
import { testMailJob } from '#features/signatures/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Job } from '#kernel/jobs.ts'
import { forgetOldKeys } from '#kernel/preconditions.ts'
import { foldTallies } from '#kernel/tallies.ts'
import { createMailer, wasRefused } from '#platform/mail.ts'
import { createPublicFetch } from '#platform/public-fetch.ts'
import { createVault } from '#platform/secrets.ts'
import { createStore } from '#platform/storage/index.ts'
import { campaignSettings, drawingOf } from './app.ts'
import type { Config } from './config.ts'

export function buildJobs(config: Config, db: Db, now?: () => Date): readonly Job[] {
  const send = createMailer(config)
  return [
    feedbackJob(db, config.operatorEmail, send),
    testMailJob(send),
    ...assetJobs(db, createStore(config)),
    foldTallies(db),
    ...analyticsJobs(db),
    ...invitationJobs(db, config.publicUrl, { send, wasRefused }),
    ...campaignJobs(db, campaignSettings(config, now)),
    // What is shown in a mail about a signature is no mail with it: it does not count.
    ...campaignMailJobs(db, { publicUrl: config.publicUrl, tracking: null, send, wasRefused }),
    ...installationJobs({
      db,
      rendering: drawingOf(config),
      channels: pushChannels(db, createPublicFetch(config)),
      connectionsOf: createConnectionReader(db, createVault(config)),
      async onHalt({ workspaceId, integrationId }, why) {
        if (integrationId) await recordTrouble(db, workspaceId, integrationId, why?.message ?? null)
      },
      allConnections: () => listPushConnections(db),
    }),
    {
      name: 'housekeeping',
      schedule: '17 3 * * *',
      async run() {
        const now = new Date()
        await db.query(forgetOldKeys(now))
        await db.query(forgetRotatedSecrets(now))
      },
    },
  ]
}
