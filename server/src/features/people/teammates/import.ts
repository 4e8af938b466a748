// Many teammates at once: each row is validated by itself, and all valid rows are written in one transaction.

import { insertEmails } from '#features/workspace/emails/index.ts'
import { isManagedByDirectory } from '#features/workspace/integrations/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { type FreeSeats, lockFreeSeats } from '#features/workspace/workspaces/index.ts'
import type { IgnoredInput } from '#kernel/api/ignored.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { itemChecker } from '#kernel/api/validation.ts'
import { type Detail, detail } from '#kernel/base/errors.ts'
import { filesAddress } from '#kernel/base/public-address.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { enqueuePictureFetches } from './pictures/jobs.ts'
import { insertFetches, type NewFetch } from './pictures/queries.ts'
import { resolveAssets } from './pictures/rules.ts'
import { insertTeammates, ownersOf, touchEach, touchOwnersOfField, writeValues } from './queries.ts'
import type { TeammateWriteDeps } from './rules.ts'
import { maxSentValues, TeammateInput } from './schemas.ts'
import {
  type CheckedValues,
  type PictureSource,
  type SentPicture,
  type SentValue,
  type StoredPicture,
  valueChecker,
} from './values.ts'

interface Failure {
  readonly index: number
  readonly email: string | null
  readonly details: readonly Detail[]
}

export interface ImportResult {
  readonly created: number
  readonly updated: number
  readonly failed: readonly Failure[]
  /** Values without effect. */
  readonly ignored: readonly IgnoredInput[]
}

export interface SentRow extends CheckedValues {
  readonly index: number
  readonly email: string | null
}

interface Row extends Omit<SentRow, 'problems'> {
  readonly email: string
  readonly addressKey: string
}

const problemsOf = itemChecker(TeammateInput, 'teammate')
const valueProblemsOf = itemChecker(TeammateInput.properties.smart_fields.items, 'smart_fields')

/** The values of a row that does not match its schema; null for a value that does not match its own. */
function readableValues(sent: unknown): readonly (SentValue | null)[] {
  const items: readonly unknown[] = Array.isArray(sent) ? sent.slice(0, maxSentValues) : []
  return items.map(item => (valueProblemsOf(item).length === 0 ? (item as SentValue) : null))
}

/** Each row with its values, and with all problems that the smart fields of the workspace can tell. */
export function validateRows(
  rows: readonly unknown[],
  fields: readonly SmartField[],
  files: string,
): SentRow[] {
  const checkValues = valueChecker({ fields, files })
  return rows.map((row, index) => {
    const sent = row as { email?: unknown; smart_fields?: unknown } | null
    const email = typeof sent?.email === 'string' ? sent.email : null
    const problems = problemsOf(row)
    const values = problems.length === 0 ? (sent?.smart_fields ?? []) : readableValues(sent?.smart_fields)
    const checked = checkValues(values as readonly (SentValue | null)[])
    return { ...checked, index, email, problems: [...problems, ...checked.problems] }
  })
}

/** Adds the problems of unknown assets. Returns the rows without problems, and the pictures of assets. */
export async function resolveRowPictures(
  tx: Db,
  workspaceId: string,
  rows: readonly SentRow[],
): Promise<{
  readonly valid: Row[]
  readonly failed: Failure[]
  readonly assets: ReadonlyMap<SentPicture, StoredPicture>
}> {
  const pictures = rows.flatMap(row => row.pictures)
  const { assets, problems: unknownAssets } = await resolveAssets(tx, workspaceId, pictures)
  const valid: Row[] = []
  const failed: Failure[] = []
  for (const { problems, ...row } of rows) {
    const { index, email } = row
    const details = [...problems, ...row.pictures.flatMap(picture => unknownAssets.get(picture) ?? [])]
    if (details.length > 0 || email === null) failed.push({ index, email, details })
    else valid.push({ ...row, email, addressKey: comparisonKey(email) })
  }
  return { valid, failed, assets }
}

export async function importTeammates(
  db: Db,
  by: Caller,
  rows: readonly unknown[],
  deps: TeammateWriteDeps,
): Promise<ImportResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(tx => importOnce(tx, by, rows, deps))
    } catch (error) {
      // An address was created or a field deleted meanwhile: validated again, the row is an update or a failure.
      if (
        !(
          isViolation(error, 'emails_address') ||
          isViolation(error, touchOwnersOfField) ||
          isViolation(error, 'picture_fetches_field')
        ) ||
        attempt === 5
      )
        throw error
    }
  }
}

