// The end of a run, after the last page: conflicts again, leavers, members of groups, and what the run reports.
import { isDeepStrictEqual } from 'node:util'
import {
  directorySettingsOf,
  findSyncState,
  lockSyncState,
  recordSyncError,
  type SyncState,
  saveSyncOutcome,
} from '#features/workspace/integrations/index.ts'
import { announce } from '#features/workspace/webhooks/index.ts'
import { canonicalDomain } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { chunksOf, type SyncContext } from '../context.ts'
import type { DirectoryDeps } from '../deps.ts'
import { heldMembers, releaseHeldMembers } from '../entities/queries.ts'
import { applyMemberships, expandMembers, type HeldGroups, removeUnseenGroups } from '../entities/rules.ts'
import { importedRunOf } from '../files/imported.ts'
import { countHeld, countProblems, currentProblems, heldPeople, unholdRun } from '../leavers/queries.ts'
import { refusedProblem } from '../leavers/refused.ts'
import {
  forgetUnlinked,
  holdLeavers,
  keepNamed,
  type LeaverPlan,
  letLeave,
  planLeavers,
  removeExpired,
} from '../leavers/rules.ts'
import { endGraceOfWanted, retryConflicts } from '../people/conflicts.ts'
import { nextSeatSearch } from '../people/lacking-seats.ts'
import { countPeople } from '../people/queries.ts'
import { schedulePhotos } from '../photos/queries.ts'
import { nextSyncAt, type ReadDirectory } from './connection.ts'
import { withinPreview } from './preview.ts'
import {
  addCounts,
  type BegunRun,
  endRun,
  type RunCounts,
  type RunEnd,
  type RunProblem,
  supersedeRun,
} from './queries.ts'

const maxProblems = 1_000
const isCovered = ({ missing, suspended }: LeaverPlan, heldRunId: string | null): boolean =>
  heldRunId !== null && [...missing, ...suspended].every(({ held_run_id }) => held_run_id === heldRunId)

/** Held people and members, and the problems of people, as they are now. */
async function problemsNow(
  db: Db,
  { workspaceId, integrationId }: SyncContext,
  heldRunId: string | null,
): Promise<RunProblem[]> {
  const found = await currentProblems(db, workspaceId, integrationId, maxProblems)
  const problems: RunProblem[] = found.map(problem => ({
    ...problem,
    address: problem.address || null,
    integration_entity_id: null,
  }))
  if (heldRunId === null) return problems
  const people = await heldPeople(db, workspaceId, integrationId, heldRunId, maxProblems)
  const members = (await heldMembers(db, workspaceId, heldRunId)).slice(0, maxProblems)
  return [
    ...people.map(({ external_id, teammate_id, address, is_active }) => ({
      kind: 'held' as const,
      external_id,
      teammate_id,
      address,
      integration_entity_id: null,
      field: null,
      message: is_active ? 'Not in the directory any more.' : 'Suspended in the directory.',
    })),
    ...members.map(({ entity_id, teammate_id }) => ({
      kind: 'held' as const,
      external_id: null,
      teammate_id,
      address: null,
      integration_entity_id: entity_id,
      field: null,
      message: 'Not in this group any more.',
    })),
    ...problems,
  ]
}

interface Holds {
  /** The run whose approval is awaited from now on; null: none. */
  readonly heldRunId: string | null
  readonly reason: string | null
  readonly people: number
  readonly members: number
}

const holdsNothing: Holds = { heldRunId: null, reason: null, people: 0, members: 0 }

