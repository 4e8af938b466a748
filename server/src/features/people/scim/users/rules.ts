import { type DirectoryRef, pushGone, pushGroups, pushPeople } from '#features/people/directories/index.ts'
import { noSeatLeft } from '#features/workspace/workspaces/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import { isObject } from '#kernel/base/json-values.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import {
  booleanOf,
  enterpriseUrn,
  isShallow,
  objectsIn,
  type ScimJson,
  userUrn,
  valueIn,
  withoutKey,
} from '../attributes.ts'
import type { ScimDeps } from '../deps.ts'
import { ScimError } from '../errors.ts'
import { groupsAround } from '../groups/queries.ts'
import { applyOperation, readOperations, withPaths } from '../patch.ts'
import { emailsOf, personOfScim } from '../person.ts'
import { optionalText, requiredText, storedResource } from '../resources.ts'
import {
  findScimUser,
  insertScimUser,
  markScimUserDeleted,
  type SavedUser,
  type ScimUser,
  takeDeletedPerson,
  updateScimUser,
} from './queries.ts'

/** The caller of a change, and its directory. */
export interface ScimWrite {
  readonly by: Caller
  readonly scope: DirectoryRef
  readonly deps: ScimDeps
}

/** A manager is an object with a value. Some versions of Entra send the id alone, or a list. */
function withManager(resource: ScimJson): ScimJson {
  const extension = valueIn(resource, enterpriseUrn)
  if (!isObject(extension)) return resource
  const sent = valueIn(extension, 'manager')
  if (sent === undefined) return resource
  const [first] = objectsIn(sent)
  const manager = first ?? (typeof sent === 'string' && sent !== '' ? { value: sent } : undefined)
  const rest = withoutKey(extension, 'manager')
  return { ...resource, [enterpriseUrn]: manager ? { ...rest, manager } : rest }
}

function managerIdOf(resource: ScimJson): string | null {
  const extension = valueIn(resource, enterpriseUrn)
  const manager = isObject(extension) ? valueIn(extension, 'manager') : undefined
  const value = isObject(manager) ? valueIn(manager, 'value') : undefined
  return typeof value === 'string' ? value : null
}

/** A request without `active` does not change it. */
function savedUser(sent: ScimJson, wasActive: boolean): SavedUser {
  const resource = withManager(storedResource(sent, userUrn))
  const sentActive = valueIn(resource, 'active')
  const active = booleanOf(sentActive)
  if (sentActive !== undefined && active === undefined)
    throw new ScimError('invalidValue', 'active must be true or false.')
  const isActive = active ?? wasActive
  const emails = emailsOf(resource)
  const displayName = optionalText(resource, 'displayName')
  return {
    resource: { ...resource, active: isActive },
    isActive,
    keys: {
      userName: comparisonKey(requiredText(resource, 'userName')),
      displayName: displayName === undefined ? null : comparisonKey(displayName),
      externalId: optionalText(resource, 'externalId') ?? null,
      emails: emails.map(({ value }) => comparisonKey(value)),
      workEmails: emails.filter(({ type }) => type === 'work').map(({ value }) => comparisonKey(value)),
      managerId: managerIdOf(resource),
    },
  }
}

const refuseDuplicate = (error: unknown): never => {
  if (isViolation(error, 'scim_users_user_name'))
    throw new ScimError('uniqueness', 'Another user has this userName.')
  throw error
}

/**
 * Makes the user a teammate, with mapped values. Nothing is written for a user whose address another person
 * has, and for one who gets no seat: the provider sends the user again.
 */
async function pushUser(
  tx: Db,
  { by, scope, deps }: ScimWrite,
  personId: string,
  { resource, isActive }: SavedUser,
): Promise<void> {
  const person = personOfScim({ person_id: personId, resource, is_active: isActive })
  const pushed = await pushPeople(tx, by, scope.integrationId, [person], deps)
  const problems = pushed.get(personId)?.problems ?? []
  if (problems.some(({ kind, field }) => kind === 'conflict' && field === 'address'))
    throw new ScimError('uniqueness', `Another person has the address ${person.primaryAddress}.`)
  const unseated = problems.find(({ kind }) => kind === 'no_seat')
  if (unseated) throw noSeatLeft(unseated, deps.publicUrl)
}

const readBack = async (tx: Db, scope: DirectoryRef, id: string): Promise<ScimUser> =>
  orNotFound(await findScimUser(tx, scope, id))

export async function createScimUser(tx: Db, write: ScimWrite, body: ScimJson): Promise<ScimUser> {
  const saved = savedUser(body, true)
  const { id, now } = newRow()
  const personId = (await takeDeletedPerson(tx, write.scope, saved.keys)) ?? id
  await insertScimUser(tx, write.by, write.scope, { id, now, personId }, saved).catch(refuseDuplicate)
  await pushUser(tx, write, personId, saved)
  return readBack(tx, write.scope, id)
}

async function saveUser(tx: Db, write: ScimWrite, user: ScimUser, sent: ScimJson): Promise<ScimUser> {
  const saved = savedUser(sent, user.is_active)
  await updateScimUser(tx, write.by, write.scope, user.id, saved).catch(refuseDuplicate)
  await pushUser(tx, write, user.person_id, saved)
  return readBack(tx, write.scope, user.id)
}

export const replaceScimUser = async (
  tx: Db,
  write: ScimWrite,
  id: string,
  body: ScimJson,
): Promise<ScimUser> => saveUser(tx, write, orNotFound(await findScimUser(tx, write.scope, id)), body)

export async function patchScimUser(tx: Db, write: ScimWrite, id: string, body: ScimJson): Promise<ScimUser> {
  const user = orNotFound(await findScimUser(tx, write.scope, id))
  if (!isShallow(body)) throw new ScimError('invalidValue', 'The body is nested too deeply.')
  const operations = readOperations(body).flatMap(withPaths)
  return saveUser(tx, write, user, operations.reduce<ScimJson>(applyOperation, user.resource))
}

/** The grace of the person begins. The user is not a member of groups any more; its teammate is, until the grace ends. */
export async function deleteScimUser(tx: Db, { by, scope, deps }: ScimWrite, id: string): Promise<void> {
  const { person_id } = orNotFound(await findScimUser(tx, scope, id))
  await markScimUserDeleted(tx, by, scope, id)
  await pushGone(tx, by, scope.integrationId, [person_id], deps)
  const memberships = (await groupsAround(tx, scope, person_id)).map(group => ({
    group,
    add: [],
    remove: [person_id],
    isComplete: false,
  }))
  if (memberships.length > 0) await pushGroups(tx, by, scope.integrationId, { memberships }, deps)
}
