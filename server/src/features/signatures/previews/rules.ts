import type { Content } from '@signoff/render'
import type { ContactCards } from '#features/contact-cards/index.ts'
import { type DrawnPreview, referencesOf, renderPreview } from '#features/content/index.ts'
import type { Db } from '#kernel/db.ts'
import { invalid, orNotFound } from '#kernel/errors.ts'
import { findSignature, type Signature } from '../queries.ts'

export interface PreviewDeps {
  readonly publicUrl: string
  readonly cards: ContactCards
}

export interface ContentToPreview extends PreviewDeps {
  readonly workspaceId: string
  /** Null renders an empty preview. */
  readonly content: Content | null
  /** The address whose values are filled in; undefined fills in placeholders. */
  readonly emailId: string | undefined
}

const emptyContent: Content = { type: 'stack', children: [] }

/** Renders without tracking. */
export async function contentToPreview(
  db: Db,
  { workspaceId, publicUrl, cards, content, emailId = undefined }: ContentToPreview,
): Promise<DrawnPreview> {
  const rendered = await renderPreview(db, {
    workspaceId,
    publicUrl,
    cards,
    content: content ?? emptyContent,
    references: referencesOf(content),
    emailId: emailId ?? null,
  })
  if (!rendered) throw invalid('email_id', 'unknown_reference')
  return rendered
}

export const previewSources = ['draft', 'published'] as const

export interface PreviewRequest {
  readonly source?: (typeof previewSources)[number]
  readonly email_id?: string
}

const contentOf = (
  { draft_content, content }: Signature,
  source: PreviewRequest['source'],
): Content | null => {
  if (source === undefined) return draft_content ?? content
  return source === 'draft' ? draft_content : content
}

export async function previewSignature(
  db: Db,
  workspaceId: string,
  id: string,
  { source, email_id }: PreviewRequest,
  { publicUrl, cards }: PreviewDeps,
): Promise<DrawnPreview> {
  const signature = orNotFound(await findSignature(db, workspaceId, id))
  return contentToPreview(db, {
    workspaceId,
    publicUrl,
    cards,
    content: contentOf(signature, source),
    emailId: email_id,
  })
}
