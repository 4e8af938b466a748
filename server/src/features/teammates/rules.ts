import { saveTeammateLabel } from '#features/analytics/index.ts'
import type { AssetDeps, PreparedAsset } from '#features/assets/index.ts'
import {
  changePrimary,
  insertEmails,
  type OnPeopleChange,
  removeEmailsOf,
  rethrowAddressTaken,
} from '#features/emails/index.ts'
import { refuseIfManagedByDirectory } from '#features/integrations/index.ts'
import { type SmartField, smartFieldsOf } from '#features/smart-fields/index.ts'
import type { ReserveMemory } from '#kernel/body.ts'
import { type Db, isViolation } from '#kernel/db.ts'
import { apiError, invalid, orNotFound, validationError } from '#kernel/errors.ts'
import type { IgnoredInput } from '#kernel/ignored.ts'
import { filesAddress } from '#kernel/public-address.ts'
import type { Caller } from '#kernel/scopes.ts'
import { comparisonKey } from '#kernel/text.ts'
import {
  type FetchedPictures,
  fetchPictures,
  findImageField,
  type ImageInput,
  keepPictures,
  storedPictureOf,
} from './pictures/rules.ts'
import {
  auditUpdate,
  deleteTeammate,
  findTeammate,
  insertTeammates,
  lockTeammate,
  type Teammate,
  touchOwnersOfField,
  writeValues,
} from './queries.ts'
import type { PeopleWithSignature } from './selection/filters.ts'
import {
  type CheckedValues,
  ignoredBecause,
  type SentValue,
  type SmartFieldValues,
  type StoredPicture,
  valueChecker,
} from './values.ts'

export interface TeammateDeps extends AssetDeps {
  readonly peopleWithSignature: PeopleWithSignature
  /** Runs last in the transaction that changes teammates or their addresses. */
  readonly onPeopleChange: OnPeopleChange
}

/** What writing needs when pictures are stored already. */
export type TeammateWriteDeps = Pick<TeammateDeps, 'publicUrl' | 'onPeopleChange'>

const noValues: CheckedValues = { values: new Map(), pictures: [], ignored: [], problems: [] }

async function validateValues(
  db: Db,
  workspaceId: string,
  publicUrl: string,
  sent: readonly SentValue[] = [],
): Promise<CheckedValues> {
  if (sent.length === 0) return noValues
  const fields = await smartFieldsOf(db, workspaceId)
  const checked = valueChecker({ fields, files: filesAddress(publicUrl, workspaceId) })(sent)
  if (checked.problems.length > 0) throw validationError(checked.problems)
  return checked
}

const noPictures: FetchedPictures = new Map()

/**
 * The slow part of a request: fetches pictures. Refuses a bad request before it fetches anything; `assertAllowed` refuses
 * what the caller is not allowed to change.
 */
export async function prepareValues(
  db: Db,
  by: Caller,
  sent: readonly SentValue[] = [],
  deps: TeammateDeps & ReserveMemory,
  assertAllowed: () => Promise<void> = async () => undefined,
): Promise<FetchedPictures> {
  // Most requests name no address, and need no second check.
  if (!sent.some(({ value }) => value?.includes('://'))) return noPictures
  await assertAllowed()
  const { pictures } = await validateValues(db, by.workspaceId, deps.publicUrl, sent)
  return fetchPictures(db, by.workspaceId, pictures, deps)
}

/** Checks the values again in the transaction, and stores the pictures among them. */
async function acceptValues(
  tx: Db,
  by: Caller,
  { smart_fields, fetched }: Pick<TeammateChanges, 'smart_fields' | 'fetched'>,
  publicUrl: string,
): Promise<{ readonly values: SmartFieldValues; readonly ignored: readonly IgnoredInput[] }> {
  const { values, pictures, ignored } = await validateValues(tx, by.workspaceId, publicUrl, smart_fields)
  if (pictures.length === 0) return { values, ignored }
  const stored = await keepPictures(tx, by, pictures, fetched ?? noPictures, publicUrl)
  return { values: new Map<string, string | StoredPicture | null>([...values, ...stored]), ignored }
}

export const rethrowFieldDeleted = (error: unknown): never => {
  throw isViolation(error, touchOwnersOfField) ? invalid('smart_fields', 'unknown_reference') : error
}

export interface TeammateChanges {
  readonly email?: string
  readonly smart_fields?: readonly SentValue[]
  readonly fetched?: FetchedPictures
}

interface ChangedTeammate {
  readonly teammate: Teammate
  /** Values without effect. */
  readonly ignored: readonly IgnoredInput[]
}

export async function createTeammate(
  db: Db,
  by: Caller,
  input: TeammateChanges & { readonly email: string },
  deps: TeammateWriteDeps,
): Promise<ChangedTeammate> {
  return db.transaction(async tx => {
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    const { values, ignored } = await acceptValues(tx, by, input, deps.publicUrl)
    const [id = ''] = await insertTeammates(tx, by, [input.email])
    const emails = await insertEmails(tx, by.workspaceId, [{ teammateId: id, address: input.email }]).catch(
      rethrowAddressTaken('email'),
    )
    await writeValues(tx, by.workspaceId, new Map([[id, values]])).catch(rethrowFieldDeleted)
    await deps.onPeopleChange(tx, by.workspaceId, [id], emails)
    return { teammate: orNotFound(await findTeammate(tx, by.workspaceId, deps.publicUrl, id)), ignored }
  })
}

