// Labels of links, from the content that has them.
import { type FieldLabels, linkLabels, linkSourceLabel } from '@signoff/render'
import type { Db } from '#kernel/db/db.ts'
import { contentsWithLinks, earlierLinks, fieldLabels, type Labels } from './queries.ts'

/** Labels from the content that is published now, else from the version that was live when the link was made. */
export async function anchorLabels(db: Db, workspaceId: string, ids: readonly string[]): Promise<Labels> {
  const [fields, contents] = [
    await fieldLabels(db, workspaceId),
    await contentsWithLinks(db, workspaceId, ids),
  ]
  const labelOf: FieldLabels = id => fields.get(id.toLowerCase())
  const labels = new Map(contents.flatMap(content => [...linkLabels(content, labelOf)]))
  const missing = ids.filter(id => !labels.has(id))
  if (missing.length === 0) return labels
  for (const { id, link, content } of await earlierLinks(db, workspaceId, missing)) {
    const label = (content && linkLabels(content, labelOf).get(id)) ?? linkSourceLabel(link, labelOf)
    if (label !== '') labels.set(id, label)
  }
  return labels
}
