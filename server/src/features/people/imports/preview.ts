// What an import would change, without changing anything.
import type { FilePreviewDeps } from '#features/people/directories/index.ts'
import { type PlannedRow, planImport } from '#features/people/teammates/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { readFreeSeats } from '#features/workspace/workspaces/index.ts'
import type { IgnoredInput } from '#kernel/api/ignored.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { csvDirectoryOf } from './directory.ts'
import { maxListed, previewRun } from './directory-preview.ts'
import { comparePeople, needsConfirmation } from './leavers.ts'
import {
  failuresOf,
  type MappedRow,
  mapRow,
  type ResolvedMapping,
  type RowProblem,
  resolveMapping,
} from './mapping.ts'
import { activePeopleAfter, type StoredImport } from './queries.ts'
import { asTeammate, duplicateDetail, lineDetail, mappedBatches, splitRows } from './rows.ts'
import type { ImportPlan, ImportPreview } from './schemas.ts'
import { seatInactive } from './seats.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const lowestUuid = '00000000-0000-0000-0000-000000000000'

/** The first people who are active and not in the file. */
async function listLeavers(
  db: Db,
  workspaceId: string,
  present: ReadonlySet<string>,
): Promise<ImportPreview['deactivations']> {
  const leavers: ImportPreview['deactivations'] = []
  for (let after = lowestUuid; leavers.length < maxListed; ) {
    const people = await activePeopleAfter(db, workspaceId, after, 1_000)
    const last = people.at(-1)
    if (!last) break
    leavers.push(...people.filter(person => !present.has(person.teammate_id)))
    after = last.teammate_id
  }
  return leavers.slice(0, maxListed)
}

interface PreviewDeps extends FilePreviewDeps {
  readonly publicUrl: string
  /** The preview stops after the batch that it works on. */
  readonly isAbandoned: () => boolean
}

export async function previewImport(
  db: Db,
  by: Caller,
  stored: StoredImport,
  { mapping, mode = 'upsert' }: ImportPlan,
  { publicUrl, isAbandoned, ...deps }: PreviewDeps,
): Promise<{ readonly preview: ImportPreview; readonly ignored: readonly IgnoredInput[] }> {
  const fields = await smartFieldsOf(db, by.workspaceId)
  const labels = new Map(fields.map(({ id, label }) => [id, label]))
  const directoryId = mode === 'directory' ? await csvDirectoryOf(db, by.workspaceId) : null
  const resolved: ResolvedMapping = resolveMapping(mapping, stored.columns, fields, directoryId)
  if (directoryId !== null) {
    const file = { ...stored, mapping, directoryId, resolved, labels, isAbandoned }
    return { preview: await previewRun(db, by.workspaceId, file, deps), ignored: resolved.ignored }
  }
  const preview: Mutable<ImportPreview> = {
    created_count: 0,
    updated_count: 0,
    unchanged_count: 0,
    failed_count: 0,
    deactivated_count: 0,
    reactivated_count: 0,
    confirmation_required: false,
    held_count: 0,
    held_reason: null,
    changes: [],
    failures: [],
    deactivations: [],
  }
  const seen = new Set<string>()
  const fail = (row: MappedRow, details: readonly RowProblem[]) => {
    preview.failed_count++
    if (preview.failures.length < maxListed)
      preview.failures.push(...failuresOf(row, details, resolved.address.column))
  }
  const add = (row: MappedRow, planned: PlannedRow) => {
    const { outcome, teammate, changes, details } = planned
    const isReactivated = mode === 'directory' && teammate?.active === false
    if (isReactivated) preview.reactivated_count++
    if (outcome === 'failed') {
      fail(row, details)
      return
    }
    preview[`${outcome}_count`]++
    if ((outcome === 'unchanged' && !isReactivated) || preview.changes.length >= maxListed) return
    preview.changes.push({
      line: row.line,
      email: row.email,
      teammate_id: teammate?.teammate_id ?? null,
      action: outcome === 'created' ? 'create' : isReactivated ? 'reactivate' : 'update',
      fields: changes.map(({ smartFieldId, before, after }) => ({
        smart_field_id: smartFieldId,
        label: labels.get(smartFieldId) ?? '',
        before,
        after,
      })),
    })
  }
  const useKeys = async (keys: readonly string[]) => {
    const added = new Set(keys.filter(key => !seen.has(key)))
    for (const key of added) seen.add(key)
    return added
  }
  const people = mode === 'directory' ? await comparePeople(db, by.workspaceId, stored, resolved) : null
  const seats = await readFreeSeats(db, by.workspaceId, people?.leaving)
  for await (const batch of mappedBatches(db, by.workspaceId, stored, row => mapRow(row, resolved, mode))) {
    if (isAbandoned()) throw apiError('unavailable')
    const { usable, misread, duplicates } = await splitRows(batch, useKeys)
    const { seated, unseated } =
      mode === 'directory'
        ? await seatInactive(db, by.workspaceId, usable, seats)
        : { seated: usable, unseated: [] }
    const planned = await planImport(db, by, seated.map(asTeammate), publicUrl, seats)
    for (const row of planned) add(seated[row.index] as MappedRow, row)
    for (const row of unseated) fail(row, [seats.problem])
    for (const row of misread) fail(row, [lineDetail(row)])
    for (const row of duplicates) fail(row, [duplicateDetail(row)])
  }
  preview.failures = preview.failures.sort((a, b) => a.line - b.line).slice(0, maxListed)
  if (people) {
    preview.deactivated_count = people.leaving
    preview.confirmation_required = needsConfirmation(people.leaving, people.active)
    preview.deactivations = await listLeavers(db, by.workspaceId, people.present)
  }
  return { preview, ignored: resolved.ignored }
}
