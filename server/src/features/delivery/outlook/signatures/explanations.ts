// "Which signature do I get, and why": for the task pane of Outlook.
import { findCampaign } from '#features/signatures/campaigns/index.ts'
import { type RenderContext, renderOne } from '#features/signatures/live-signatures/index.ts'
import { candidatesFor, choose, newMail } from '#features/signatures/recipients/index.ts'
import { findSignature } from '#features/signatures/signatures/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { findAddressInUse } from './queries.ts'

type Candidates = Awaited<ReturnType<typeof candidatesFor>>

/** Content of a kind of mail: the signature itself, its variant for this kind, or nothing. */
function formOf(candidates: Candidates, kind: 'reply' | 'internal'): 'same' | 'variant' | 'hidden' {
  const { variant, isHidden } = choose(candidates, {
    isReply: kind === 'reply',
    isInternal: kind === 'internal',
  })
  if (isHidden) return 'hidden'
  return variant === kind ? 'variant' : 'same'
}

async function campaignNameOf(
  db: Db,
  context: RenderContext,
  emailId: string,
  signatureId: string,
): Promise<string | null> {
  const live = await renderOne(db, context, { emailId, signatureId, variant: null })
  const campaign = live?.campaignId ? await findCampaign(db, context.workspaceId, live.campaignId) : undefined
  return campaign?.name ?? null
}

/** `namesAll`: for people who are signed in. Names of other signatures, also unpublished ones, are in no mail. */
export async function explainFor(
  db: Db,
  context: RenderContext,
  from: string,
  namesAll: boolean,
): Promise<object> {
  const { workspaceId } = context
  const address = await findAddressInUse(db, workspaceId, from)
  if (!address) return { from, known: false, signature: null, candidates: [] }
  const candidates = await candidatesFor(db, workspaceId, address.id)
  const { signature: chosen, explanations } = choose(candidates, newMail)
  const stored = chosen && (await findSignature(db, workspaceId, chosen.signature_id))
  return {
    from,
    known: true,
    signature:
      chosen && stored
        ? {
            name: chosen.name,
            published_at: stored.last_published_at,
            reply: formOf(candidates, 'reply'),
            internal: formOf(candidates, 'internal'),
            campaign: await campaignNameOf(db, context, address.id, chosen.signature_id),
          }
        : null,
    candidates: (namesAll ? explanations : []).map(({ candidate, chosen: isChosen, reason_code }) => ({
      name: candidate.name,
      priority: candidate.priority,
      chosen: isChosen,
      reason_code,
    })),
  }
}
