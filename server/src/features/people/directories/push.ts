// For sources that send changes themselves, such as SCIM: their requests are written at once, in one transaction each,
// by the rules of runs. They have no runs, so leavers are not held.

import { updateActive } from '#features/people/teammates/index.ts'
import {
  addMembers,
  deleteGoneEntities,
  findSyncState,
  isDriving,
  removeMembers,
  savePeopleCount,
} from '#features/workspace/integrations/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SyncContext } from './context.ts'
import type { DirectoryDeps } from './deps.ts'
import type { DirectoryGroup, DirectoryMembership, DirectoryPerson, ExternalId } from './directory.ts'
import { entitiesAround, memberChanges } from './entities/queries.ts'
import { applyGroups, applyMemberships, changeMembers, goneGroups } from './entities/rules.ts'
import { forgetPeople, presentAmong } from './leavers/queries.ts'
import { letLeave } from './leavers/rules.ts'
import { applyPeople } from './people/apply.ts'
import { cleanId, cleanPerson, type PersonProblem } from './people/clean.ts'
import { countPeople, storedPeople } from './people/queries.ts'
import { activeChangeOf } from './people/states.ts'

type PushDeps = Pick<DirectoryDeps, 'onPeopleChange'>

/** `by` is the caller of the request: the audit log names it. */
async function pushContext(
  tx: Db,
  by: Caller,
  integrationId: string,
  { onPeopleChange }: PushDeps,
): Promise<SyncContext> {
  const { workspaceId } = by
  orNotFound(await findSyncState(tx, workspaceId, integrationId))
  return {
    workspaceId,
    integrationId,
    by: { ...by, directoryId: integrationId },
    onPeopleChange,
    isUnseen: () => false,
    write: work => work(tx),
  }
}

/** Writes the members of these entities. */
async function expand(
  tx: Db,
  context: SyncContext,
  entities: readonly { readonly id: string }[],
): Promise<void> {
  for (const { id } of entities) {
    const { added, removed } = await memberChanges(tx, context, id)
    await changeMembers(context, id, added, addMembers, null)
    await changeMembers(context, id, removed, removeMembers, null)
  }
}

const saveCount = async (tx: Db, context: SyncContext): Promise<void> => {
  const count = await countPeople(tx, context)
  await tx.query(savePeopleCount(context.workspaceId, context.integrationId, count, new Date()))
}

interface PushedPerson {
  /** Null: another person has the address, the person was never active, or the directory creates no teammates. */
  readonly teammateId: string | null
  readonly problems: readonly PersonProblem[]
}

/** Complete records. Suspended people become inactive at once. Returns the people by their external ids. */
export async function pushPeople(
  tx: Db,
  by: Caller,
  integrationId: string,
  people: readonly DirectoryPerson[],
  deps: PushDeps,
): Promise<ReadonlyMap<ExternalId, PushedPerson>> {
  const context = await pushContext(tx, by, integrationId, deps)
  const clean = [...new Map(people.map(person => [cleanId(person.externalId), cleanPerson(person)])).values()]
  const counts = await applyPeople(tx, context, clean)
  const ids = clean.map(({ externalId }) => externalId)
  const stored = await storedPeople(tx, context, ids)
  const drives = await isDriving(tx, by.workspaceId, integrationId)
  const suspended = stored.filter(({ is_active: isActive, is_teammate_active: isTeammateActive }) => {
    return activeChangeOf({ isActive, isTeammateActive, drives, lacksSeat: false }) === 'deactivated'
  })
  if (suspended.length > 0) {
    const teammateIds = suspended.flatMap(({ teammate_id }) => teammate_id ?? [])
    const changed = await updateActive(tx, context.by, teammateIds, false)
    await deps.onPeopleChange(tx, by.workspaceId, changed)
  }
  if (counts.affectsMembers) {
    await expand(tx, context, await entitiesAround(tx, context, ids))
    await saveCount(tx, context)
  }
  return new Map(
    stored.map(({ external_id, teammate_id, problems }) => [
      external_id,
      { teammateId: teammate_id, problems },
    ]),
  )
}

/** People who were deleted there: their grace begins. */
export async function pushGone(
  tx: Db,
  by: Caller,
  integrationId: string,
  externalIds: readonly ExternalId[],
  deps: PushDeps,
): Promise<void> {
  const context = await pushContext(tx, by, integrationId, deps)
  const ids = externalIds.map(cleanId)
  const missing = await presentAmong(tx, context, ids)
  const linked = new Set(missing.map(({ external_id }) => external_id))
  const drives = await isDriving(tx, by.workspaceId, integrationId)
  if (drives) await letLeave(context, { missing, suspended: [] }, null)
  const unlinked = drives ? ids.filter(id => !linked.has(id)) : ids
  await tx.query(forgetPeople(context, unlinked))
}

interface PushedGroups {
  readonly groups?: readonly DirectoryGroup[]
  readonly goneGroups?: readonly ExternalId[]
  readonly memberships?: readonly DirectoryMembership[]
}

/** Groups and their members. Parallel requests about one group lose no member: rows are added and removed, not lists. */
export async function pushGroups(
  tx: Db,
  by: Caller,
  integrationId: string,
  { groups = [], goneGroups: gone = [], memberships = [] }: PushedGroups,
  deps: PushDeps,
): Promise<void> {
  const context = await pushContext(tx, by, integrationId, deps)
  const changed = [
    ...groups.map(({ externalId }) => externalId),
    ...gone,
    ...memberships.map(({ group }) => group),
  ]
  await applyGroups(tx, context, groups, null)
  await applyMemberships(tx, context, memberships)
  const around = await entitiesAround(tx, context, changed.map(cleanId))
  if (gone.length > 0) await goneGroups(tx, context, gone, null)
  await expand(tx, context, around)
  await tx.query(deleteGoneEntities(by.workspaceId, integrationId))
}
