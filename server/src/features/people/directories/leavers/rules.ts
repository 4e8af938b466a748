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

const leastAllowed = 10
const allowedShare = 0.1

/** More leavers than this wait for an approval. */
const allowedLeavers = (driven: number): number => Math.max(leastAllowed, Math.floor(driven * allowedShare))

export interface LeaverPlan {
  readonly missing: readonly Leaver[]
  readonly suspended: readonly Leaver[]
  /** Ids of people who are not among the missing, because records that the source could not use name them. */
  readonly named: readonly string[]
  /** Records without a teammate that are not in the directory any more. */
  readonly unlinked: readonly string[]
  readonly driven: number
  /** Null: they leave now. */
  readonly holdReason: string | null
}

export interface SeenPeople {
  readonly isFull: boolean
  readonly seen: ReadonlySet<string>
  /** Of a delta. */
  readonly gone: ReadonlySet<string>
  readonly heldRunId: string | null
  readonly refused: readonly RefusedRecord[]
  /** Of a dry run, which stores nothing: how many people would become inactive. */
  readonly suspending?: number
  /** Of a dry run: how many people the directory would drive more than now. */
  readonly joining?: number
}

const idsPerPage = 5_000

const idsOf = (people: readonly Leaver[]): string[] => people.map(({ external_id }) => external_id)

/** Ids of present people whom a full run did not find. */
async function unseenIds(db: Db, { workspaceId, integrationId }: SyncContext, seen: ReadonlySet<string>) {
  const unseen: string[] = []
  for (let after = ''; ; ) {
    const page = await presentAfter(db, workspaceId, integrationId, after, idsPerPage)
    for (const { external_id } of page) if (!seen.has(external_id)) unseen.push(external_id)
    const last = page.at(-1)
    if (!last) return unseen
    after = last.external_id
  }
}

async function missingPeople(db: Db, context: SyncContext, found: SeenPeople) {
  const { workspaceId, integrationId } = context
  const ids = found.isFull ? await unseenIds(db, context, found.seen) : [...found.gone]
  const leavers = new Map<string, Leaver>()
  for (const chunk of chunksOf(ids, idsPerPage))
    for (const leaver of await presentAmong(db, workspaceId, integrationId, chunk))
      leavers.set(leaver.external_id, leaver)
  if (!found.isFull && found.heldRunId !== null)
    for (const leaver of await heldMissing(db, workspaceId, integrationId, found.heldRunId))
      leavers.set(leaver.external_id, leaver)
  const missing = [...leavers.values()].filter(({ is_approved }) => !is_approved)
  return { missing, unlinked: ids.filter(id => !leavers.has(id)) }
}

/** Whom the refused records are about, of the people whom the run did not find. */
async function namedPeople(
  db: Db,
  { workspaceId, integrationId }: SyncContext,
  refused: readonly RefusedRecord[],
  missing: readonly Leaver[],
): Promise<RefusedPeople> {
  if (refused.length === 0) return { named: new Set(), unclear: 0 }
  return peopleOfRefused(refused, [...missing, ...(await peopleInGrace(db, workspaceId, integrationId))])
}