/** Lets people leave or holds them, and writes the members of groups. */
async function settleLeavers(
  db: Db,
  context: SyncContext,
  state: SyncState,
  run: BegunRun,
  read: ReadDirectory,
): Promise<Holds> {
  const { workspaceId, integrationId, write } = context
  // Approvals and settings of the time since the run began count.
  const { held_run_id: earlier, settings } = (await findSyncState(db, workspaceId, integrationId)) ?? state
  const plan = await planLeavers(db, context, { ...read, heldRunId: earlier })
  await keepNamed(context, plan)
  const holdsPeople = plan.holdReason !== null
  const arePeopleCovered = holdsPeople && isCovered(plan, earlier)
  if (!holdsPeople) await letLeave(context, plan, run.id)
  else if (!arePeopleCovered) await holdLeavers(context, plan, run.id)
  await forgetUnlinked(context, plan.unlinked)
  const areWanted = await endGraceOfWanted(db, context)
  const { graceDays } = directorySettingsOf(settings)
  const removed = await removeExpired(context, graceDays, run.id, new Date())
  const hasFreed = plan.suspended.length > 0 || removed > 0
  if (areWanted || hasFreed) await retryConflicts(db, context, run.id)
  const isDue = removed > 0 || (await findSyncState(db, workspaceId, integrationId))?.is_expansion_due
  const groups: HeldGroups = isDue
    ? await expandMembers(db, context, run.id, earlier)
    : { reasons: [], count: 0, areCovered: true }
  const holdsGroups = groups.count > 0
  const isNew = (holdsPeople && !arePeopleCovered) || (holdsGroups && !groups.areCovered)
  if (isNew && arePeopleCovered) await holdLeavers(context, plan, run.id)
  // The list of the new run includes groups that an earlier run holds.
  if (isNew && holdsGroups && groups.areCovered) await expandMembers(db, context, run.id, null)
  if (earlier !== null && (isNew || !(holdsPeople || holdsGroups)))
    await write(async tx => {
      if (!(await supersedeRun(tx, workspaceId, earlier))) return
      await tx.query(releaseHeldMembers(workspaceId, earlier))
      await tx.query(unholdRun(workspaceId, integrationId, earlier))
    })
  const reasons = [...(plan.holdReason === null ? [] : [plan.holdReason]), ...groups.reasons]
  return {
    heldRunId: isNew ? run.id : holdsPeople || holdsGroups ? earlier : null,
    reason: reasons.length === 0 ? null : reasons.slice(0, 5).join(' '),
    people: holdsPeople ? plan.missing.length + plan.suspended.length : 0,
    members: groups.count,
  }
}

const heldMessage = (reason: string): string =>
  `${reason} None of them has left: approve the run, or correct the directory.`

/** Another setting or secret can mean other people: see `updateIntegration`. */
const isSameSource = (a: SyncState, b: SyncState): boolean =>
  isDeepStrictEqual([a.settings, a.drives_teammates, a.secret], [b.settings, b.drives_teammates, b.secret])

/** What still waits: an approval can have come since the leavers were settled. */
async function stillHeld(
  tx: Db,
  { workspaceId, integrationId }: SyncContext,
  settled: Holds,
  state: SyncState,
  runId: string,
): Promise<Holds> {
  const { heldRunId, members } = settled
  if (heldRunId === runId) {
    const people = await countHeld(tx, workspaceId, integrationId, runId)
    return people + members > 0 ? { ...settled, people } : holdsNothing
  }
  return heldRunId === state.held_run_id ? settled : holdsNothing
}

