import { type Db, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'
import type { RecipientParty } from './content.ts'

export interface StoredIssuer {
  readonly code: string
  readonly name: string
  readonly address: readonly string[]
  readonly tax_id: string | null
  readonly payment: readonly string[]
  readonly prefix: string
  readonly last_number: number
}

const issuerColumns = sql`code, name, address, tax_id, payment, prefix, last_number`

/** Locked until the end of the transaction. */
export const lockIssuer = (tx: Db, code: string) =>
  tx.first<StoredIssuer>(sql`select ${issuerColumns} from invoice_issuers where code = ${code} for update`)

/** One transaction at a time changes issuers. */
export const lockIssuers = (tx: Db) =>
  tx.query(sql`select pg_advisory_xact_lock(${namedLock(locks.invoices, 'issuers')})`)

export const listIssuers = (db: Db) =>
  db.query<StoredIssuer>(sql`select ${issuerColumns} from invoice_issuers order by code`)

export const hasIssuer = (db: Db, code: string) =>
  db.hasRows(sql`select from invoice_issuers where code = ${code}`)

/** Another issuer that has issued a document with this prefix, even if it has another prefix now. */
export const earlierUserOf = (tx: Db, code: string, prefix: string) =>
  tx.value<string>(sql`
    select issued ->> 'issuerCode' as code from financial_documents
    where source = 'issued' and issued ->> 'issuerCode' <> ${code} and starts_with(number, ${prefix})
      and substr(number, ${prefix.length + 1}) ~ '^[0-9]{5,}$'
    limit 1`)

export async function saveIssuer(tx: Db, issuer: StoredIssuer): Promise<void> {
  const now = new Date()
  await tx.query(sql`
    insert into invoice_issuers (code, name, address, tax_id, payment, prefix, last_number, created_at, updated_at)
    values (${issuer.code}, ${issuer.name}, ${issuer.address}::text[], ${issuer.tax_id}, ${issuer.payment}::text[],
      ${issuer.prefix}, ${issuer.last_number}, ${now}, ${now})
    on conflict (code) do update set name = excluded.name, address = excluded.address, tax_id = excluded.tax_id,
      payment = excluded.payment, prefix = excluded.prefix, updated_at = excluded.updated_at`)
}

/**
 * The issuer with its next number, which is `last_number` of the answer. Other transactions that issue wait for the end
 * of this one: a number that is rolled back is given to the next document.
 */
export const takeNumber = (tx: Db, code: string) =>
  tx.first<StoredIssuer>(sql`
    update invoice_issuers set last_number = last_number + 1 where code = ${code} returning ${issuerColumns}`)

export const findRecipient = (db: Db, workspaceId: string) =>
  db.first<RecipientParty>(sql`
    select name, address, tax_id as "taxId", reference from billing_recipients where workspace_id = ${workspaceId}`)

export const saveRecipient = (db: Db, workspaceId: string, recipient: RecipientParty) =>
  db.query(sql`
    insert into billing_recipients (workspace_id, name, address, tax_id, reference, updated_at)
    values (${workspaceId}, ${recipient.name}, ${recipient.address}::text[], ${recipient.taxId}, ${recipient.reference},
      ${new Date()})
    on conflict (workspace_id) do update set name = excluded.name, address = excluded.address, tax_id = excluded.tax_id,
      reference = excluded.reference, updated_at = excluded.updated_at`)

/** One transaction at a time issues documents of a workspace. */
export const lockInvoices = (tx: Db, workspaceId: string) =>
  tx.query(sql`select pg_advisory_xact_lock(${namedLock(locks.invoices, workspaceId)})`)

/** The number of an issued invoice for the period that begins then, unless a credit note has cancelled it. */
export const findIssued = (db: Db, workspaceId: string, periodStart: Date) =>
  db.value<string>(sql`
    select number from financial_documents d
    where workspace_id = ${workspaceId} and source = 'issued' and kind = 'invoice' and period_start = ${periodStart}
      and not exists (
        select from financial_documents c where c.workspace_id = ${workspaceId} and c.corrects_id = d.id)
    order by id desc limit 1`)

export const hasCreditNote = (db: Db, workspaceId: string, id: string) =>
  db.hasRows(sql`
    select from financial_documents where workspace_id = ${workspaceId} and corrects_id = ${id} limit 1`)
