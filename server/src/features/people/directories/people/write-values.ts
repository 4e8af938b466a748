// Writes the values that mapped attributes have, where they differ from the stored ones.
import { lockPictureAssets } from '#features/content/assets/index.ts'
import {
  type SmartFieldValues,
  type StoredPicture,
  storedValuesOf,
  writeValues,
} from '#features/people/teammates/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SyncContext } from '../context.ts'
import type { PersonProblem } from './clean.ts'
import type { StoredPerson } from './queries.ts'
import { type MappedField, mapValues } from './values.ts'

interface PersonWithAttributes {
  readonly teammateId: string
  readonly person: { readonly externalId: string; readonly attributes: Readonly<Record<string, string>> }
}

interface WrittenValues {
  /** Ids of teammates. */
  readonly changed: ReadonlySet<string>
  /** Problems by external id. */
  readonly problems: ReadonlyMap<string, readonly PersonProblem[]>
}

export async function writeMappedValues(
  tx: Db,
  { workspaceId, fields }: { readonly workspaceId: string; readonly fields: readonly MappedField[] },
  people: readonly PersonWithAttributes[],
): Promise<WrittenValues> {
  const problems = new Map<string, readonly PersonProblem[]>()
  const changes = new Map<string, SmartFieldValues>()
  if (fields.length === 0 || people.length === 0) return { changed: new Set(), problems }
  const ids = people.map(({ teammateId }) => teammateId)
  const stored = new Map(
    (await storedValuesOf(tx, workspaceId, ids)).map(row => [
      `${row.teammate_id} ${row.smart_field_id}`,
      row.value,
    ]),
  )
  for (const { teammateId, person } of people) {
    const mapped = mapValues(person.attributes, fields)
    if (mapped.problems.length > 0) problems.set(person.externalId, mapped.problems)
    const differing = [...mapped.values].filter(
      ([fieldId, value]) => (stored.get(`${teammateId} ${fieldId}`) ?? null) !== value,
    )
    if (differing.length > 0) changes.set(teammateId, new Map(differing))
  }
  if (changes.size > 0) await writeValues(tx, workspaceId, changes)
  return { changed: new Set(changes.keys()), problems }
}

/** The values that people had when they were removed. Fields and assets can be gone since. */
export async function restoreKeptValues(
  tx: Db,
  { workspaceId }: Pick<SyncContext, 'workspaceId'>,
  people: readonly { readonly teammateId: string; readonly stored: StoredPerson | undefined }[],
): Promise<void> {
  const returning = people.flatMap(({ teammateId, stored }) =>
    stored?.kept_values ? [{ teammateId, values: stored.kept_values }] : [],
  )
  if (returning.length === 0) return
  const fieldIds = new Set((await smartFieldsOf(tx, workspaceId)).map(({ id }) => id))
  const assetIds = returning.flatMap(({ values }) => values.flatMap(({ asset_id }) => asset_id ?? []))
  const assets = new Set(
    (await lockPictureAssets(tx, workspaceId, [...new Set(assetIds)])).map(({ id }) => id),
  )
  const restored = new Map<string, SmartFieldValues>()
  for (const { teammateId, values } of returning) {
    const own = new Map<string, string | StoredPicture>()
    for (const { smart_field_id, value, asset_id, crop } of values) {
      if (!fieldIds.has(smart_field_id) || (asset_id !== null && !assets.has(asset_id))) continue
      own.set(smart_field_id, asset_id === null ? value : { assetId: asset_id, crop: cropOf(crop) })
    }
    if (own.size > 0) restored.set(teammateId, own)
  }
  if (restored.size > 0) await writeValues(tx, workspaceId, restored)
}

function cropOf(crop: readonly number[] | null): StoredPicture['crop'] {
  const [x, y, width, height] = crop ?? []
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null
  return { x, y, width, height }
}