/** A caller with the role member can change only their own values. */
function refuseForeignChange(by: Caller, teammate: Teammate, patch: TeammateChanges): void {
  if (by.role !== 'member') return
  const callerKey = comparisonKey(by.memberEmail ?? '')
  const isOwn = teammate.emails.some(email => comparisonKey(email.address) === callerKey)
  if (!isOwn || patch.email !== undefined) {
    throw apiError('insufficient_role', {
      message: 'The role member includes writing your own smart-field values only.',
    })
  }
}

/** Before slow work: the teammate must exist, and the caller must be allowed to change it. */
export async function assertOwnChange(
  db: Db,
  by: Caller,
  id: string,
  publicUrl: string,
  patch: TeammateChanges = {},
): Promise<void> {
  refuseForeignChange(by, orNotFound(await findTeammate(db, by.workspaceId, publicUrl, id)), patch)
}

export async function changeTeammate(
  db: Db,
  by: Caller,
  id: string,
  patch: TeammateChanges,
  deps: TeammateWriteDeps,
): Promise<ChangedTeammate> {
  return db.transaction(async tx => {
    const changesNothing = patch.email === undefined && patch.smart_fields === undefined
    if (!changesNothing && !(await lockTeammate(tx, by.workspaceId, id))) throw apiError('not_found')
    const teammate = orNotFound(await findTeammate(tx, by.workspaceId, deps.publicUrl, id))
    refuseForeignChange(by, teammate, patch)
    if (changesNothing) return { teammate, ignored: [] }
    const { values, ignored } = await acceptValues(tx, by, patch, deps.publicUrl)
    if (patch.email !== undefined && patch.email !== teammate.email) {
      await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
      await changePrimary(tx, by.workspaceId, id, patch.email).catch(rethrowAddressTaken('email'))
    }
    await writeValues(tx, by.workspaceId, new Map([[id, values]])).catch(rethrowFieldDeleted)
    const changed = [
      ...(patch.email === undefined ? [] : ['email']),
      ...(values.size > 0 ? ['smart_fields'] : []),
    ]
    await auditUpdate(tx, by, id, changed)
    await deps.onPeopleChange(tx, by.workspaceId, [id])
    return { teammate: orNotFound(await findTeammate(tx, by.workspaceId, deps.publicUrl, id)), ignored }
  })
}

/** The path of a picture. */
export interface PictureOfTeammate {
  readonly id: string
  /** The id or the key of the field. */
  readonly smart_field_id: string
}

/** Writes or clears one picture, in a transaction that has locked the teammate. */
async function writePicture(
  tx: Db,
  by: Caller,
  id: string,
  field: SmartField,
  picture: StoredPicture | null,
  deps: TeammateWriteDeps,
): Promise<void> {
  const values = new Map([[id, new Map([[field.id, picture]])]])
  await writeValues(tx, by.workspaceId, values, false).catch(rethrowFieldDeleted)
  await auditUpdate(tx, by, id, ['smart_fields'])
  await deps.onPeopleChange(tx, by.workspaceId, [id])
}

export async function setPicture(
  db: Db,
  by: Caller,
  at: PictureOfTeammate,
  { image, prepared }: { readonly image: ImageInput; readonly prepared: PreparedAsset | null },
  deps: TeammateWriteDeps,
): Promise<ChangedTeammate> {
  return db.transaction(async tx => {
    const find = async () => orNotFound(await findTeammate(tx, by.workspaceId, deps.publicUrl, at.id))
    const field = await findImageField(tx, by.workspaceId, at.smart_field_id)
    const reason = ignoredBecause(field)
    if (!reason && !(await lockTeammate(tx, by.workspaceId, at.id))) throw apiError('not_found')
    const teammate = await find()
    refuseForeignChange(by, teammate, {})
    if (reason) return { teammate, ignored: [{ field: 'image', code: reason }] }
    const picture = await storedPictureOf(tx, by, image, prepared, deps.publicUrl)
    await writePicture(tx, by, at.id, field, picture, deps)
    return { teammate: await find(), ignored: [] }
  })
}

export async function clearPicture(
  db: Db,
  by: Caller,
  at: PictureOfTeammate,
  deps: TeammateWriteDeps,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockTeammate(tx, by.workspaceId, at.id))) throw apiError('not_found')
    await assertOwnChange(tx, by, at.id, deps.publicUrl)
    const field = await findImageField(tx, by.workspaceId, at.smart_field_id)
    if (ignoredBecause(field))
      throw apiError('directory_managed', { message: `A directory writes ${field.label}; change it there.` })
    await writePicture(tx, by, at.id, field, null, deps)
  })
}

export async function removeTeammate(db: Db, by: Caller, id: string, deps: TeammateWriteDeps): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockTeammate(tx, by.workspaceId, id))) throw apiError('not_found')
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    const teammate = orNotFound(await findTeammate(tx, by.workspaceId, deps.publicUrl, id))
    await saveTeammateLabel(tx, by.workspaceId, teammate.id)
    await deleteTeammate(tx, by, teammate)
    await removeEmailsOf(tx, by.workspaceId, id)
    await deps.onPeopleChange(tx, by.workspaceId, [id])
  })
}
