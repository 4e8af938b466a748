import type { Content } from '@signoff/render'
import type { VariantKind } from '#features/signatures/signatures/index.ts'
import { isOfActivePerson } from '#features/workspace/emails/index.ts'
import { type Db, sql } from '#kernel/db/db.ts'

interface PublishedContent {
  readonly content: Content | null
  readonly shows_campaigns: boolean
}

export const publishedContent = (
  db: Db,
  workspaceId: string,
  signatureId: string,
  variant: VariantKind | null,
) =>
  db.first<PublishedContent>(
    variant === null
      ? sql`
          select content, true as shows_campaigns from signatures
          where workspace_id = ${workspaceId} and id = ${signatureId}`
      : sql`
          select content, show_marketing_campaigns as shows_campaigns from signature_variants
          where workspace_id = ${workspaceId} and signature_id = ${signatureId} and kind = ${variant}`,
  )

/** True if this address gets this signature; undefined when there is no such address. */
export const isRecipient = (db: Db, workspaceId: string, signatureId: string, emailId: string) =>
  db.value<boolean>(sql`
    select exists (
      select from recipients r
      where r.workspace_id = ${workspaceId} and r.signature_id = ${signatureId} and r.email_id = e.id)
      and ${isOfActivePerson(workspaceId, sql`e.id`)} as reached
    from emails e
    where e.workspace_id = ${workspaceId} and e.id = ${emailId} and e.deleted_at is null`)

export const hasEmail = (db: Db, workspaceId: string, emailId: string) =>
  db.hasRows(
    sql`select from emails where workspace_id = ${workspaceId} and id = ${emailId} and deleted_at is null`,
  )
