// What features need from outside, built once per process from the settings: clients of the platform, and the hooks
// through which one feature reacts to a change in another. The app, the worker and the demo use them.

import type { McpDeps } from '#api/mcp.ts'
import { directorySources, integrationKinds } from '#connectors/index.ts'
import { noOutlook, type OutlookProcess } from '#connectors/microsoft/outlook.ts'
import type { DashboardDeps } from '#dashboard/index.ts'
import type { AccessDeps } from '#features/access/access/index.ts'
import type { MemberDeps } from '#features/access/members/index.ts'
import { type SecondFactorDeps, secondFactorsOf } from '#features/access/second-factors/index.ts'
import { hasSingleSignOn, type SsoDeps, signInPolicyOf } from '#features/access/sso/index.ts'
import type { BrandDeps } from '#features/content/brand/index.ts'
import { enqueueMails } from '#features/delivery/campaign-mails/index.ts'
import {
  enqueueReconcileEmails,
  enqueueReconcileSignature,
  enqueueReconcileTeammates,
  enqueueReconcileWorkspace,
  fetchChannels,
  scheduleReconcileBanners,
  scheduleReconcileReachedBy,
} from '#features/delivery/installations/index.ts'
import { revokeTokensOf, type TokenDeps } from '#features/delivery/outlook/index.ts'
import type { EventRecorder } from '#features/measurement/events/index.ts'
import type { TrackingDeps } from '#features/measurement/tracking/index.ts'
import {
  type Directories,
  kindsOfSources,
  refillValues,
  releaseDirectory,
  type SyncRuleDeps,
} from '#features/people/directories/index.ts'
import { type ImportDeps, TableReader } from '#features/people/imports/index.ts'
import { forgetScim } from '#features/people/scim/index.ts'
import {
  countPendingChanges,
  type DecisionDeps,
  type TeammateDeps,
} from '#features/people/teammates/index.ts'
import { type CampaignDeps, pauseCampaignsOnlyFor } from '#features/signatures/campaigns/index.ts'
import { type RenderDeps, renderDepsOf } from '#features/signatures/live-signatures/index.ts'
import {
  lockMembership,
  peopleWithSignature,
  refreshTeammates,
  signaturesKept,
} from '#features/signatures/recipients/index.ts'
import type { OnSignatureChange, SignatureHooks } from '#features/signatures/signatures/index.ts'
import { countPendingRequests } from '#features/signatures/signatures/index.ts'
import { createAccountMails, type EnqueueAccountMail } from '#features/workspace/account-mails/index.ts'
import type { ChecklistDeps } from '#features/workspace/checklist/index.ts'
import type { OnPeopleChange } from '#features/workspace/emails/index.ts'
import {
  hasChannelOfKinds,
  type IntegrationDeps,
  testIntegration,
} from '#features/workspace/integrations/index.ts'
import type { SmartFieldDeps } from '#features/workspace/smart-fields/index.ts'
import type { WebhookDeps } from '#features/workspace/webhooks/index.ts'
import { hasPersonalPage, type WorkspaceDeps } from '#features/workspace/workspaces/index.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Log } from '#kernel/base/log.ts'
import type { SendMail } from '#kernel/base/mail.ts'
import type { Db } from '#kernel/db/db.ts'
import { createMailer } from '#platform/mail.ts'
import { addressProblem, createPublicFetch, type PublicFetch } from '#platform/public-fetch.ts'
import type { Screenshots } from '#platform/screenshots/index.ts'
import { createVault, type Vault } from '#platform/secrets.ts'
import { createStore, type Store } from '#platform/storage/index.ts'
import { hopAccessOf } from '#relay/next-hop/hop-access.ts'
import { relayKind } from '#relay/settings/kind.ts'
import type { Config } from './config.ts'

