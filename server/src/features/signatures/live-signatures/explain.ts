// Answers which signature one address gets for one kind of mail, and gives the reason for each candidate.

import { candidatesFor, choose, type MailKind } from '#features/signatures/recipients/index.ts'
import { isInternalMail, ownDomainsOf } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { hasEmail } from './queries.ts'
import { type RenderContext, renderOne } from './render.ts'
import type { mailKinds } from './schemas.ts'

interface ExplainRequest {
  readonly emailId: string
  readonly kind: (typeof mailKinds)[number]
  /** The recipients of the mail, which decide whether it is internal; null: `kind` says it. */
  readonly to: readonly string[] | null
  /** Null: now. */
  readonly at: Date | null
}

const mailKindOf = async (
  db: Db,
  workspaceId: string,
  { kind, to }: Pick<ExplainRequest, 'kind' | 'to'>,
): Promise<MailKind> => ({
  isReply: kind === 'reply',
  isInternal: to === null ? kind === 'internal' : isInternalMail(to, await ownDomainsOf(db, workspaceId)),
})

/** Undefined when there is no such address. */
export async function explain(
  db: Db,
  context: RenderContext,
  request: ExplainRequest,
): Promise<object | undefined> {
  const { workspaceId } = context
  const { emailId, at } = request
  if (!(await hasEmail(db, workspaceId, emailId))) return undefined
  const candidates = await candidatesFor(db, workspaceId, emailId)
  const mailKind = await mailKindOf(db, workspaceId, request)
  const { signature, variant, isHidden, explanations: judged } = choose(candidates, mailKind)
  const live =
    signature === null || isHidden
      ? undefined
      : await renderOne(db, context, { emailId, signatureId: signature.signature_id, variant }, at)
  return {
    signature_id: signature?.signature_id ?? null,
    variant,
    internal: mailKind.isInternal,
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
