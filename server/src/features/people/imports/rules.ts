import type { FilePreviewDeps } from '#features/people/directories/index.ts'
import type { TeammateWriteDeps } from '#features/people/teammates/index.ts'
import { refuseIfManagedByDirectory } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { IgnoredInput } from '#kernel/api/ignored.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { asPlainName } from '#kernel/db/text.ts'
import { csvDirectoryOf, startFileRun } from './directory.ts'
import { enqueueImport } from './jobs.ts'
import { comparePeople, needsConfirmation } from './leavers.ts'
import { type ResolvedMapping, resolveMapping } from './mapping.ts'
import {
  beginImport,
  findImport,
  insertImport,
  lockImport,
  removeImport,
  type StoredImport,
} from './queries.ts'
import { UnreadableFile } from './reading/limits.ts'
import type { ReadFile, TableFile } from './reading/read-table.ts'
import type { TableReader } from './reading/reader.ts'
import type { ImportApply, UploadedTable } from './schemas.ts'

export interface ImportDeps extends TeammateWriteDeps, FilePreviewDeps {
  readonly reader: Pick<TableReader, 'read'>
}

const tableFileOf = (file: UploadedTable): TableFile =>
  'raw' in file ? { bytes: file.raw, transfer: 'bytes' } : { bytes: file.literal, transfer: 'base64' }

/** The slow part: reads the file in a thread. */
export async function readUpload(
  db: Db,
  by: Caller,
  file: UploadedTable,
  { reader }: Pick<ImportDeps, 'reader'>,
): Promise<ReadFile> {
  const fields = (await smartFieldsOf(db, by.workspaceId)).map(({ key, label, computed }) => ({
    key,
    label,
    isAddress: computed,
  }))
  try {
    return await reader.read(by.workspaceId, tableFileOf(file), fields)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const field = 'raw' in file ? 'body' : 'file_base64'
    const message = `${field} ${error.message}`
    if (error.code === 'malformed_json') throw apiError('malformed_json')
    if (error.code === 'payload_too_large') throw apiError('payload_too_large', { message })
    throw invalid(field, error.code, { message })
  }
}

export const createImport = (
  db: Db,
  by: Caller,
  file: ReadFile,
  fileName: string | null = null,
): Promise<StoredImport> =>
  db.transaction(async tx => {
    const id = await insertImport(tx, by, file, fileName === null ? null : asPlainName(fileName) || null)
    return orNotFound(await findImport(tx, by.workspaceId, id))
  })

/** Rows are there until an import is done. */
export async function findWithRows(db: Db, workspaceId: string, id: string): Promise<StoredImport> {
  const stored = orNotFound(await findImport(db, workspaceId, id))
  refuseUnlessIdle(stored)
  return stored
}

function refuseUnlessIdle({ state }: Pick<StoredImport, 'state'>): void {
  if (state === 'running') throw apiError('import_state', { message: 'The import is running already.' })
  if (state === 'done')
    throw apiError('import_state', {
      message: 'The import is done, and its rows are deleted: upload the file again.',
    })
}

/** Refuses to switch off many people, or all of them, without a confirmation. */
async function refuseUnconfirmed(
  tx: Db,
  by: Caller,
  stored: Pick<StoredImport, 'id' | 'row_count'>,
  resolved: ResolvedMapping,
  confirm: number | null,
): Promise<void> {
  const { hasAddress, leaving, active } = await comparePeople(tx, by.workspaceId, stored, resolved)
  if (!hasAddress)
    throw invalid('mode', 'invalid', { message: 'mode cannot be directory: the file has no addresses' })
  if (leaving <= (confirm ?? 0) || !needsConfirmation(leaving, active)) return
  throw apiError('deactivations_not_confirmed', {
    message: `${leaving} of ${active} active people are not in the file and would become inactive. If that is right, send "confirm": ${leaving}.`,
  })
}

export const applyImport = (
  db: Db,
  by: Caller,
  id: string,
  { mapping, mode = 'upsert', confirm = null }: ImportApply,
  { publicUrl }: Pick<ImportDeps, 'publicUrl'>,
): Promise<{ readonly stored: StoredImport; readonly ignored: readonly IgnoredInput[] }> =>
  db.transaction(async tx => {
    const locked = orNotFound(await lockImport(tx, by.workspaceId, id))
    refuseUnlessIdle(locked)
    const fields = await smartFieldsOf(tx, by.workspaceId)
    const directoryId = mode === 'directory' ? await csvDirectoryOf(tx, by.workspaceId) : null
    const resolved = resolveMapping(mapping, locked.columns, fields, directoryId)
    const reread = async () => orNotFound(await findImport(tx, by.workspaceId, id))
    if (directoryId !== null) {
      await beginImport(tx, by, id, { mapping, mode, confirmed: confirm })
      await startFileRun(tx, by, directoryId, id, resolved.targets)
      return { stored: await reread(), ignored: resolved.ignored }
    }
    if (mode === 'directory') {
      await refuseIfManagedByDirectory(tx, by, publicUrl)
      await refuseUnconfirmed(tx, by, locked, resolved, confirm)
    }
    await beginImport(tx, by, id, { mapping, mode, confirmed: confirm })
    await tx.query(enqueueImport(by.workspaceId, id))
    return { stored: await reread(), ignored: resolved.ignored }
  })

export async function deleteImport(db: Db, by: Caller, id: string): Promise<void> {
  if (!(await removeImport(db, by, id))) throw apiError('not_found')
}
