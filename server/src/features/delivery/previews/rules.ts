import type { Content } from '@signoff/render'
import { acceptContent, referencesOf } from '#features/content/content/index.ts'
import type { RenderContext } from '#features/signatures/live-signatures/index.ts'
import { findSignature, type Signature } from '#features/signatures/signatures/index.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { renderAsSent, type SizedPreview } from './render.ts'
import type { SignaturePreviewQuery } from './schemas.ts'

const emptyContent: Content = { type: 'stack', children: [] }

const sourceOf = (
  { draft_content, content }: Signature,
  source: SignaturePreviewQuery['source'],
): Content | null => {
  if (source === undefined) return draft_content ?? content
  return source === 'draft' ? draft_content : content
}

/** A signature without content gives an empty preview. */
export async function previewSignature(
  db: Db,
  context: RenderContext,
  id: string,
  { source, email_id: emailId, campaign }: SignaturePreviewQuery,
): Promise<SizedPreview> {
  const signature = orNotFound(await findSignature(db, context.workspaceId, id))
  const content = sourceOf(signature, source)
  const previewed = { content: content ?? emptyContent, references: referencesOf(content) }
  return renderAsSent(db, context, { ...previewed, signatureId: signature.id, emailId, campaign })
}

/** Content of no signature: of the running campaigns, only those for all signatures are shown. */
export async function previewContent(
  db: Db,
  context: RenderContext,
  { content, email_id: emailId }: { readonly content: unknown; readonly email_id?: string },
  campaign: string | undefined,
): Promise<SizedPreview> {
  const accepted = await acceptContent(db, context.workspaceId, content, { field: 'content' })
  return renderAsSent(db, context, { ...accepted, signatureId: null, emailId, campaign })
}
