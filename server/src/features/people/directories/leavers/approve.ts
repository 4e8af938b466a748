// After an approval: the people of the list leave, in batches. A process that is killed goes on with the rest.
import {
  directorySettingsOf,
  findSyncState,
  removeMembers,
  savePeopleCount,
} from '#features/workspace/integrations/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { peoplePerBatch, type SyncContext, writerOf } from '../context.ts'
import type { DirectoryDeps } from '../deps.ts'
import { heldMembers, memberChanges, releaseHeldMembers } from '../entities/queries.ts'
import { changeMembers } from '../entities/rules.ts'
import { countPeople } from '../people/queries.ts'
import type { DirectoryRef } from '../queries.ts'
import { findRun } from '../runs/queries.ts'
import { heldPeople } from './queries.ts'
import { letLeave, removeExpired } from './rules.ts'

const leavingContext = (
  directory: DirectoryRef,
  onPeopleChange: SyncContext['onPeopleChange'],
  write: SyncContext['write'],
): SyncContext => ({
  ...directory,
  by: { ...operator(directory.workspaceId), directoryId: directory.integrationId },
  onPeopleChange,
  isUnseen: () => false,
  write,
})

const refreshCount = (context: SyncContext): Promise<unknown> =>
  context.write(async tx => {
    const count = await countPeople(tx, context)
    await tx.query(savePeopleCount(context.workspaceId, context.integrationId, count, null))
  })

/** Removes people whose grace is over. */
export async function endGraces(
  db: Db,
  directory: DirectoryRef,
  { onPeopleChange }: Pick<DirectoryDeps, 'onPeopleChange'>,
): Promise<void> {
  const state = await findSyncState(db, directory.workspaceId, directory.integrationId)
  if (!state) return
  const write = writerOf(db, directory)
  const { graceDays } = directorySettingsOf(state.settings)
  const context = leavingContext(directory, onPeopleChange, write)
  if ((await removeExpired(context, graceDays, null, new Date())) > 0) await refreshCount(context)
}

export async function applyApproval(
  db: Db,
  directory: DirectoryRef,
  runId: string,
  { onPeopleChange }: Pick<DirectoryDeps, 'onPeopleChange'>,
): Promise<void> {
  const state = await findSyncState(db, directory.workspaceId, directory.integrationId)
  if (!state) return
  const isOwn = async (tx: Db) => (await findRun(tx, directory.workspaceId, runId))?.status === 'approved'
  const write = writerOf(db, { ...directory, isOwn })
  const context = leavingContext(directory, onPeopleChange, write)
  for (;;) {
    const people = await heldPeople(db, context, runId, peoplePerBatch)
    if (people.length === 0) break
    const missing = people.filter(({ is_active }) => is_active)
    const suspended = people.filter(({ is_active }) => !is_active)
    await letLeave(context, { missing, suspended }, runId)
  }
  const { graceDays } = directorySettingsOf(state.settings)
  await removeExpired(context, graceDays, runId, new Date())
  await removeApprovedMembers(db, context, runId)
  await refreshCount(context)
}

/** People who are in their groups again meanwhile stay. */
async function removeApprovedMembers(db: Db, context: SyncContext, runId: string): Promise<void> {
  const { workspaceId, write } = context
  const held = Map.groupBy(await heldMembers(db, workspaceId, runId), ({ entity_id }) => entity_id)
  for (const [entityId, members] of held) {
    const { removed } = await memberChanges(db, context, entityId)
    const listed = new Set(members.map(({ teammate_id }) => teammate_id))
    const leaving = removed.filter(id => listed.has(id))
    await changeMembers(context, entityId, leaving, removeMembers, runId)
  }
  await write(tx => tx.query(releaseHeldMembers(workspaceId, runId)))
}