async function saveEnd(
  tx: Db,
  context: SyncContext,
  begun: SyncState,
  run: BegunRun,
  read: ReadDirectory,
  settled: Holds,
  deps: DirectoryDeps,
): Promise<void> {
  const { workspaceId, integrationId } = context
  const state = (await lockSyncState(tx, workspaceId, integrationId)) ?? begun
  const holds = await stillHeld(tx, context, settled, state, run.id)
  const now = new Date()
  const isHeld = holds.heldRunId === run.id
  const end: RunEnd = {
    status: isHeld ? 'held' : 'succeeded',
    kind: read.isFull ? 'full' : 'delta',
    peopleSeen: read.seen.size,
    peopleHeld: isHeld ? holds.people : 0,
    membersHeld: isHeld ? holds.members : 0,
    problems: [
      ...(await problemsNow(tx, context, isHeld ? run.id : null)),
      ...read.refused.slice(0, maxProblems).map(refusedProblem),
    ],
    preview: [],
    problemCount: read.refused.length + (await countProblems(tx, workspaceId, integrationId)),
    heldReason: isHeld ? holds.reason : null,
  }
  const [counts = {}] = await tx.query<RunCounts>(endRun(workspaceId, run.id, end, now))
  const domains = read.domains?.flatMap(domain => canonicalDomain(domain) ?? []).slice(0, 1_000) ?? null
  const outcome = {
    cursor: read.cursor,
    domains: domains && [...new Set(domains)].sort(),
    peopleCount: await countPeople(tx, workspaceId, integrationId),
    nextSyncAt:
      nextSyncAt(state, deps, run.started_at) ?? (await nextSeatSearch(tx, workspaceId, state, deps)),
    heldRunId: holds.heldRunId,
    endedAt: now,
    isOutdated: !isSameSource(state, begun),
  }
  await tx.query(saveSyncOutcome(workspaceId, integrationId, outcome))
  const error = holds.reason === null ? null : { code: 'held', message: heldMessage(holds.reason) }
  await recordSyncError(tx, workspaceId, integrationId, error)
  const event = {
    id: integrationId,
    run_id: run.id,
    name: state.name,
    people_seen: read.seen.size,
    ...counts,
  }
  if (isHeld)
    await announce(tx, workspaceId, 'sync.held', [
      { ...event, people_held: holds.people, members_held: holds.members, reason: holds.reason },
    ])
  if (run.import_id !== null)
    await deps.onImportedRun(tx, workspaceId, await importedRunOf(tx, context, run.import_id, read, counts))
  const hasChanged = Object.values(counts).some(amount => amount > 0)
  if (hasChanged || run.trigger !== 'schedule') await announce(tx, workspaceId, 'directory.synced', [event])
  await schedulePhotos(tx, workspaceId, integrationId)
}

/** Writes only the report. */
async function finishDryRun(
  db: Db,
  context: SyncContext,
  run: BegunRun,
  read: ReadDirectory,
  heldRunId: string | null,
): Promise<void> {
  const { workspaceId } = context
  const { suspending, joining } = read.dryCounts
  const { missing, holdReason } = await planLeavers(db, context, { ...read, heldRunId, suspending, joining })
  await db.transaction(async tx => {
    await addCounts(tx, workspaceId, run.id, {
      people_added: read.dryCounts.added,
      people_changed: read.dryCounts.changed,
      people_reactivated: read.dryCounts.reactivated,
      people_missing: holdReason === null ? missing.length : 0,
      people_deactivated: holdReason === null ? suspending : 0,
    })
    const problems = read.problems.map(
      ({ kind, field, message, externalId, address }): RunProblem => ({
        kind,
        external_id: externalId,
        teammate_id: null,
        address: address || null,
        integration_entity_id: null,
        field,
        message,
      }),
    )
    const leaving = missing.map(({ external_id, teammate_id, address }) => ({
      change: 'missing' as const,
      external_id,
      teammate_id,
      address,
    }))
    const end: RunEnd = {
      status: 'succeeded',
      kind: 'dry',
      peopleSeen: read.seen.size,
      peopleHeld: holdReason === null ? 0 : missing.length + suspending,
      membersHeld: 0,
      problems,
      preview: [...read.preview, ...withinPreview(leaving, [])],
      problemCount: problems.length,
      heldReason: holdReason,
    }
    await tx.query(endRun(workspaceId, run.id, end, new Date()))
  })
}

export async function finishRun(
  db: Db,
  context: SyncContext,
  state: SyncState,
  run: BegunRun,
  read: ReadDirectory,
  deps: DirectoryDeps,
): Promise<void> {
  if (run.kind === 'dry') return finishDryRun(db, context, run, read, state.held_run_id)
  // The groups of people whose records could not be used are not known either.
  const hasRefused = read.refused.length > 0
  for (const tracked of chunksOf([...read.tracked], 20))
    await context.write(tx =>
      applyMemberships(
        tx,
        context,
        tracked.map(([group, members]) => ({ group, add: [...members], remove: [], isComplete: true })),
        hasRefused ? context.isUnseen : undefined,
      ),
    )
  if (read.isFull && !hasRefused) await removeUnseenGroups(db, context, read.seenGroups, run.id)
  await retryConflicts(db, context, run.id)
  const holds = await settleLeavers(db, context, state, run, read)
  await context.write(tx => saveEnd(tx, context, state, run, read, holds, deps))
}