export interface Parts {
  readonly config: Config
  readonly sendsMail: boolean
  /** The clock that campaigns use. */
  readonly now: () => Date
  readonly vault: Vault
  readonly store: Store
  readonly fetchPublic: PublicFetch
  readonly sendMail: SendMail
  readonly enqueueAccountMail: EnqueueAccountMail
  /** Dependencies of the rendering for mailboxes. */
  readonly rendering: RenderDeps
  /** Runs last in the transaction that changed teammates or their addresses. */
  readonly onPeopleChange: OnPeopleChange
  readonly teammates: TeammateDeps & DecisionDeps
  readonly imports: ImportDeps
  readonly smartFields: SmartFieldDeps
  readonly access: AccessDeps
  readonly sso: SsoDeps
  readonly members: MemberDeps
  readonly secondFactors: Omit<SecondFactorDeps, 'onSessionChange'>
  readonly signatures: SignatureHooks
  readonly workspaces: WorkspaceDeps
  readonly brand: BrandDeps
  readonly integrations: IntegrationDeps
  /** The sources of people, by the kinds of integrations. */
  readonly directories: Directories
  readonly directorySync: SyncRuleDeps
  readonly outlookTokens: TokenDeps
  readonly checklist: ChecklistDeps
  readonly campaigns: CampaignDeps
  readonly webhooks: WebhookDeps
}

/** Replacements that tests have for the outside world. */
export interface Outside {
  /** The clock of campaigns. */
  readonly now: () => Date
  /** Requests to the public internet. */
  readonly fetchPublic: PublicFetch
  /** Demands of workspaces on people who sign in. */
  readonly signInPolicyOf: AccessDeps['signInPolicyOf']
}

export function buildParts(config: Config, outside: Partial<Outside> = {}): Parts {
  const { publicUrl } = config
  const vault = createVault(config)
  const { seal: sealSecret, open: openSecret } = vault
  const store = createStore(config)
  const { now = () => new Date(), fetchPublic = createPublicFetch(config) } = outside
  const campaigns = campaignDeps(config, now)
  const sendsMail = config.smtpUrl !== null
  const enqueueAccountMail = createAccountMails({ sendsMail, sealSecret })
  const access: AccessDeps = {
    publicUrl,
    sendsMail,
    enqueueAccountMail,
    secondFactorsOf,
    signInPolicyOf: outside.signInPolicyOf ?? signInPolicyOf,
  }
  const directories = directorySources({ onPeopleChange })
  const integrations = integrationDeps(config, vault, fetchPublic)
  return {
    config,
    sendsMail,
    now,
    vault,
    store,
    fetchPublic,
    sendMail: createMailer(config),
    enqueueAccountMail,
    rendering: renderDepsOf({ publicUrl, keys: vault }),
    onPeopleChange,
    teammates: { publicUrl, store, fetchPublic, onPeopleChange, sendsMail, peopleWithSignature },
    imports: { publicUrl, onPeopleChange, reader: new TableReader(), directories, openSecret },
    smartFields: { onChange: reconcileWorkspace, onMappingChange: refillValues },
    access,
    sso: {
      publicUrl,
      fetchPublic,
      addressProblem: url => addressProblem(url, config),
      sealSecret,
      openSecret,
      access,
    },
    members: { access, enqueueAccountMail },
    secondFactors: { ...access, sealSecret, openSecret, hasSingleSignOn },
    brand: { onWebsiteChange: reconcileWorkspace },
    workspaces: { onSwitchChange: reconcileWorkspace },
    checklist: { sendsMail, countApprovals },
    integrations,
    directories,
    directorySync: syncDeps(publicUrl, directories, integrations),
    outlookTokens: { publicUrl, sealSecret, openSecret },
    signatures: {
      onChange: onSignatureChange,
      lockRecipients: (tx, workspaceId) => lockMembership(tx, workspaceId, 'alone'),
      beforeDelete: (tx, by, signatureId) => pauseCampaignsOnlyFor(tx, by, signatureId, campaigns),
      variantsSupported: async (tx, workspaceId) =>
        (await hasPersonalPage(tx, workspaceId)) || (await hasChannelOfKinds(tx, workspaceId, fetchChannels)),
      enqueueAccountMail,
      findKept: signaturesKept,
    },
    campaigns,
    webhooks: { sealSecret, addressProblem: url => addressProblem(url, config) },
  }
}

