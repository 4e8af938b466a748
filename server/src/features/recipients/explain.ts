// The signature of one address and one kind of mail, with the reasons.
import type { Content } from '@signoff/render'
import type { Db } from '../../kernel/db.ts'
import { preview, referencesOf } from '../content/index.ts'
import { choose, type Occasion } from './precedence.ts'
import { candidatesFor, contentOf, hasEmail } from './queries.ts'
import type { mailKinds } from './schemas.ts'

export interface Asked {
  readonly workspaceId: string
  readonly publicUrl: string
  readonly emailId: string
  readonly kind: (typeof mailKinds)[number]
}

const occasionOf = (kind: Asked['kind']): Occasion => ({
  isReply: kind === 'reply',
  isInternal: kind === 'internal',
})

/** Undefined when there is no such address. */
export async function explain(db: Db, asked: Asked): Promise<object | undefined> {
  const { workspaceId, publicUrl, emailId, kind } = asked
  if (!(await hasEmail(db, workspaceId, emailId))) return undefined
  const candidates = await candidatesFor(db, workspaceId, emailId)
  const { signature, variant, isHidden, judged } = choose(candidates, occasionOf(kind))
  const content =
    signature === null || isHidden
      ? null
      : ((await contentOf(db, workspaceId, signature.signature_id, variant)) as Content | null)
  const references = referencesOf(content)
  const seen = content && (await preview(db, { workspaceId, publicUrl, content, references, emailId }))
  return {
    signature_id: signature?.signature_id ?? null,
    variant,
    campaign_id: null,
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
