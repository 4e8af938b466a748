import type { Content } from '@signoff/render'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'

export interface Version {
  readonly id: string
  readonly number: number
  readonly published_at: string
  readonly published_by: string
  readonly note: string | null
  readonly content: Content
}

const baseColumns = sql`v.id, v.number, ${iso(sql`v.published_at`)} as published_at, v.published_by, v.note`

/** Ordered by number: it is assigned while the signature is locked, so it does not depend on clocks. */
export const listVersions = (
  db: Db,
  workspaceId: string,
  signatureId: string,
  page: PageQuery,
): Promise<ListResult> => {
  const versions = sql`
    from signature_versions v where v.workspace_id = ${workspaceId} and v.signature_id = ${signatureId}`
  return listAsJson(
    db,
    page,
    sql`select ${baseColumns} ${versions} order by v.number desc ${limitOffset(page)}`,
    sql`select count(*) ${versions}`,
  )
}

export const findVersion = (db: Db, workspaceId: string, signatureId: string, id: string) =>
  db.first<Version>(sql`
    select ${baseColumns}, v.content from signature_versions v
    where v.workspace_id = ${workspaceId} and v.signature_id = ${signatureId} and v.id = ${id}`)

interface NewVersion {
  readonly id: string
  readonly signatureId: string
  readonly publishedAt: Date
}

/** Stores the draft of a locked signature as a version. */
export const insertVersion = (tx: Db, by: Caller, { id, signatureId, publishedAt }: NewVersion) =>
  tx.query(sql`
    insert into signature_versions (workspace_id, id, signature_id, number, content, note, published_by, published_at)
    select s.workspace_id, ${id}, s.id, s.version_number + 1, s.draft_content, s.draft_note,
      ${by.memberEmail ?? 'command line'}, ${publishedAt}
    from signatures s where s.workspace_id = ${by.workspaceId} and s.id = ${signatureId}`)
