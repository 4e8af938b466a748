// Who leaves, and whether so many may: a directory that answers with half of its people must not switch off a company.

import {
  lockTeammates,
  removeTeammates,
  updateActive,
  valuesToKeep,
} from '#features/people/teammates/index.ts'
import { removeAddressesOf } from '#features/workspace/emails/index.ts'
import { isDriving, removeFromEntities } from '#features/workspace/integrations/index.ts'
import { day } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import { chunksOf, peoplePerBatch, type SyncContext } from '../context.ts'
import type { RefusedRecord } from '../directory.ts'
import { restoreEdges } from '../entities/queries.ts'
import { fateOf, holdReasonOf } from '../people/states.ts'
import type { DirectoryRef } from '../queries.ts'
import { addCounts } from '../runs/queries.ts'
import {
  countDriven,
  expiredPeople,
  forgetPeople,
  heldMissing,
  keepPresent,
  type Leaver,
  markGone,
  markHeld,
  markMissing,
  peopleInGrace,
  presentAfter,
  presentAmong,
  suspendedPeople,
  unhold,
} from './queries.ts'
import { peopleOfRefused, type RefusedPeople } from './refused.ts'

export interface LeaverPlan {
  readonly missing: readonly Leaver[]
  readonly suspended: readonly Leaver[]
  /** Ids of people who stay, because records that the source could not use name them. */
  readonly named: readonly string[]
  /** Ids of absent people whose records are not needed any more. */
  readonly forgotten: readonly string[]
  /** Null: the missing and suspended people leave now. */
  readonly holdReason: string | null
}

/** The people of all pages of a run. */
interface SeenPeople {
  readonly isFull: boolean
  readonly seen: ReadonlySet<string>
  /** People whom a delta calls deleted. */
  readonly gone: ReadonlySet<string>
  readonly refused: readonly RefusedRecord[]
}

/** Effects of a dry run, which stores nothing, in numbers of people. */
interface UnstoredChanges {
  readonly suspending: number
  /** Number of people whom the directory would drive in addition. */
  readonly joining: number
}

const idsPerPage = 5_000

const idsOf = (people: readonly Leaver[]): string[] => people.map(({ external_id }) => external_id)

/** Ids of present people whom a full run did not find. */
async function unseenIds(db: Db, directory: DirectoryRef, seen: ReadonlySet<string>) {
  const unseen: string[] = []
  for (let after = ''; ; ) {
    const page = await presentAfter(db, directory, after, idsPerPage)
    for (const { external_id } of page) if (!seen.has(external_id)) unseen.push(external_id)
    const last = page.at(-1)
    if (!last) return unseen
    after = last.external_id
  }
}

/** Absent people who are linked, and the ids of other records that are not in the directory any more. */
async function absentPeople(db: Db, directory: DirectoryRef, people: SeenPeople, heldRunId: string | null) {
  const ids = people.isFull ? await unseenIds(db, directory, people.seen) : [...people.gone]
  const linked = new Map<string, Leaver>()
  for (const chunk of chunksOf(ids, idsPerPage))
    for (const leaver of await presentAmong(db, directory, chunk)) linked.set(leaver.external_id, leaver)
  if (!people.isFull && heldRunId !== null)
    for (const leaver of await heldMissing(db, directory, heldRunId)) linked.set(leaver.external_id, leaver)
  return { linked: [...linked.values()], unlinkedIds: ids.filter(id => !linked.has(id)) }
}

/** The people whom the refused records are about, of those whom the run did not find. */
async function namedPeople(
  db: Db,
  directory: DirectoryRef,
  refused: readonly RefusedRecord[],
  linked: readonly Leaver[],
): Promise<RefusedPeople> {
  if (refused.length === 0) return { named: new Set(), unclear: 0 }
  const missing = linked.filter(({ is_approved }) => !is_approved)
  return peopleOfRefused(refused, [...missing, ...(await peopleInGrace(db, directory))])
}

