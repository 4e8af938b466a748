import type { Content } from '@signoff/render'
import { type Drawn, preview, referencesOf } from '#features/content/index.ts'
import type { Db } from '#kernel/db.ts'
import { found, invalid } from '#kernel/errors.ts'
import { findSignature, type Signature } from '../queries.ts'

export interface Shown {
  readonly workspaceId: string
  readonly publicUrl: string
  /** Null is nothing to show. */
  readonly content: Content | null
  /** Whose values; undefined for placeholders. */
  readonly emailId: string | undefined
}

const nothing: Content = { type: 'stack', children: [] }

/** Without tracking. */
export async function show(
  db: Db,
  { workspaceId, publicUrl, content, emailId = undefined }: Shown,
): Promise<Drawn> {
  const drawn = await preview(db, {
    workspaceId,
    publicUrl,
    content: content ?? nothing,
    references: referencesOf(content),
    emailId: emailId ?? null,
  })
  if (!drawn) throw invalid('email_id', 'unknown_reference')
  return drawn
}

export const sources = ['draft', 'published'] as const

export interface Wanted {
  readonly source?: (typeof sources)[number]
  readonly email_id?: string
}

const contentOf = ({ draft_content, content }: Signature, source: Wanted['source']): Content | null => {
  if (source === undefined) return draft_content ?? content
  return source === 'draft' ? draft_content : content
}

export async function previewSignature(
  db: Db,
  workspaceId: string,
  id: string,
  { source, email_id }: Wanted,
  publicUrl: string,
): Promise<Drawn> {
  const signature = found(await findSignature(db, workspaceId, id))
  return show(db, { workspaceId, publicUrl, content: contentOf(signature, source), emailId: email_id })
}
