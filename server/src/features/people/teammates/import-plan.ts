// What an import of rows would change, by the same rules as the import itself.
import { isManagedByDirectory } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { FreeSeats } from '#features/workspace/workspaces/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Detail } from '#kernel/base/errors.ts'
import { filesAddress } from '#kernel/base/public-address.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { leftToDirectory, resolveRowPictures, type SentRow, validateRows } from './import.ts'
import { type AddressOwner, findOwners, storedValuesOf } from './queries.ts'
import type { SentPicture, StoredPicture } from './values.ts'

interface PlannedChange {
  readonly smartFieldId: string
  /** Ids of assets for an image field, or the address that will be fetched. */
  readonly before: string | null
  readonly after: string | null
}

export interface PlannedRow {
  readonly index: number
  readonly email: string | null
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'failed'
  /** The teammate of the row's address, also where the row fails; null when there is none yet. */
  readonly teammate: Pick<AddressOwner, 'teammate_id' | 'active'> | null
  readonly changes: readonly PlannedChange[]
  readonly details: readonly Detail[]
}

/** The values of a row as texts: of a picture, the id of its asset, or its address. */
function sentTexts(
  { values, pictures }: Pick<SentRow, 'values' | 'pictures'>,
  assets: ReadonlyMap<SentPicture, StoredPicture>,
): ReadonlyMap<string, string | null> {
  const texts = new Map(values)
  for (const picture of pictures) {
    const { source, fieldId } = picture
    texts.set(fieldId, assets.get(picture)?.assetId ?? (source.kind === 'url' ? source.url : null))
  }
  return texts
}

/** `seats` are taken by the rows of new people. */
export async function planImport(
  db: Db,
  by: Caller,
  rows: readonly unknown[],
  publicUrl: string,
  seats: Pick<FreeSeats, 'take' | 'problem'>,
): Promise<PlannedRow[]> {
  const { workspaceId } = by
  const fields = await smartFieldsOf(db, workspaceId)
  const checked = validateRows(rows, fields, filesAddress(publicUrl, workspaceId))
  const { valid, failed, assets } = await resolveRowPictures(db, workspaceId, checked)
  const keys = checked.flatMap(({ email }) => (email === null ? [] : [comparisonKey(email)]))
  const owners = new Map((await findOwners(db, workspaceId, keys)).map(owner => [owner.address_key, owner]))
  const ownerOf = (email: string | null) =>
    email === null ? null : (owners.get(comparisonKey(email)) ?? null)
  const ids = [...new Set([...owners.values()].map(owner => owner.teammate_id))]
  const stored = new Map(
    (await storedValuesOf(db, workspaceId, ids)).map(value => [
      `${value.teammate_id} ${value.smart_field_id}`,
      value.value,
    ]),
  )
  const isManaged = valid.some(row => !owners.has(row.addressKey)) && (await isManagedByDirectory(db, by))
  const planned = valid.map((row): PlannedRow => {
    const { index, email } = row
    const teammate = ownerOf(email)
    const changes = [...sentTexts(row, assets)].flatMap(([smartFieldId, after]) => {
      const before = stored.get(`${teammate?.teammate_id} ${smartFieldId}`) ?? null
      return before === after ? [] : [{ smartFieldId, before, after }]
    })
    const base = { index, email, teammate, changes, details: [] }
    if (teammate) return { ...base, outcome: changes.length > 0 ? 'updated' : 'unchanged' }
    const problem = isManaged ? leftToDirectory() : seats.take() ? undefined : seats.problem
    if (!problem) return { ...base, outcome: 'created' }
    return { ...base, outcome: 'failed', changes: [], details: [problem] }
  })
  const refused = failed.map(
    ({ index, email, details }): PlannedRow => ({
      index,
      email,
      outcome: 'failed',
      teammate: ownerOf(email),
      changes: [],
      details,
    }),
  )
  return [...planned, ...refused].sort((a, b) => a.index - b.index)
}
