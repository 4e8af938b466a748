// What a file would change as the run of a CSV directory.
import {
  DirectoryError,
  type FilePreviewDeps,
  type PreviewedLine,
  previewFile,
} from '#features/people/directories/index.ts'
import { invalid } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { directoryFieldsOf } from './directory.ts'
import type { ResolvedMapping } from './mapping.ts'
import type { StoredImport } from './queries.ts'
import type { ColumnMapping } from './reading/table.ts'
import { countRefused, refusedBatches } from './refused-rows.ts'
import type { ImportPreview } from './schemas.ts'

/** People and problems of each list. */
export const maxListed = 50

interface DirectoryFile extends Pick<StoredImport, 'id' | 'columns' | 'row_count'> {
  readonly mapping: ColumnMapping
  readonly directoryId: string
  readonly resolved: ResolvedMapping
  /** Labels of smart fields, by their ids. */
  readonly labels: ReadonlyMap<string, string>
  readonly isAbandoned: () => boolean
}

const actions = { added: 'create', changed: 'update', reactivated: 'reactivate' } as const

function changeOf(
  { line, address, teammate_id, change, before, after }: PreviewedLine,
  labels: DirectoryFile['labels'],
): ImportPreview['changes'] {
  if (!(change in actions)) return []
  const fields = [...labels].flatMap(([id, label]) => {
    const values = { before: before.get(id) ?? null, after: after.get(id) ?? null }
    return values.before === values.after ? [] : [{ smart_field_id: id, label, ...values }]
  })
  return [{ line, email: address, teammate_id, action: actions[change as keyof typeof actions], fields }]
}

async function firstFailures(
  db: Db,
  workspaceId: string,
  file: DirectoryFile,
  refused: Parameters<typeof refusedBatches>[3],
): Promise<ImportPreview['failures']> {
  const listed: ImportPreview['failures'] = []
  for await (const { failures } of refusedBatches(db, workspaceId, file, refused)) {
    listed.push(...failures.slice(0, maxListed - listed.length))
    if (listed.length === maxListed) break
  }
  return listed
}

export async function previewRun(
  db: Db,
  workspaceId: string,
  file: DirectoryFile,
  deps: FilePreviewDeps,
): Promise<ImportPreview> {
  const { id: importId, directoryId: integrationId, mapping, resolved, labels, isAbandoned } = file
  const tried = {
    workspaceId,
    integrationId,
    importId,
    mapping,
    fields: directoryFieldsOf(resolved.targets),
    isAbandoned,
    maxListed,
  }
  const run = await previewFile(db, tried, deps).catch(error => {
    if (!(error instanceof DirectoryError)) throw error
    throw invalid('mode', 'invalid', { message: `mode cannot be directory: ${error.message}` })
  })
  const { added, changed, reactivated, leavers, heldReason } = run
  const failed = countRefused(run.refused)
  return {
    created_count: added,
    updated_count: changed,
    unchanged_count: Math.max(0, file.row_count - added - changed - failed),
    failed_count: failed,
    deactivated_count: heldReason === null ? leavers.length : 0,
    reactivated_count: reactivated,
    confirmation_required: false,
    held_count: heldReason === null ? 0 : leavers.length,
    held_reason: heldReason,
    changes: run.people.flatMap(person => changeOf(person, labels)),
    failures: await firstFailures(db, workspaceId, file, run.refused),
    deactivations: leavers
      .slice(0, maxListed)
      .map(({ teammate_id, address }) => ({ teammate_id, email: address })),
  }
}
