// A file in the mode `directory` while a CSV directory is connected: the engine of directories reads it, with its grace,
// approvals and groups.
import {
  type ImportedRun,
  type MappedField,
  refillValues,
  startRun,
} from '#features/people/directories/index.ts'
import { findMainDirectory } from '#features/workspace/integrations/index.ts'
import { mapFieldsTo, type SmartField } from '#features/workspace/smart-fields/index.ts'
import { refusalOfScope } from '#kernel/api/auth.ts'
import { type Caller, operator } from '#kernel/api/scopes.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { endImport, lockImport, saveRunCounts } from './queries.ts'
import { saveRefusedRows } from './refused-rows.ts'

/** The CSV directory of the workspace, if one is connected. */
export const csvDirectoryOf = async (db: Db, workspaceId: string): Promise<string | null> =>
  (await findMainDirectory(db, workspaceId, ['csv']))?.id ?? null

/** A file whose columns fill other smart fields changes the integration: that needs the same right as its settings. */
function refuseNewMapping(by: Caller): void {
  const refusal = refusalOfScope(by, 'integrations:write')
  if (!refusal) return
  const message = `mapping: the directory would fill other smart fields than before. ${refusal.message}`
  throw apiError(refusal.code as 'insufficient_scope' | 'insufficient_role', { message })
}

interface ColumnTarget {
  readonly column: string
  readonly field: Pick<SmartField, 'id' | 'kind' | 'label'>
}

/** A directory of files has no pictures. */
export const directoryFieldsOf = (targets: readonly ColumnTarget[]): MappedField[] =>
  targets
    .filter(({ field }) => field.kind !== 'image')
    .map(({ column, field: { id, kind, label } }) => ({ id, kind, label, attribute: column }))

/** The columns fill their smart fields from now on; other fields that the directory filled are written by hand again. */
export async function startFileRun(
  tx: Db,
  by: Caller,
  integrationId: string,
  importId: string,
  targets: readonly ColumnTarget[],
): Promise<void> {
  const columns = new Map(directoryFieldsOf(targets).map(({ id, attribute }) => [id, attribute]))
  if (await mapFieldsTo(tx, by, integrationId, columns)) refuseNewMapping(by)
  await startRun(tx, by, { integrationId, kind: 'full', trigger: 'import', importId })
}

/** The run of a file has ended, and so has its import. */
export async function endImportedRun(tx: Db, workspaceId: string, run: ImportedRun): Promise<void> {
  const locked = await lockImport(tx, workspaceId, run.importId)
  if (locked) {
    const failed = await saveRefusedRows(tx, workspaceId, locked, run.refused)
    await tx.query(saveRunCounts(workspaceId, { ...run, failed }))
    await endImport(tx, operator(workspaceId), run.importId, run.error)
  }
  // The run has skipped people whose rows are as before, and the mapping can have more fields. Not earlier: a column that
  // only the new file has would clear its field until the run comes to the person.
  if (run.error === null) await refillValues(tx, workspaceId, run.integrationId, false)
}
