// Mails about a campaign that went live. The round job records and enqueues the recipients, one transaction per page. A
// mail that was begun is never begun again: after a crash one mail can be missing, but none is sent twice.

import { pageAddress } from '#features/delivery/personal-pages/index.ts'
import {
  audienceOf,
  findCampaign,
  findStoredCampaign,
  markMailed,
} from '#features/signatures/campaigns/index.ts'
import { type RenderContext, type RenderDeps, renderOne } from '#features/signatures/live-signatures/index.ts'
import { candidatesFor, choose, newMail } from '#features/signatures/recipients/index.ts'
import type { Mailer } from '#kernel/base/mail.ts'
import type { Db, Sql } from '#kernel/db/db.ts'
import { enqueue, type Job } from '#kernel/db/jobs.ts'
import { type CampaignMail, campaignMail } from './compose.ts'
import { claimCampaignMail, recordCampaignMails, recordedAddress, releaseCampaignMail } from './queries.ts'

const roundJob = 'campaign_mails.round'
const mailJob = 'campaign_mails.mail'

interface RoundPayload {
  readonly workspace_id: string
  readonly campaign_id: string
}
interface MailPayload extends RoundPayload {
  readonly teammate_id: string
}

/** Run this in the transaction in which the campaign goes live. */
export const enqueueMails = (workspaceId: string, campaignId: string): Sql => {
  const payload: RoundPayload = { workspace_id: workspaceId, campaign_id: campaignId }
  return enqueue(roundJob, payload, `${roundJob} ${campaignId}`)
}

interface CampaignMailDeps extends RenderDeps, Mailer {}

export const campaignMailJobs = (db: Db, deps: CampaignMailDeps): readonly Job[] => [
  {
    name: roundJob,
    async run(payload) {
      const { workspace_id, campaign_id } = payload as RoundPayload
      const campaign = await findStoredCampaign(db, workspace_id, campaign_id)
      // A campaign that was paused before this job ran sends its mails when it goes live again.
      if (campaign?.status !== 'active') return
      for await (const addresses of audienceOf(db, workspace_id, campaign)) {
        await db.transaction(async tx => {
          const emailIds = addresses.map(address => address.emailId)
          for (const { teammate_id } of await recordCampaignMails(tx, workspace_id, campaign_id, emailIds)) {
            const mail: MailPayload = { workspace_id, campaign_id, teammate_id }
            await tx.query(enqueue(mailJob, mail, `${mailJob} ${campaign_id} ${teammate_id}`))
          }
        })
      }
      await markMailed(db, workspace_id, campaign_id)
    },
  },
  {
    name: mailJob,
    async run(payload) {
      const { compose, send, wasRefused, ...renderDeps } = deps
      const { workspace_id: workspaceId, campaign_id, teammate_id } = payload as MailPayload
      const mail = await mailFor(db, { ...renderDeps, workspaceId }, campaign_id, teammate_id)
      if (!mail) return
      const outgoing = await compose({
        to: mail.to,
        workspaceId,
        language: null,
        write: campaignMail(mail),
      })
      if (!(await claimCampaignMail(db, workspaceId, campaign_id, teammate_id))) return
      try {
        await send(outgoing)
      } catch (error) {
        if (!wasRefused(error)) throw error // the mail was possibly delivered: the retry finds it begun and skips it
        await releaseCampaignMail(db, workspaceId, campaign_id, teammate_id)
        throw error
      }
    },
  },
]

/** Undefined when there is no reason to mail: the campaign is not live, or the signature shows no banner of it. */
async function mailFor(
  db: Db,
  context: RenderContext,
  campaignId: string,
  teammateId: string,
): Promise<CampaignMail | undefined> {
  const campaign = await findCampaign(db, context.workspaceId, campaignId)
  const emailId = await recordedAddress(db, context.workspaceId, campaignId, teammateId)
  if (campaign?.status !== 'active' || emailId === undefined) return undefined
  const { signature } = choose(await candidatesFor(db, context.workspaceId, emailId), newMail)
  const request = signature && { emailId, signatureId: signature.signature_id, variant: null }
  const rendered = request && (await renderOne(db, context, request))
  if (rendered?.campaignId !== campaignId) return undefined
  const page = await pageAddress(db, context, emailId)
  const { html, text } = rendered
  return page && { campaign: campaign.name, to: page.address, page: page.url, html, text }
}
