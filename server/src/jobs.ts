// All background jobs of the service, and their schedules.

import { createConnectionReader, listPushConnections } from '#connectors/connections.ts'
import { pushChannels } from '#connectors/index.ts'
import { createSignedPost } from '#connectors/webhook/standard-webhooks.ts'
import { accessJobs, linkJobs } from '#features/access/access/index.ts'
import { secondFactorJobs } from '#features/access/second-factors/index.ts'
import { ssoJobs } from '#features/access/sso/index.ts'
import { assetJobs } from '#features/content/assets/index.ts'
import { createMailComposer } from '#features/content/mail-layout/index.ts'
import { campaignMailJobs } from '#features/delivery/campaign-mails/index.ts'
import { deleteOldTroubles, installationJobs } from '#features/delivery/installations/index.ts'
import { freshLinkJobs, invitationJobs, pageOfTeammate } from '#features/delivery/personal-pages/index.ts'
import { testMailJob } from '#features/delivery/previews/index.ts'
import { relayJobs } from '#features/delivery/relay/index.ts'
import { analyticsJobs } from '#features/measurement/analytics/index.ts'
import { directoryJobs } from '#features/people/directories/index.ts'
import { endImportedRun, importJobs } from '#features/people/imports/index.ts'
import { scimJobs } from '#features/people/scim/index.ts'
import { pictureJobs, profileChangeJobs, teammateChangeJobs } from '#features/people/teammates/index.ts'
import { campaignJobs } from '#features/signatures/campaigns/index.ts'
import { accountMailJobs } from '#features/workspace/account-mails/index.ts'
import { membersOf } from '#features/workspace/accounts/index.ts'
import { deleteExpiredSecrets } from '#features/workspace/api-keys/index.ts'
import { seatJobs } from '#features/workspace/billing/index.ts'
import { feedbackJob } from '#features/workspace/feedback/index.ts'
import { recordError } from '#features/workspace/integrations/index.ts'
import { type DispatcherDeps, webhookJobs } from '#features/workspace/webhooks/index.ts'
import { listWorkspaces } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { foldTallies } from '#kernel/db/tallies.ts'
import { deleteOldIdempotencyKeys } from '#kernel/http/preconditions.ts'
import { wasRefused } from '#platform/mail.ts'
import { createPublicFetch } from '#platform/public-fetch.ts'
import type { Parts } from './parts.ts'

export function buildJobs(parts: Parts, db: Db): readonly Job[] {
  const { config, sendMail: send, store, rendering, fetchPublic, vault, campaigns, onPeopleChange } = parts
  const { publicUrl } = config
  const mailer = { compose: createMailComposer(db, publicUrl), send, wasRefused }
  return [
    feedbackJob(db, config.operatorEmail, send),
    testMailJob(send),
    ...assetJobs(db, store),
    ...teammateChangeJobs(db, parts.teammates),
    ...pictureJobs(db, parts.teammates),
    ...importJobs(db, parts.imports),
    ...directoryJobs(db, {
      publicUrl,
      store,
      fetchPublic,
      directories: parts.directories,
      openSecret: vault.open,
      onPeopleChange,
      onImportedRun: endImportedRun,
    }),
    foldTallies(db),
    ...seatJobs(db),
    ...accessJobs(db),
    ...linkJobs(db, parts.access),
    ...secondFactorJobs(db),
    ...scimJobs(db),
    ...ssoJobs(db),
    ...relayJobs(db),
    ...analyticsJobs(db),
    ...invitationJobs(db, publicUrl, mailer),
    ...freshLinkJobs(db, publicUrl, mailer),
    ...profileChangeJobs(db, {
      publicUrl,
      pageOf: (workspaceId, teammateId) => pageOfTeammate(db, { ...rendering, workspaceId }, teammateId),
      ...mailer,
    }),
    ...accountMailJobs(db, { publicUrl, openSecret: vault.open, ...mailer }),
    ...campaignJobs(db, campaigns),
    ...webhookJobs(db, { publicUrl, listWorkspaces: () => listWorkspaces(db), ...mailer }),
    // The mail about a campaign only shows the signature, so its views and clicks are not tracked.
    ...campaignMailJobs(db, { ...rendering, tracking: null, ...mailer }),
    ...installationJobs({
      db,
      rendering,
      channels: pushChannels({ db, fetchPublic }),
      connectionsOf: createConnectionReader(db, vault),
      async onHalt({ workspaceId, integrationId }, why) {
        if (integrationId) await recordError(db, workspaceId, integrationId, why?.message ?? null)
      },
      allConnections: () => listPushConnections(db),
    }),
    {
      name: 'housekeeping',
      schedule: '17 3 * * *',
      async run() {
        const now = new Date()
        await db.query(deleteOldIdempotencyKeys(now))
        await db.query(deleteExpiredSecrets(now))
        await db.query(deleteOldTroubles(now))
      },
    },
  ]
}

/** Dependencies of the dispatcher of webhooks, besides the database and the log. */
export const dispatcherDeps = ({
  config,
  vault,
}: Parts): Pick<DispatcherDeps, 'post' | 'openSecret' | 'adminAddresses'> => ({
  post: createSignedPost(createPublicFetch({ ...config, keptRequests: 1_000 })),
  openSecret: vault.open,
  async adminAddresses(db, workspaceId) {
    if (config.smtpUrl === null) return []
    const members = await membersOf(db, workspaceId)
    return members
      .filter(({ role, status }) => status === 'active' && (role === 'owner' || role === 'admin'))
      .map(({ email }) => email)
  },
})