function integrationDeps(config: Config, vault: Vault, fetchPublic: PublicFetch): IntegrationDeps {
  const { seal: sealSecret, open: openSecret } = vault
  return {
    kinds: new Map([
      ...integrationKinds({
        publicUrl: config.publicUrl,
        sealSecret,
        openSecret,
        addressProblem: url => addressProblem(url, config),
        fetchPublic,
      }),
      ['smtp_relay', relayKind(hopAccessOf(config))],
    ]),
    sealSecret,
    openSecret,
    onConnectionChange: reconcileWorkspace,
    async onDisconnect(tx, by, integrationId) {
      await releaseDirectory(tx, by, integrationId)
      for (const statement of forgetScim({ workspaceId: by.workspaceId, integrationId }))
        await tx.query(statement)
      await tx.query(revokeTokensOf(by.workspaceId, integrationId))
    },
  }
}

const syncDeps = (
  publicUrl: string,
  directories: Directories,
  integrations: IntegrationDeps,
): SyncRuleDeps => ({
  publicUrl,
  directories,
  kinds: kindsOfSources(directories, true),
  async accessProblem(db, by, integrationId) {
    const failed = (await testIntegration(db, by, integrationId, integrations)).find(({ ok }) => !ok)
    return failed ? `${failed.message} ${failed.remedy ?? ''}`.trim() : null
  },
})

/** The checklist shows no larger number. */
const mostApprovals = 1_000

const countApprovals: ChecklistDeps['countApprovals'] = async (db, workspaceId) => ({
  profile_changes: await countPendingChanges(db, workspaceId, mostApprovals),
  publication_requests: await countPendingRequests(db, workspaceId, mostApprovals),
})

/** The membership of signatures changes first; then the reconcile job compares the mailboxes of these teammates. */
const onPeopleChange: OnPeopleChange = async (tx, workspaceId, teammateIds, newEmailIds) => {
  await refreshTeammates(tx, workspaceId, teammateIds, newEmailIds)
  if (teammateIds.length > 0) await tx.query(enqueueReconcileTeammates(workspaceId, teammateIds))
}

const onSignatureChange: OnSignatureChange = async (
  tx,
  { workspaceId, signatureId, emailIds, isBeingDeleted },
) => {
  if (isBeingDeleted) await scheduleReconcileReachedBy(tx, workspaceId, signatureId)
  else if (emailIds) await tx.query(enqueueReconcileEmails(workspaceId, emailIds))
  else await tx.query(enqueueReconcileSignature(workspaceId, signatureId))
}

const reconcileWorkspace = (tx: Db, workspaceId: string) => tx.query(enqueueReconcileWorkspace(workspaceId))

/** Without a mail server a campaign that goes live sends no mails. */
const campaignDeps = ({ smtpUrl }: Config, now: () => Date): CampaignDeps => ({
  now,
  onBannersChange: scheduleReconcileBanners,
  async onLive(tx, workspaceId, campaignId) {
    if (smtpUrl !== null) await tx.query(enqueueMails(workspaceId, campaignId))
  },
})

/** Parts of one process that routes need: the browser for screenshots, the event recorder, caches. */
export interface ProcessParts extends Pick<McpDeps, 'inject'> {
  readonly log: Pick<Log, 'info' | 'error'>
  readonly onKeyChange: () => void
  readonly onSessionChange: () => void
  readonly draw: Screenshots['draw']
  readonly recorder: Omit<EventRecorder, 'close'>
  readonly count: TrackingDeps['count']
  readonly dashboardState: DashboardDeps['stateOf']
  readonly outlook: OutlookProcess
}

const unavailable = () => Promise.reject(apiError('unavailable'))

/** For commands that print the route table and serve no request. */
export const noProcess: ProcessParts = {
  log: { info: () => undefined, error: () => undefined },
  onKeyChange: () => undefined,
  onSessionChange: () => undefined,
  draw: () => Promise.reject(apiError('preview_unavailable')),
  recorder: { submit: unavailable, record: unavailable, recordWithin: unavailable },
  count: () => undefined,
  dashboardState: () => ({ status: 'off' }),
  outlook: noOutlook,
  inject: unavailable,
}