/** Reads only. People whose leaving was approved are not counted: the approval job lets them leave. */
export async function planLeavers(
  db: Db,
  context: SyncContext,
  people: SeenPeople,
  heldRunId: string | null,
  unstored?: UnstoredChanges,
): Promise<LeaverPlan> {
  const { linked, unlinkedIds } = await absentPeople(db, context, people, heldRunId)
  const { named, unclear } = await namedPeople(db, context, people.refused, linked)
  const drives = await isDriving(db, context.workspaceId, context.integrationId)
  const absent = [
    ...unlinkedIds.map(id => ({ id, leaver: undefined })),
    ...linked.map(leaver => ({ id: leaver.external_id, leaver })),
  ]
  const byFate = Map.groupBy(absent, ({ id, leaver }) =>
    fateOf({
      isLinked: leaver !== undefined,
      isApproved: leaver?.is_approved ?? false,
      isNamed: named.has(id),
      drives,
      isUnclear: unclear > 0,
    }),
  )
  const forgotten = (byFate.get('forgotten') ?? []).map(({ id }) => id)
  if (!drives) return { missing: [], suspended: [], named: [], forgotten, holdReason: null }
  const missing = (byFate.get('leaving') ?? []).flatMap(({ leaver }) => leaver ?? [])
  const suspended = (await suspendedPeople(db, context)).filter(({ is_approved }) => !is_approved)
  const holdReason = holdReasonOf({
    missing: missing.length,
    suspended: unstored?.suspending ?? suspended.length,
    driven: (await countDriven(db, context)) + (unstored?.joining ?? 0),
    isEmpty: people.isFull && people.seen.size === 0,
    unclear,
  })
  return { missing, suspended, named: [...named], forgotten, holdReason }
}

export async function holdLeavers(
  context: SyncContext,
  { missing, suspended }: LeaverPlan,
  runId: string,
): Promise<void> {
  for (const ids of chunksOf(idsOf([...missing, ...suspended]), idsPerPage))
    await context.write(tx => tx.query(markHeld(context, ids, runId)))
}

/** The run that did not find them has removed them from the lists of members, and left them in the groups. */
export async function keepNamed(context: SyncContext, { named }: Pick<LeaverPlan, 'named'>): Promise<void> {
  for (const ids of chunksOf(named, idsPerPage))
    await context.write(async tx => {
      const presentIds = await tx.column<string>(keepPresent(context, ids))
      await tx.query(restoreEdges(context, presentIds))
    })
}

/** Suspended people become inactive, and the grace of missing people begins, unless the directory drives no longer. */
export async function letLeave(
  context: SyncContext,
  { missing, suspended }: Pick<LeaverPlan, 'missing' | 'suspended'>,
  runId: string | null,
): Promise<void> {
  const { write, workspaceId, integrationId, by, onPeopleChange } = context
  for (const people of chunksOf(suspended, peoplePerBatch))
    await write(async tx => {
      await tx.query(unhold(context, idsOf(people)))
      if (!(await isDriving(tx, workspaceId, integrationId))) return
      const ids = people.map(({ teammate_id }) => teammate_id)
      const changed = await updateActive(tx, by, ids, false)
      await onPeopleChange(tx, workspaceId, changed)
      await addCounts(tx, workspaceId, runId, { people_deactivated: changed.length })
    })
  for (const people of chunksOf(missing, idsPerPage))
    await write(async tx => {
      if (!(await isDriving(tx, workspaceId, integrationId))) {
        await tx.query(unhold(context, idsOf(people)))
        return
      }
      const marked = await tx.query(markMissing(context, idsOf(people), new Date()))
      await addCounts(tx, workspaceId, runId, { people_missing: marked.length })
    })
}

export async function forgetAbsent(context: SyncContext, ids: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(ids, idsPerPage))
    await context.write(tx => tx.query(forgetPeople(context, chunk)))
}

/** Removes people whose grace is over, if the directory drives. Their values are kept, in case that they come back. */
export async function removeExpired(
  context: SyncContext,
  graceDays: number,
  runId: string | null,
  now: Date,
): Promise<number> {
  const { write, workspaceId, integrationId, by, onPeopleChange } = context
  const before = new Date(now.getTime() - graceDays * day)
  let removed = 0
  for (;;) {
    const amount = await write(async tx => {
      if (!(await isDriving(tx, workspaceId, integrationId))) return 0
      const expired = await expiredPeople(tx, context, before, peoplePerBatch)
      if (expired.length === 0) return 0
      const ids = expired.map(({ teammate_id }) => teammate_id)
      await lockTeammates(tx, workspaceId, ids)
      const values = await valuesToKeep(tx, workspaceId, ids)
      await removeFromEntities(tx, workspaceId, ids)
      const removedIds = await removeTeammates(tx, by, ids)
      await removeAddressesOf(tx, workspaceId, ids)
      const people = expired.map(({ external_id, teammate_id }) => ({
        externalId: external_id,
        values: values.get(teammate_id) ?? [],
      }))
      await tx.query(markGone(context, people))
      await onPeopleChange(tx, workspaceId, removedIds)
      await addCounts(tx, workspaceId, runId, { people_removed: removedIds.length })
      return expired.length
    })
    removed += amount
    if (amount < peoplePerBatch) return removed
  }
}
