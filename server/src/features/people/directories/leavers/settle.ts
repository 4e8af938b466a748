// Whether the people and members who are about to leave may: now, or after an approval.
import { directorySettingsOf, findSyncState, type SyncState } from '#features/workspace/integrations/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SyncContext } from '../context.ts'
import { releaseHeldMembers } from '../entities/queries.ts'
import { expandMembers, type HeldGroups } from '../entities/rules.ts'
import { endGraceOfWanted, retryConflicts } from '../people/conflicts.ts'
import type { ReadDirectory } from '../runs/named.ts'
import { supersedeRun } from '../runs/queries.ts'
import { unholdRun } from './queries.ts'
import {
  forgetAbsent,
  holdLeavers,
  keepNamed,
  type LeaverPlan,
  letLeave,
  planLeavers,
  removeExpired,
} from './rules.ts'

const isCovered = ({ missing, suspended }: LeaverPlan, heldRunId: string | null): boolean =>
  heldRunId !== null && [...missing, ...suspended].every(({ held_run_id }) => held_run_id === heldRunId)

export interface Holds {
  /** The run whose approval is awaited from now on; null: none. */
  readonly heldRunId: string | null
  readonly reason: string | null
  readonly people: number
  readonly members: number
}

export const holdsNothing: Holds = { heldRunId: null, reason: null, people: 0, members: 0 }

/** Lets people leave or holds them, and writes the members of groups. */
export async function settleLeavers(
  db: Db,
  context: SyncContext,
  state: SyncState,
  runId: string,
  { isFull, people }: ReadDirectory,
): Promise<Holds> {
  const { workspaceId, integrationId, write } = context
  // Approvals and settings of the time since the run began count.
  const { held_run_id: earlier, settings } = (await findSyncState(db, workspaceId, integrationId)) ?? state
  const { seen, gone, refused } = people
  const plan = await planLeavers(db, context, { isFull, seen, gone, refused }, earlier)
  await keepNamed(context, plan)
  const holdsPeople = plan.holdReason !== null
  const arePeopleCovered = holdsPeople && isCovered(plan, earlier)
  if (!holdsPeople) await letLeave(context, plan, runId)
  else if (!arePeopleCovered) await holdLeavers(context, plan, runId)
  await forgetAbsent(context, plan.forgotten)
  const areWanted = await endGraceOfWanted(db, context)
  const { graceDays } = directorySettingsOf(settings)
  const removed = await removeExpired(context, graceDays, runId, new Date())
  const hasFreed = plan.suspended.length > 0 || removed > 0
  if (areWanted || hasFreed) await retryConflicts(db, context, runId)
  const isDue = removed > 0 || (await findSyncState(db, workspaceId, integrationId))?.is_expansion_due
  const groups: HeldGroups = isDue
    ? await expandMembers(db, context, runId, earlier)
    : { reasons: [], count: 0, areCovered: true }
  const holdsGroups = groups.count > 0
  const isNew = (holdsPeople && !arePeopleCovered) || (holdsGroups && !groups.areCovered)
  if (isNew && arePeopleCovered) await holdLeavers(context, plan, runId)
  // The list of the new run includes groups that an earlier run holds.
  if (isNew && holdsGroups && groups.areCovered) await expandMembers(db, context, runId, null)
  if (earlier !== null && (isNew || !(holdsPeople || holdsGroups)))
    await write(async tx => {
      if (!(await supersedeRun(tx, workspaceId, earlier))) return
      await tx.query(releaseHeldMembers(workspaceId, earlier))
      await tx.query(unholdRun(context, earlier))
    })
  const reasons = [...(plan.holdReason === null ? [] : [plan.holdReason]), ...groups.reasons]
  return {
    heldRunId: isNew ? runId : holdsPeople || holdsGroups ? earlier : null,
    reason: reasons.length === 0 ? null : reasons.slice(0, 5).join(' '),
    people: holdsPeople ? plan.missing.length + plan.suspended.length : 0,
    members: groups.count,
  }
}
