import { audited } from '#features/workspace/audit-log/index.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import type { KeptFile, StoredDocumentFile } from './files.ts'
import type { IssuedContent } from './issuing/content.ts'

/** A file in the store has the address of its route; other files have their own. */
const shape = (publicUrl: string): Sql => sql`
  id, number, total_amount_cents, processor_receipt_url, ${iso(sql`due_date`)} as due_date,
  ${iso(sql`period_start`)} as period_start, ${iso(sql`period_end`)} as period_end,
  case when file_sha256 is null then file
    else file || jsonb_build_object('url', ${publicUrl}::text || '/v1/financial_documents/' || id || '/file') end as file,
  receipt, ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`

interface DocumentScope {
  readonly workspaceId: string
  readonly publicUrl: string
}

export const listDocuments = (
  db: Db,
  { workspaceId, publicUrl }: DocumentScope,
  page: PageQuery,
): Promise<ListResult> =>
  listRows(db, page, shape(publicUrl), sql`from financial_documents where workspace_id = ${workspaceId}`)

export const findDocument = (db: Db, { workspaceId, publicUrl }: DocumentScope, id: string) =>
  db.first<object>(
    sql`select ${shape(publicUrl)} from financial_documents where workspace_id = ${workspaceId} and id = ${id}`,
  )

export const findDocumentFile = (db: Db, workspaceId: string, id: string) =>
  db.first<{ readonly file: StoredDocumentFile; readonly sha256: string }>(sql`
    select file, file_sha256 as sha256 from financial_documents
    where workspace_id = ${workspaceId} and id = ${id} and file_sha256 is not null`)

/** `other`: entered without a file in the store, as older versions of the demo did. */
type DocumentSource = 'issued' | 'stripe' | 'other'

interface NewDocument {
  readonly source: DocumentSource
  readonly kind: 'invoice' | 'credit_note'
  readonly number: string
  readonly totalAmountCents: number
  readonly currency: string | null
  readonly processorReceiptUrl: string | null
  readonly dueDate: Date | null
  readonly periodStart: Date | null
  readonly periodEnd: Date | null
  readonly storedFile: KeptFile | null
  readonly issued: IssuedContent | null
  /** Id of the invoice, for a credit note. */
  readonly correctsId: string | null
}

/** There is no statement that changes a document. Undefined when the number exists already. */
export async function insertDocument(
  tx: Db,
  by: Caller,
  document: NewDocument,
  row: { readonly id: string; readonly now: Date },
): Promise<string | undefined> {
  const { storedFile } = document
  const insert = sql`
    insert into financial_documents (workspace_id, id, source, kind, number, total_amount_cents, currency,
      processor_receipt_url, due_date, period_start, period_end, file, file_sha256, issued, corrects_id, created_at, updated_at)
    values (${by.workspaceId}, ${row.id}, ${document.source}, ${document.kind}, ${document.number},
      ${document.totalAmountCents}, ${document.currency}, ${document.processorReceiptUrl}, ${document.dueDate},
      ${document.periodStart}, ${document.periodEnd}, ${storedFile && JSON.stringify(storedFile.file)}, ${storedFile?.sha256 ?? null},
      ${document.issued && JSON.stringify(document.issued)}, ${document.correctsId}, ${row.now}, ${row.now})
    on conflict (workspace_id, source, number) where source <> 'other' do nothing
    returning id`
  const action = document.source === 'stripe' ? 'imported' : 'issued'
  const inserted = await tx.query(audited(by, `financial_document.${action}`, insert))
  return inserted.length > 0 ? row.id : undefined
}

export interface FoundDocument {
  readonly id: string
  readonly kind: 'invoice' | 'credit_note'
  readonly issued: IssuedContent | null
  readonly created_at: Date
}

export const findByNumber = (db: Db, workspaceId: string, source: DocumentSource, number: string) =>
  db.first<FoundDocument>(sql`
    select id, kind, issued, created_at from financial_documents
    where workspace_id = ${workspaceId} and source = ${source} and number = ${number} limit 1`)

interface ListedDocument {
  readonly number: string
  readonly kind: string
  readonly source: DocumentSource
  readonly total_amount_cents: number
  readonly currency: string | null
  readonly created_at: string
}

/** All of a workspace, for the command line. */
export const allDocuments = (db: Db, workspaceId: string) =>
  db.query<ListedDocument>(sql`
    select number, kind, source, total_amount_cents, currency, ${iso(sql`created_at`)} as created_at
    from financial_documents where workspace_id = ${workspaceId} order by id`)
