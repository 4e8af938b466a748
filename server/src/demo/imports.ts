// Uploaded tables of people: one that a job imports, and one that waits for a decision.
import { applyImport, createImport, listImports, readTable } from '#features/people/imports/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'

const addressField = { key: 'email', label: 'Email', isAddress: true }
const firstName = { key: 'first_name', label: 'First name', isAddress: false }

/** The first line names the columns. The last row has no valid address. */
const lines = [
  'E-Mail;Vorname',
  'ada.moreno@northbean.example;Ada',
  'ben.whitaker@northbean.example;Ben',
  'kofi;Kofi',
]

/** Idempotent, while the imports are kept. */
export async function fillImports(db: Db, by: Caller, { config }: Parts): Promise<void> {
  const { pagination } = await listImports(db, by.workspaceId, { page: 1, limit: 1 })
  if (pagination.total_count > 0) return
  const file = { bytes: Buffer.from(lines.join('\n')), transfer: 'bytes' } as const
  const table = await readTable(file, [addressField, firstName])
  const { id } = await createImport(db, by, table, 'people-2026-10.csv')
  await applyImport(db, by, id, { mapping: table.guessedMapping }, { publicUrl: config.publicUrl })
  await createImport(db, by, table, 'people-2026-11.csv')
}