async function importOnce(
  tx: Db,
  by: Caller,
  rows: readonly unknown[],
  { publicUrl, onPeopleChange }: TeammateWriteDeps,
): Promise<ImportResult> {
  const fields = await smartFieldsOf(tx, by.workspaceId)
  const checked = validateRows(rows, fields, filesAddress(publicUrl, by.workspaceId))
  const { valid, failed, assets } = await resolveRowPictures(tx, by.workspaceId, checked)
  const byAddress = Map.groupBy(valid, row => row.addressKey)
  const seats = await lockFreeSeats(tx, by.workspaceId)
  const owners = await ownersOf(tx, by.workspaceId, [...byAddress.keys()])
  let newGroups = [...byAddress].filter(([key]) => !owners.has(key)).map(([, same]) => same)

  if (newGroups.length > 0 && (await isManagedByDirectory(tx, by))) {
    failed.push(...failuresOf(newGroups.flat(), leftToDirectory()))
    newGroups = []
  }
  const { seated, unseated } = seatInOrder(newGroups, seats)
  failed.push(...failuresOf(unseated.flat(), seats.problem))
  newGroups = seated

  const newEmails: string[] = []
  const newRows = newGroups.flatMap(([first]) => (first ? [first] : []))
  if (newRows.length > 0) {
    const ids = await insertTeammates(
      tx,
      by,
      newRows.map(row => row.email),
    )
    const primaries = newRows.map((row, n) => ({
      teammateId: ids[n] ?? '',
      address: row.email,
      key: row.addressKey,
    }))
    newEmails.push(...(await insertEmails(tx, by.workspaceId, primaries)))
    for (const { key, teammateId } of primaries) owners.set(key, teammateId)
  }

  const created = new Set(newRows)
  const values = new Map<string, TeammateValues>()
  const updated = new Set<string>()
  let updates = 0
  for (const row of valid) {
    const owner = owners.get(row.addressKey)
    if (owner === undefined) continue
    const teammateValues = values.get(owner) ?? new Map()
    for (const [field, value] of row.values) teammateValues.set(field, value)
    for (const picture of row.pictures)
      teammateValues.set(picture.fieldId, assets.get(picture) ?? picture.source)
    values.set(owner, teammateValues)
    if (created.has(row)) continue
    updates++
    updated.add(owner)
  }
  if (updated.size > 0) await touchEach(tx, by, [...updated].sort())
  await saveValues(tx, by, [...values].sort())
  await onPeopleChange(tx, by.workspaceId, [...values.keys()], newEmails)
  return {
    created: newRows.length,
    updated: updates,
    failed: limitDetails(failed),
    ignored: ignoredIn(valid),
  }
}

const failuresOf = (rows: readonly Row[], problem: Detail): Failure[] =>
  rows.map(({ index, email }) => ({ index, email, details: [problem] }))

/** The first of them get the seats that are left. */
export function seatInOrder<T>(people: readonly T[], seats: Pick<FreeSeats, 'take'>) {
  const seated: T[] = []
  const unseated: T[] = []
  for (const person of people) (seats.take() ? seated : unseated).push(person)
  return { seated, unseated }
}

export const leftToDirectory = (): Detail =>
  detail('email', 'invalid', { message: 'email is not a teammate yet, and a directory decides who is' })

/** Values by smart field id. A picture that is named by an address is fetched later. */
type TeammateValues = Map<string, string | StoredPicture | PictureSource | null>

async function saveValues(tx: Db, by: Caller, values: readonly [string, TeammateValues][]): Promise<void> {
  const now = new Map<string, Map<string, string | StoredPicture | null>>()
  const fetches: NewFetch[] = []
  for (const [teammateId, byField] of values) {
    const written = new Map<string, string | StoredPicture | null>()
    for (const [fieldId, value] of byField) {
      if (value === null || typeof value === 'string' || 'assetId' in value) written.set(fieldId, value)
      else if (value.kind === 'url') fetches.push({ teammateId, fieldId, url: value.url })
    }
    now.set(teammateId, written)
  }
  await writeValues(tx, by.workspaceId, now)
  if (fetches.length === 0) return
  await insertFetches(tx, by, fetches)
  await tx.query(enqueuePictureFetches(by.workspaceId))
}

/** The most values without effect in one answer. */
const maxIgnored = 1_000

const ignoredIn = (rows: readonly Row[]): IgnoredInput[] =>
  rows
    .flatMap(({ index, ignored }) =>
      ignored.map(({ field, code }) => ({ field: `teammates[${index}].${field}`, code })),
    )
    .slice(0, maxIgnored)

/** The most problems in one answer: a single request can contain some hundred thousand. */
const maxDetails = 2_000
const longestEmail = 320

/** Sorted by index; each row keeps at least its first problem. */
function limitDetails(failed: readonly Failure[]): Failure[] {
  let left = maxDetails - failed.length
  return [...failed]
    .sort((a, b) => a.index - b.index)
    .map(({ index, email, details }) => {
      const included = details.slice(0, 1 + Math.max(0, Math.min(left, 49)))
      left -= included.length - 1
      return { index, email: email?.slice(0, longestEmail).toWellFormed() ?? null, details: included }
    })
}
