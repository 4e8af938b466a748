import {
  type DirectoryMembership,
  type DirectoryRef,
  pushGroups,
} from '#features/people/directories/index.ts'
import { uuid } from '#kernel/api/validation.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import { groupUrn, isShallow, type ScimJson, valueIn, withoutKey } from '../attributes.ts'
import { ScimError } from '../errors.ts'
import { applyOperation, readOperations, withPaths } from '../patch.ts'
import { readScimPath } from '../paths.ts'
import { optionalText, requiredText, type StoredResource, storedResource } from '../resources.ts'
import type { ScimWrite } from '../users/rules.ts'
import { ScimMemberChanges } from './members.ts'
import {
  countScimMembers,
  deleteScimGroup,
  directoryIdsOf,
  findScimGroup,
  groupsAround,
  insertScimGroup,
  type SavedGroup,
  saveUnknownMembers,
  scimMembersOf,
  unknownMembersOf,
  updateScimGroup,
} from './queries.ts'

function savedGroup(sent: ScimJson): SavedGroup {
  const resource = storedResource(withoutKey(sent, 'members'), groupUrn)
  return {
    resource,
    displayName: requiredText(resource, 'displayName'),
    externalId: optionalText(resource, 'externalId') ?? null,
  }
}

const refuseDuplicate = (error: unknown): never => {
  if (isViolation(error, 'scim_groups_display_name'))
    throw new ScimError('uniqueness', 'Another group has this displayName.')
  throw error
}

/** Unknown members of a group that are kept for the list of problems. */
const mostListed = 100

/** Ids that are unknown here are left out and listed: a provider can name people whom it does not send. */
async function membershipOf(
  tx: Db,
  scope: DirectoryRef,
  group: string,
  { add, remove, isComplete }: ScimMemberChanges,
): Promise<DirectoryMembership> {
  // What is no UUID is no id of a user or group.
  const ids = [...add, ...remove].filter(id => uuid.test(id))
  const directoryIds = await directoryIdsOf(tx, scope, ids)
  const before = isComplete ? [] : await unknownMembersOf(tx, scope, group)
  const unknown = [...before.filter(id => !remove.has(id)), ...[...add].filter(id => !directoryIds.has(id))]
  const listed = [...new Set(unknown.map(id => id.slice(0, 100).toWellFormed()))].slice(0, mostListed)
  await tx.query(saveUnknownMembers(scope, group, listed))
  const idsOf = (ids: ReadonlySet<string>) =>
    [...ids].flatMap(id => (id === group ? [] : (directoryIds.get(id) ?? [])))
  return { group, add: idsOf(add), remove: idsOf(remove), isComplete }
}

async function pushGroup(
  tx: Db,
  { by, scope, deps }: ScimWrite,
  id: string,
  { displayName }: SavedGroup,
  members: ScimMemberChanges,
): Promise<void> {
  const memberships = members.isEmpty ? [] : [await membershipOf(tx, scope, id, members)]
  const groups = [{ externalId: id, name: displayName, subKind: 'group' as const }]
  await pushGroups(tx, by, scope.integrationId, { groups, memberships }, deps)
}

const readBack = async (tx: Db, scope: DirectoryRef, id: string): Promise<StoredResource> =>
  orNotFound(await findScimGroup(tx, scope, id))

/** The members of a body with a whole group. Without the attribute, the members stay as they are. */
function sentMembers(body: ScimJson): ScimMemberChanges {
  const changes = new ScimMemberChanges()
  const sent = valueIn(body, 'members')
  if (sent !== undefined) changes.replace(sent)
  return changes
}

export async function createScimGroup(tx: Db, write: ScimWrite, body: ScimJson): Promise<StoredResource> {
  const [saved, members] = [savedGroup(body), sentMembers(body)]
  const row = newRow()
  await insertScimGroup(tx, write.by, write.scope, row, saved).catch(refuseDuplicate)
  await pushGroup(tx, write, row.id, saved, members)
  return readBack(tx, write.scope, row.id)
}

async function saveGroup(
  tx: Db,
  write: ScimWrite,
  id: string,
  saved: SavedGroup,
  members: ScimMemberChanges,
): Promise<StoredResource> {
  await updateScimGroup(tx, write.by, write.scope, id, saved, !members.isEmpty).catch(refuseDuplicate)
  await pushGroup(tx, write, id, saved, members)
  return readBack(tx, write.scope, id)
}

export async function replaceScimGroup(
  tx: Db,
  write: ScimWrite,
  id: string,
  body: ScimJson,
): Promise<StoredResource> {
  const group = orNotFound(await findScimGroup(tx, write.scope, id))
  return saveGroup(tx, write, group.id, savedGroup(body), sentMembers(body))
}

export async function patchScimGroup(
  tx: Db,
  write: ScimWrite,
  id: string,
  body: ScimJson,
): Promise<StoredResource> {
  const group = orNotFound(await findScimGroup(tx, write.scope, id))
  if (!isShallow(body)) throw new ScimError('invalidValue', 'The body is nested too deeply.')
  const members = new ScimMemberChanges()
  let resource = group.resource
  for (const operation of readOperations(body).flatMap(withPaths)) {
    const { attribute, filter, urn } = readScimPath(operation.path, resource)
    if (urn === null && attribute === 'members') members.apply(operation, filter)
    else resource = applyOperation(resource, operation)
  }
  return saveGroup(tx, write, group.id, savedGroup(resource), members)
}

export async function deleteScimGroupAndMembers(
  tx: Db,
  { by, scope, deps }: ScimWrite,
  id: string,
): Promise<void> {
  const group = orNotFound(await findScimGroup(tx, scope, id))
  await deleteScimGroup(tx, by, scope, group.id)
  const memberships = (await groupsAround(tx, scope, group.id)).map(parent => ({
    group: parent,
    add: [],
    remove: [group.id],
    isComplete: false,
  }))
  await pushGroups(tx, by, scope.integrationId, { goneGroups: [group.id], memberships }, deps)
}

/** Members in one answer. A list with more has fewer groups on its page, but at least one. */
const mostShownMembers = 50_000

/** The groups that fit into an answer, with their members. */
export async function withMembers(
  db: Db,
  scope: DirectoryRef,
  groups: readonly StoredResource[],
): Promise<StoredResource[]> {
  const ids = groups.map(({ id }) => id)
  const counts = new Map((await countScimMembers(db, scope, ids)).map(({ group_id, n }) => [group_id, n]))
  let sum = 0
  const fitting = groups.filter(({ id }, index) => {
    sum += counts.get(id) ?? 0
    return index === 0 || sum <= mostShownMembers
  })
  const members = Map.groupBy(
    await scimMembersOf(
      db,
      scope,
      fitting.map(({ id }) => id),
    ),
    ({ group_id }) => group_id,
  )
  return fitting.map(group => ({
    ...group,
    resource: {
      ...group.resource,
      members: (members.get(group.id) ?? []).map(({ value, display, type }) => ({ value, display, type })),
    },
  }))
}
