import type { AssetDeps, PreparedAsset } from '#features/content/assets/index.ts'
import { saveTeammateLabel } from '#features/measurement/analytics/index.ts'
import {
  changePrimary,
  insertEmails,
  type OnPeopleChange,
  removeEmailsOf,
  rethrowAddressTaken,
} from '#features/workspace/emails/index.ts'
import { refuseIfManagedByDirectory } from '#features/workspace/integrations/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { lockFreeSeats, noSeatLeft } from '#features/workspace/workspaces/index.ts'
import type { ReserveMemory } from '#kernel/api/body.ts'
import type { IgnoredInput } from '#kernel/api/ignored.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, invalid, orNotFound, validationError } from '#kernel/base/errors.ts'
import { filesAddress } from '#kernel/base/public-address.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import { livingIds } from './bulk/queries.ts'
import {
  isSelfService,
  refuseAddressChange,
  refuseForeignChange,
  refuseUneditable,
  refuseUneditableField,
  splitValues,
} from './own-changes.ts'
import {
  type FetchedPictures,
  fetchPictures,
  findImageField,
  type ImageInput,
  keepPictures,
  storedPictureOf,
} from './pictures/rules.ts'
import type { ProfileChangeView } from './profile-changes/queries.ts'
import { requestChanges } from './profile-changes/request.ts'
import {
  auditUpdate,
  deleteTeammate,
  findTeammate,
  holdTeammate,
  insertTeammates,
  lockTeammate,
  touchOwnersOfField,
  updateActive,
  writeValues,
} from './queries.ts'
import type { Teammate } from './schemas.ts'
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

/** The dependencies of writing when pictures are stored already. */
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
  assertAllowed: () => Promise<unknown> = async () => undefined,
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
  { smart_fields, fetched }: Pick<TeammateEdit, 'smart_fields' | 'fetched'>,
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

interface TeammateEdit {
  readonly email?: string
  readonly smart_fields?: readonly SentValue[]
  readonly fetched?: FetchedPictures
}

interface ChangedTeammate {
  readonly teammate: Teammate
  /** Values without effect. */
  readonly ignored: readonly IgnoredInput[]
  /** Values of this request that wait for the approval of a manager. */
  readonly pending: readonly ProfileChangeView[]
}

export const createTeammate = (
  db: Db,
  by: Caller,
  input: TeammateEdit & { readonly email: string },
  deps: TeammateWriteDeps,
): Promise<Omit<ChangedTeammate, 'pending'>> =>
  db.transaction(async tx => {
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    const seats = await lockFreeSeats(tx, by.workspaceId)
    if (!seats.take()) throw noSeatLeft(seats, deps.publicUrl)
    const { values, ignored } = await acceptValues(tx, by, input, deps.publicUrl)
    const [id = ''] = await insertTeammates(tx, by, [input.email])
    const emails = await insertEmails(tx, by.workspaceId, [{ teammateId: id, address: input.email }]).catch(
      rethrowAddressTaken('email'),
    )
    await writeValues(tx, by.workspaceId, new Map([[id, values]])).catch(rethrowFieldDeleted)
    await deps.onPeopleChange(tx, by.workspaceId, [id], emails)
    return { teammate: orNotFound(await findTeammate(tx, by.workspaceId, deps.publicUrl, id)), ignored }
  })

/** Checks before slow work that the teammate exists and the caller may change it. */
export async function assertOwnChange(
  db: Db,
  by: Caller,
  id: string,
  publicUrl: string,
  { email, smart_fields = [] }: TeammateEdit = {},
): Promise<Teammate> {
  const teammate = orNotFound(await findTeammate(db, by.workspaceId, publicUrl, id))
  refuseForeignChange(by, teammate)
  if (!isSelfService(by)) return teammate
  if (email !== undefined) refuseAddressChange()
  refuseUneditable(by, await smartFieldsOf(db, by.workspaceId), smart_fields)
  return teammate
}

/** Locks the teammate. In self-service, only values that are written at once change it: see `holdTeammate`. */
const lockFor = (by: Caller) => (isSelfService(by) ? holdTeammate : lockTeammate)

export async function changeTeammate(
  db: Db,
  by: Caller,
  id: string,
  patch: TeammateEdit,
  deps: TeammateWriteDeps,
): Promise<ChangedTeammate> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const changesNothing = patch.email === undefined && patch.smart_fields === undefined
    if (!changesNothing && !(await lockFor(by)(tx, workspaceId, id))) throw apiError('not_found')
    const teammate = await assertOwnChange(tx, by, id, deps.publicUrl, patch)
    if (changesNothing) return { teammate, ignored: [], pending: [] }
    const { values, ignored } = await acceptValues(tx, by, patch, deps.publicUrl)
    const fields = isSelfService(by) ? await smartFieldsOf(tx, workspaceId) : []
    const { direct, waiting } = splitValues(by, fields, values)
    const pending = await requestChanges(tx, by, id, waiting, deps.publicUrl)
    if (!isSelfService(by) || direct.size > 0) await writeChanges(tx, by, teammate, patch.email, direct, deps)
    return { teammate: orNotFound(await findTeammate(tx, workspaceId, deps.publicUrl, id)), ignored, pending }
  })
}

/** Writes an address and values, in a transaction that has locked the teammate. */
async function writeChanges(
  tx: Db,
  by: Caller,
  { id, email: current }: Teammate,
  email: string | undefined,
  values: SmartFieldValues,
  deps: TeammateWriteDeps,
): Promise<void> {
  const { workspaceId } = by
  if (email !== undefined && email !== current) {
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    await changePrimary(tx, workspaceId, id, email).catch(rethrowAddressTaken('email'))
  }
  if (isSelfService(by)) await lockTeammate(tx, workspaceId, id)
  await writeValues(tx, workspaceId, new Map([[id, values]])).catch(rethrowFieldDeleted)
  const changed = [...(email === undefined ? [] : ['email']), ...(values.size > 0 ? ['smart_fields'] : [])]
  await auditUpdate(tx, by, id, changed)
  await deps.onPeopleChange(tx, workspaceId, [id])
}

