import { audited } from '#features/audit-log/index.ts'
import { type Db, sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/pagination.ts'
import type { Caller } from '#kernel/scopes.ts'
import { iso } from '#kernel/text.ts'

const shape = sql`
  id, number, total_amount_cents, processor_receipt_url, ${iso(sql`due_date`)} as due_date,
  ${iso(sql`period_start`)} as period_start, ${iso(sql`period_end`)} as period_end, file, receipt,
  ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`

export const listDocuments = (db: Db, workspaceId: string, page: PageQuery): Promise<ListResult> =>
  listAsJson(
    db,
    page,
    sql`select ${shape} from financial_documents where workspace_id = ${workspaceId} order by id desc ${limitOffset(page)}`,
    sql`select count(*) from financial_documents where workspace_id = ${workspaceId}`,
  )

export async function findDocument(db: Db, workspaceId: string, id: string): Promise<object | undefined> {
  const [document] = await db.query<object>(
    sql`select ${shape} from financial_documents where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return document
}

export interface NewDocument {
  readonly number: string
  readonly totalAmountCents: number
  readonly processorReceiptUrl: string | null
  readonly dueDate: Date
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly file: object | null
  readonly receipt: object | null
}

export async function insertDocument(db: Db, by: Caller, document: NewDocument): Promise<void> {
  const { id, now } = newRow()
  const insert = sql`
    insert into financial_documents (workspace_id, id, number, total_amount_cents, processor_receipt_url, due_date,
      period_start, period_end, file, receipt, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${document.number}, ${document.totalAmountCents}, ${document.processorReceiptUrl},
      ${document.dueDate}, ${document.periodStart}, ${document.periodEnd}, ${JSON.stringify(document.file)},
      ${JSON.stringify(document.receipt)}, ${now}, ${now})
    returning id`
  await db.query(audited(by, 'financial_document.issued', insert))
}

export async function hasDocument(db: Db, workspaceId: string, number: string): Promise<boolean> {
  const rows = await db.query(
    sql`select from financial_documents where workspace_id = ${workspaceId} and number = ${number} limit 1`,
  )
  return rows.length > 0
}
