// The signature of one address and one kind of mail, with the reasons.

import { candidatesFor, choose, type Occasion } from '#features/recipients/index.ts'
import type { Db } from '#kernel/db.ts'
import { hasEmail } from './queries.ts'
import { type RenderContext, renderOne } from './render.ts'
import type { mailKinds } from './schemas.ts'

export interface ExplainRequest {
  readonly emailId: string
  readonly kind: (typeof mailKinds)[number]
  /** Null: now. */
  readonly at: Date | null
}

const occasionOf = (kind: ExplainRequest['kind']): Occasion => ({
  isReply: kind === 'reply',
  isInternal: kind === 'internal',
})

/** Undefined when there is no such address. */
export async function explain(
  db: Db,
  place: RenderContext,
  asked: ExplainRequest,
): Promise<object | undefined> {
  const { workspaceId } = place
  const { emailId, kind, at } = asked
  if (!(await hasEmail(db, workspaceId, emailId))) return undefined
  const candidates = await candidatesFor(db, workspaceId, emailId)
  const { signature, variant, isHidden, judged } = choose(candidates, occasionOf(kind))
  const seen =
    signature === null || isHidden
      ? undefined
      : await renderOne(db, place, { emailId, signatureId: signature.signature_id, variant }, at)
  return {
    signature_id: signature?.signature_id ?? null,
    variant,
    campaign_id: seen?.campaignId ?? null,
    html: seen?.html ?? null,
    text: seen?.text ?? null,
    candidates: judged.map(({ candidate, chosen, reason }) => ({
      signature_id: candidate.signature_id,
      name: candidate.name,
      priority: candidate.priority,
      sources: candidate.sources,
      chosen,
      reason,
    })),
  }
}
