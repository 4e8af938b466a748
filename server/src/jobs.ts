// All background jobs of the service, and their schedules.

import { createConnectionReader, listPushConnections, pushChannels } from '#channels/index.ts'
import { accessJobs, linkJobs } from '#features/access/index.ts'
import { accountMailJobs } from '#features/account-mails/index.ts'
import { membersOf } from '#features/accounts/index.ts'
import { analyticsJobs } from '#features/analytics/index.ts'
import { deleteExpiredSecrets } from '#features/api-keys/index.ts'
import { assetJobs } from '#features/assets/index.ts'
import { seatJobs } from '#features/billing/index.ts'
import { campaignMailJobs } from '#features/campaign-mails/index.ts'
import { campaignJobs } from '#features/campaigns/index.ts'
import { directoryJobs } from '#features/directories/index.ts'
import { feedbackJob } from '#features/feedback/index.ts'
import { endImportedRun, importJobs } from '#features/imports/index.ts'
import { deleteOldTroubles, installationJobs } from '#features/installations/index.ts'
import { recordError } from '#features/integrations/index.ts'
import { createLetterComposer } from '#features/letters/index.ts'
import { freshLinkJobs, invitationJobs, pageOfTeammate } from '#features/personal-pages/index.ts'
import { testMailJob } from '#features/previews/index.ts'
import { relayJobs } from '#features/relay/index.ts'
import { scimJobs } from '#features/scim/index.ts'
import { secondFactorJobs } from '#features/second-factors/index.ts'
import { ssoJobs } from '#features/sso/index.ts'
import { pictureJobs, profileChangeJobs, teammateChangeJobs } from '#features/teammates/index.ts'
import { type DispatcherDeps, webhookJobs } from '#features/webhooks/index.ts'
import { listWorkspaces } from '#features/workspaces/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Job } from '#kernel/jobs.ts'
import { deleteOldIdempotencyKeys } from '#kernel/preconditions.ts'
import { foldTallies } from '#kernel/tallies.ts'
import { wasRefused } from '#platform/mail.ts'
import { createPublicFetch } from '#platform/public-fetch.ts'
import { createSignedPost } from '#providers/standard-webhooks.ts'
import type { Parts } from './parts.ts'

export function buildJobs(parts: Parts, db: Db): readonly Job[] {
  const { config, sendMail: send, store, rendering, fetchPublic, vault, campaigns, onPeopleChange } = parts
  const mailer = { compose: createLetterComposer(db, config.publicUrl), send, wasRefused }
  return [
    feedbackJob(db, config.operatorEmail, send),
    testMailJob(send),
    ...assetJobs(db, store),
    ...teammateChangeJobs(db, { publicUrl: config.publicUrl, onPeopleChange }),
    ...pictureJobs(db, { publicUrl: config.publicUrl, store, fetchPublic, onPeopleChange }),
    ...importJobs(db, { publicUrl: config.publicUrl, onPeopleChange }),
    ...directoryJobs(db, {
      publicUrl: config.publicUrl,
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
    ...invitationJobs(db, config.publicUrl, mailer),
    ...freshLinkJobs(db, config.publicUrl, mailer),
    ...profileChangeJobs(db, {
      publicUrl: config.publicUrl,
      pageOf: (workspaceId, teammateId) => pageOfTeammate(db, { ...rendering, workspaceId }, teammateId),
      ...mailer,
    }),
    ...accountMailJobs(db, { publicUrl: config.publicUrl, openSecret: vault.open, ...mailer }),
    ...campaignJobs(db, campaigns),
    ...webhookJobs(db, { publicUrl: config.publicUrl, listWorkspaces: () => listWorkspaces(db), ...mailer }),
    // The mail about a campaign only shows the signature, so its views and clicks are not tracked.
    ...campaignMailJobs(db, { ...rendering, tracking: null, ...mailer }),
    ...installationJobs({
      db,
      rendering,
      channels: pushChannels(db, fetchPublic),
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

/** What the dispatcher of webhooks needs besides the database and the log. */
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