/** Reads only. People whose leaving was approved are not counted: the approval job lets them leave. */
export async function planLeavers(db: Db, context: SyncContext, found: SeenPeople): Promise<LeaverPlan> {
  const { workspaceId, integrationId } = context
  const { missing: unseen, unlinked } = await missingPeople(db, context, found)
  const { named, unclear } = await namedPeople(db, context, found.refused, unseen)
  const missing = unseen.filter(({ external_id }) => !named.has(external_id))
  if (!(await isDriving(db, workspaceId, integrationId))) {
    const ids = [...unlinked, ...(unclear === 0 ? idsOf(missing) : [])]
    return { missing: [], suspended: [], named: [], unlinked: ids, driven: 0, holdReason: null }
  }
  const suspended = (await suspendedPeople(db, workspaceId, integrationId)).filter(
    ({ is_approved }) => !is_approved,
  )
  const driven = (await countDriven(db, workspaceId, integrationId)) + (found.joining ?? 0)
  const inactive = found.suspending ?? suspended.length
  const leaving = missing.length + inactive
  const isEmpty = found.isFull && found.seen.size === 0 && leaving > 0
  const isTooMany = leaving > allowedLeavers(driven)
  const holdReason = isEmpty
    ? `The directory answered without any people; ${driven} would leave.`
    : isTooMany
      ? `${leaving} of ${driven} people would leave: ${missing.length} are not in the directory any more, and ${inactive} are suspended there.`
      : unclear > 0 && missing.length > 0
        ? `Lines of the file that could not be read: ${unclear}. People who would leave, and can be in these lines: ${missing.length}.`
        : null
  return { missing, suspended, named: [...named], unlinked, driven, holdReason }
}

export async function holdLeavers(
  { write, workspaceId, integrationId }: SyncContext,
  { missing, suspended }: LeaverPlan,
  runId: string,
): Promise<void> {
  for (const ids of chunksOf(idsOf([...missing, ...suspended]), idsPerPage))
    await write(tx => tx.query(markHeld(workspaceId, integrationId, ids, runId)))
}

/** The run that did not find them has removed them from the lists of members, and left them in the groups. */
export async function keepNamed(
  { write, workspaceId, integrationId }: SyncContext,
  { named }: Pick<LeaverPlan, 'named'>,
): Promise<void> {
  for (const ids of chunksOf(named, idsPerPage))
    await write(async tx => {
      const kept = await tx.query<{ external_id: string }>(keepPresent(workspaceId, integrationId, ids))
      const keptIds = kept.map(({ external_id }) => external_id)
      await tx.query(restoreEdges(workspaceId, integrationId, keptIds))
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
      await tx.query(unhold(workspaceId, integrationId, idsOf(people)))
      if (!(await isDriving(tx, workspaceId, integrationId))) return
      const ids = people.map(({ teammate_id }) => teammate_id)
      const changed = await updateActive(tx, by, ids, false)
      await onPeopleChange(tx, workspaceId, changed)
      await addCounts(tx, workspaceId, runId, { people_deactivated: changed.length })
    })
  for (const people of chunksOf(missing, idsPerPage))
    await write(async tx => {
      if (!(await isDriving(tx, workspaceId, integrationId))) {
        await tx.query(unhold(workspaceId, integrationId, idsOf(people)))
        return
      }
      const marked = await tx.query(markMissing(workspaceId, integrationId, idsOf(people), new Date()))
      await addCounts(tx, workspaceId, runId, { people_missing: marked.length })
    })
}

export async function forgetUnlinked(
  { write, workspaceId, integrationId }: SyncContext,
  ids: readonly string[],
): Promise<void> {
  for (const chunk of chunksOf(ids, idsPerPage))
    await write(tx => tx.query(forgetPeople(workspaceId, integrationId, chunk)))
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
      const expired = await expiredPeople(tx, workspaceId, integrationId, before, peoplePerBatch)
      if (expired.length === 0) return 0
      const ids = expired.map(({ teammate_id }) => teammate_id)
      await lockTeammates(tx, workspaceId, ids)
      const kept = await valuesToKeep(tx, workspaceId, ids)
      await removeFromEntities(tx, workspaceId, ids)
      const removedIds = await removeTeammates(tx, by, ids)
      await removeAddressesOf(tx, workspaceId, ids)
      const people = expired.map(({ external_id, teammate_id }) => ({
        externalId: external_id,
        values: kept.get(teammate_id) ?? [],
      }))
      await tx.query(markGone(workspaceId, integrationId, people))
      await onPeopleChange(tx, workspaceId, removedIds)
      await addCounts(tx, workspaceId, runId, { people_removed: removedIds.length })
      return expired.length
    })
    removed += amount
    if (amount < peoplePerBatch) return removed
  }
}
