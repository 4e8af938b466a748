// The end of a run, after the last page: members of groups, conflicts again, leavers, and what the run reports.
import { isDeepStrictEqual } from 'node:util'
import {
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
import { heldMembers } from '../entities/queries.ts'
import { applyMemberships, removeUnseenGroups } from '../entities/rules.ts'
import { importedRunOf } from '../files/imported.ts'
import { countHeld, countProblems, currentProblems, heldPeople } from '../leavers/queries.ts'
import { refusedProblem } from '../leavers/refused.ts'
import { planLeavers } from '../leavers/rules.ts'
import { type Holds, holdsNothing, settleLeavers } from '../leavers/settle.ts'
import { retryConflicts } from '../people/conflicts.ts'
import { countPeople } from '../people/queries.ts'
import { nextSeatSearch } from '../people/seats.ts'
import { schedulePhotos } from '../photos/queries.ts'
import { nextSyncAt } from './connection.ts'
import type { ReadDirectory } from './named.ts'
import {
  addCounts,
  type BegunRun,
  endRun,
  maxProblems,
  problemOf,
  type RunCounts,
  type RunEnd,
  type RunProblem,
} from './queries.ts'

/** Held people and members, and the problems of people, as they are now. */
async function problemsNow(db: Db, context: SyncContext, heldRunId: string | null): Promise<RunProblem[]> {
  const problems = (await currentProblems(db, context, maxProblems)).map(problem =>
    problemOf({ ...problem, address: problem.address || null }),
  )
  if (heldRunId === null) return problems
  const people = await heldPeople(db, context, heldRunId, maxProblems)
  const members = (await heldMembers(db, context.workspaceId, heldRunId)).slice(0, maxProblems)
  return [
    ...people.map(({ external_id, teammate_id, address, is_active }) => {
      const message = is_active ? 'Not in the directory any more.' : 'Suspended in the directory.'
      return problemOf({ kind: 'held', external_id, teammate_id, address, message })
    }),
    ...members.map(({ entity_id: integration_entity_id, teammate_id }) =>
      problemOf({ kind: 'held', teammate_id, integration_entity_id, message: 'Not in this group any more.' }),
    ),
    ...problems,
  ]
}

const heldMessage = (reason: string): string =>
  `${reason} None of them has left: approve the run, or correct the directory.`

/** Another setting or secret can mean other people: see `updateIntegration`. */
const isSameSource = (a: SyncState, b: SyncState): boolean =>
  isDeepStrictEqual([a.settings, a.drives_teammates, a.secret], [b.settings, b.drives_teammates, b.secret])

/** Returns what still waits: an approval can have come since the leavers were settled. */
async function stillHeld(
  tx: Db,
  context: SyncContext,
  settled: Holds,
  state: SyncState,
  runId: string,
): Promise<Holds> {
  const { heldRunId, members } = settled
  if (heldRunId === runId) {
    const people = await countHeld(tx, context, runId)
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
  const { refused } = read.people
  const state = (await lockSyncState(tx, workspaceId, integrationId)) ?? begun
  const holds = await stillHeld(tx, context, settled, state, run.id)
  const now = new Date()
  const isHeld = holds.heldRunId === run.id
  const end: RunEnd = {
    status: isHeld ? 'held' : 'succeeded',
    kind: read.isFull ? 'full' : 'delta',
    peopleSeen: read.people.seen.size,
    peopleHeld: isHeld ? holds.people : 0,
    membersHeld: isHeld ? holds.members : 0,
    problems: [
      ...(await problemsNow(tx, context, isHeld ? run.id : null)),
      ...refused.slice(0, maxProblems).map(refusedProblem),
    ],
    preview: [],
    problemCount: refused.length + (await countProblems(tx, context)),
    heldReason: isHeld ? holds.reason : null,
  }
  const [counts = {}] = await tx.query<RunCounts>(endRun(workspaceId, run.id, end, now))
  const domains = read.domains?.flatMap(domain => canonicalDomain(domain) ?? []).slice(0, 1_000) ?? null
  const outcome = {
    cursor: read.cursor,
    domains: domains && [...new Set(domains)].sort(),
    peopleCount: await countPeople(tx, context),
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
    people_seen: read.people.seen.size,
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
  await schedulePhotos(tx, context)
}

/** Writes only the report. */
async function finishDryRun(
  db: Db,
  context: SyncContext,
  run: BegunRun,
  { isFull, people, report }: ReadDirectory,
  heldRunId: string | null,
): Promise<void> {
  const { workspaceId } = context
  const { seen, gone, refused } = people
  const { added, changed, reactivated, suspending } = report.counts
  const seenPeople = { isFull, seen, gone, refused }
  const { missing, holdReason } = await planLeavers(db, context, seenPeople, heldRunId, report.counts)
  report.addPeople(
    missing.map(({ external_id, teammate_id, address }) => ({
      change: 'missing',
      external_id,
      teammate_id,
      address,
    })),
  )
  await db.transaction(async tx => {
    await addCounts(tx, workspaceId, run.id, {
      people_added: added,
      people_changed: changed,
      people_reactivated: reactivated,
      people_missing: holdReason === null ? missing.length : 0,
      people_deactivated: holdReason === null ? suspending : 0,
    })
    const problems = report.problems.map(({ kind, field, message, externalId, address }) =>
      problemOf({ kind, external_id: externalId, address: address || null, field, message }),
    )
    const end: RunEnd = {
      status: 'succeeded',
      kind: 'dry',
      peopleSeen: seen.size,
      peopleHeld: holdReason === null ? 0 : missing.length + suspending,
      membersHeld: 0,
      problems,
      preview: report.preview,
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
  const { groups, people } = read
  // The groups of people whose records could not be used are not known either.
  const hasRefused = people.refused.length > 0
  for (const chunk of chunksOf([...groups.members], 20))
    await context.write(tx =>
      applyMemberships(
        tx,
        context,
        chunk.map(([group, members]) => ({ group, add: [...members], remove: [], isComplete: true })),
        hasRefused ? context.isUnseen : undefined,
      ),
    )
  if (read.isFull && !hasRefused) await removeUnseenGroups(db, context, groups.seen, run.id)
  await retryConflicts(db, context, run.id)
  const holds = await settleLeavers(db, context, state, run.id, read)
  await context.write(tx => saveEnd(tx, context, state, run, read, holds, deps))
}
