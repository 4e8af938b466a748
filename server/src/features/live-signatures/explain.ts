// Answers which signature one address gets for one kind of mail, and gives the reason for each candidate.

import { candidatesFor, choose, type MailKind } from '#features/recipients/index.ts'
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

const occasionOf = (kind: ExplainRequest['kind']): MailKind => ({
  isReply: kind === 'reply',
  isInternal: kind === 'internal',
})

/** Undefined when there is no such address. */
export async function explain(
  db: Db,
  context: RenderContext,
  request: ExplainRequest,
): Promise<object | undefined> {
  const { workspaceId } = context
  const { emailId, kind, at } = request
  if (!(await hasEmail(db, workspaceId, emailId))) return undefined
  const candidates = await candidatesFor(db, workspaceId, emailId)
  const { signature, variant, isHidden, explanations: judged } = choose(candidates, occasionOf(kind))
  const live =
    signature === null || isHidden
      ? undefined
      : await renderOne(db, context, { emailId, signatureId: signature.signature_id, variant }, at)
  return {
    signature_id: signature?.signature_id ?? null,
    variant,
    campaign_id: live?.campaignId ?? null,
    html: live?.html ?? null,
    text: live?.text ?? null,
    candidates: judged.map(({ candidate, chosen, reason_code, reason }) => ({
      signature_id: candidate.signature_id,
      name: candidate.name,
      priority: candidate.priority,
      sources: candidate.sources,
      chosen,
      reason_code,
      reason,
    })),
  }
}
