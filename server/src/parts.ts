// What features need from outside, built once per process from the settings: clients of the platform, and the hooks
// through which one feature reacts to a change in another. The app, the worker and the demo use them.
import { directorySources, integrationKinds } from '#directories/index.ts'
import type { AccessDeps } from '#features/access/index.ts'
import { createAccountMails, type EnqueueAccountMail } from '#features/account-mails/index.ts'
import type { BrandDeps } from '#features/brand/index.ts'
import { enqueueMails } from '#features/campaign-mails/index.ts'
import { type CampaignDeps, pauseCampaignsOnlyFor } from '#features/campaigns/index.ts'
import { type Directories, refillValues, releaseDirectory } from '#features/directories/index.ts'
import type { OnPeopleChange } from '#features/emails/index.ts'
import {
  enqueueReconcileEmails,
  enqueueReconcileSignature,
  enqueueReconcileTeammates,
  enqueueReconcileWorkspace,
  fetchChannels,
  scheduleReconcileBanners,
  scheduleReconcileReachedBy,
} from '#features/installations/index.ts'
import { hasChannelOfKinds, type IntegrationDeps } from '#features/integrations/index.ts'
import { type RenderDeps, renderDepsOf } from '#features/live-signatures/index.ts'
import type { MemberDeps } from '#features/members/index.ts'
import { revokeTokensOf } from '#features/outlook/index.ts'
import { lockMembership, refreshTeammates, signaturesKept } from '#features/recipients/index.ts'
import { forgetScim } from '#features/scim/index.ts'
import { type SecondFactorDeps, secondFactorsOf } from '#features/second-factors/index.ts'
import type { OnSignatureChange, SignatureHooks } from '#features/signatures/index.ts'
import type { SmartFieldDeps } from '#features/smart-fields/index.ts'
import { hasSingleSignOn, type SsoDeps, signInPolicyOf } from '#features/sso/index.ts'
import type { WebhookDeps } from '#features/webhooks/index.ts'
import { hasPersonalPage, type WorkspaceDeps } from '#features/workspaces/index.ts'
import type { Db } from '#kernel/db.ts'
import type { SendMail } from '#kernel/mail.ts'
import { createMailer } from '#platform/mail.ts'
import { addressProblem, createPublicFetch, type PublicFetch } from '#platform/public-fetch.ts'
import { createVault, type Vault } from '#platform/secrets.ts'
import { createStore, type Store } from '#platform/storage/index.ts'
import { hopAccessOf } from '#relay/hop-access.ts'
import { relayKind } from '#relay/kind.ts'
import type { Config } from './config.ts'

export interface Parts {
  readonly config: Config
  /** The clock that campaigns use. */
  readonly now: () => Date
  readonly vault: Vault
  readonly store: Store
  readonly fetchPublic: PublicFetch
  readonly sendMail: SendMail
  readonly enqueueAccountMail: EnqueueAccountMail
  /** How signatures are rendered for mailboxes. */
  readonly rendering: RenderDeps
  /** Runs last in the transaction that changed teammates or their addresses. */
  readonly onPeopleChange: OnPeopleChange
  readonly smartFields: SmartFieldDeps
  readonly access: AccessDeps
  readonly sso: SsoDeps
  readonly members: MemberDeps
  readonly secondFactors: Omit<SecondFactorDeps, 'onSessionChange'>
  readonly signatures: SignatureHooks
  readonly workspaces: WorkspaceDeps
  readonly brand: BrandDeps
  readonly integrations: IntegrationDeps
  /** Where people come from, by the kinds of integrations. */
  readonly directories: Directories
  readonly campaigns: CampaignDeps
  readonly webhooks: WebhookDeps
}

export function buildParts(config: Config, now: () => Date = () => new Date()): Parts {
  const vault = createVault(config)
  const fetchPublic = createPublicFetch(config)
  const campaigns = campaignDeps(config, now)
  const sendsMail = config.smtpUrl !== null
  const enqueueAccountMail = createAccountMails({ sendsMail, sealSecret: vault.seal })
  const access: AccessDeps = {
    publicUrl: config.publicUrl,
    sendsMail,
    enqueueAccountMail,
    secondFactorsOf,
    signInPolicyOf,
  }
  const secondFactors = {
    ...access,
    sealSecret: vault.seal,
    openSecret: vault.open,
    hasSingleSignOn,
  }
  return {
    config,
    now,
    vault,
    store: createStore(config),
    fetchPublic,
    sendMail: createMailer(config),
    enqueueAccountMail,
    rendering: renderDepsOf({ publicUrl: config.publicUrl, keys: vault }),
    onPeopleChange,
    smartFields: { onChange: reconcileWorkspace, onMappingChange: refillValues },
    access,
    sso: {
      publicUrl: config.publicUrl,
      fetchPublic,
      addressProblem: url => addressProblem(url, config),
      sealSecret: vault.seal,
      openSecret: vault.open,
      access,
    },
    members: { access, enqueueAccountMail },
    secondFactors,
    brand: { onWebsiteChange: reconcileWorkspace },
    workspaces: { onSwitchChange: reconcileWorkspace },
    integrations: {
      kinds: new Map([
        ...integrationKinds({
          publicUrl: config.publicUrl,
          sealSecret: vault.seal,
          openSecret: vault.open,
          addressProblem: url => addressProblem(url, config),
          fetchPublic,
        }),
        ['smtp_relay', relayKind(hopAccessOf(config))],
      ]),
      sealSecret: vault.seal,
      openSecret: vault.open,
      onConnectionChange: reconcileWorkspace,
      async onDisconnect(tx, by, integrationId) {
        await releaseDirectory(tx, by, integrationId)
        for (const statement of forgetScim(by.workspaceId, integrationId)) await tx.query(statement)
        await tx.query(revokeTokensOf(by.workspaceId, integrationId))
      },
    },
    directories: directorySources({ onPeopleChange }),
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
    webhooks: { sealSecret: vault.seal, addressProblem: url => addressProblem(url, config) },
  }
}

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