/** The path of a picture. */
interface PictureOfTeammate {
  readonly id: string
  /** The id or the key of the field. */
  readonly smart_field_id: string
}

/** Writes or clears one picture, or asks for it, in a transaction that holds the teammate. Returns what waits. */
async function writePicture(
  tx: Db,
  by: Caller,
  id: string,
  field: SmartField,
  picture: StoredPicture | null,
  deps: TeammateWriteDeps,
): Promise<readonly ProfileChangeView[]> {
  const { direct, waiting } = splitValues(by, [field], new Map([[field.id, picture]]))
  if (direct.size === 0) return requestChanges(tx, by, id, waiting, deps.publicUrl)
  await lockTeammate(tx, by.workspaceId, id)
  await writeValues(tx, by.workspaceId, new Map([[id, direct]]), false).catch(rethrowFieldDeleted)
  await auditUpdate(tx, by, id, ['smart_fields'])
  await deps.onPeopleChange(tx, by.workspaceId, [id])
  return []
}

export const setPicture = (
  db: Db,
  by: Caller,
  at: PictureOfTeammate,
  { image, prepared }: { readonly image: ImageInput; readonly prepared: PreparedAsset | null },
  deps: TeammateWriteDeps,
): Promise<ChangedTeammate> =>
  db.transaction(async tx => {
    const find = async () => orNotFound(await findTeammate(tx, by.workspaceId, deps.publicUrl, at.id))
    const field = await findImageField(tx, by.workspaceId, at.smart_field_id)
    const reason = ignoredBecause(field)
    if (!reason && !(await holdTeammate(tx, by.workspaceId, at.id))) throw apiError('not_found')
    const teammate = await find()
    refuseForeignChange(by, teammate)
    refuseUneditableField(by, field)
    if (reason) return { teammate, ignored: [{ field: 'image', code: reason }], pending: [] }
    const picture = await storedPictureOf(tx, by, image, prepared, deps.publicUrl)
    const pending = await writePicture(tx, by, at.id, field, picture, deps)
    return { teammate: await find(), ignored: [], pending }
  })

/** Returns the change that waits for the approval of a manager, if it does. */
export const clearPicture = (
  db: Db,
  by: Caller,
  at: PictureOfTeammate,
  deps: TeammateWriteDeps,
): Promise<ProfileChangeView | undefined> =>
  db.transaction(async tx => {
    if (!(await holdTeammate(tx, by.workspaceId, at.id))) throw apiError('not_found')
    await assertOwnChange(tx, by, at.id, deps.publicUrl)
    const field = await findImageField(tx, by.workspaceId, at.smart_field_id)
    refuseUneditableField(by, field)
    if (ignoredBecause(field))
      throw apiError('directory_managed', { message: `A directory writes ${field.label}; change it there.` })
    const [change] = await writePicture(tx, by, at.id, field, null, deps)
    return change
  })

/** Checks before slow work that the picture of this field is the caller's to change. */
export async function assertOwnPicture(
  db: Db,
  by: Caller,
  at: PictureOfTeammate,
  publicUrl: string,
): Promise<void> {
  await assertOwnChange(db, by, at.id, publicUrl)
  refuseUneditableField(by, await findImageField(db, by.workspaceId, at.smart_field_id))
}

export const removeTeammate = (db: Db, by: Caller, id: string, deps: TeammateWriteDeps): Promise<void> =>
  db.transaction(async tx => {
    if (!(await lockTeammate(tx, by.workspaceId, id))) throw apiError('not_found')
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    const teammate = orNotFound(await findTeammate(tx, by.workspaceId, deps.publicUrl, id))
    await saveTeammateLabel(tx, by.workspaceId, teammate.id)
    await deleteTeammate(tx, by, teammate)
    await removeEmailsOf(tx, by.workspaceId, id)
    await deps.onPeopleChange(tx, by.workspaceId, [id])
  })

/** Inactive people keep their values and addresses, and need no seat. Returns those that have changed. */
export async function setActive(
  tx: Db,
  by: Caller,
  ids: readonly string[],
  active: boolean,
  { onPeopleChange }: Pick<TeammateWriteDeps, 'onPeopleChange'>,
): Promise<string[]> {
  const changed = await updateActive(tx, by, ids, active)
  await onPeopleChange(tx, by.workspaceId, changed)
  return changed
}

/** Refused while a directory decides who is active, and when seats are missing: then no person becomes active. */
export async function changeActivity(
  db: Db,
  by: Caller,
  sent: readonly string[],
  active: boolean,
  deps: TeammateWriteDeps,
): Promise<{ readonly changed: number; readonly unchanged: number; readonly unknown: readonly string[] }> {
  const ids = [...new Set(sent.map(id => id.toLowerCase()))].sort()
  return db.transaction(async tx => {
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    const seats = active ? await lockFreeSeats(tx, by.workspaceId) : undefined
    const living = new Set(await livingIds(tx, by.workspaceId, ids))
    const changed = await setActive(tx, by, [...living], active, deps)
    if (seats && changed.length > seats.left) throw noSeatLeft(seats, deps.publicUrl)
    return {
      changed: changed.length,
      unchanged: living.size - changed.length,
      unknown: ids.filter(id => !living.has(id)),
    }
  })
}
