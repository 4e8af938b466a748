// Groups and org units of a run, and the people in them.

import { lockMembership } from '#features/signatures/recipients/index.ts'
import {
  addMembers,
  deleteGoneEntities,
  entitiesOf,
  markEntitiesGone,
  markExpansion,
  removeMembers,
  saveEntities,
} from '#features/workspace/integrations/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { asPlainName } from '#kernel/db/text.ts'
import { chunksOf, peoplePerBatch, type SyncContext } from '../context.ts'
import type { DirectoryGroup, DirectoryMembership } from '../directory.ts'
import { cleanId } from '../people/clean.ts'
import { addCounts } from '../runs/queries.ts'
import {
  analyzeDirectories,
  approvedMembers,
  changedEntities,
  changeEdges,
  deleteEdgesOf,
  type EntityChange,
  heldMembers,
  holdMembers,
  isEntityUsed,
  memberChanges,
  replaceEdges,
} from './queries.ts'

const longestName = 300

export async function applyGroups(
  tx: Db,
  { workspaceId, integrationId }: SyncContext,
  groups: readonly DirectoryGroup[],
  runId: string | null,
): Promise<void> {
  const byId = new Map(
    groups.map(({ externalId, name, subKind, parentId }) => {
      const id = cleanId(externalId)
      const plain = asPlainName(name.toWellFormed()).slice(0, longestName).toWellFormed() || id
      return [
        id,
        { externalId: id, name: plain, subKind, parentExternalId: parentId ? cleanId(parentId) : null },
      ]
    }),
  )
  if (byId.size === 0) return
  const { added, changed } = await saveEntities(tx, workspaceId, integrationId, [...byId.values()])
  await addCounts(tx, workspaceId, runId, { entities_added: added, entities_changed: changed })
  if (added + changed > 0) await tx.query(markExpansion(workspaceId, integrationId, true))
}

/** `stays`: members who are not removed where `isComplete` would remove them. */
export async function applyMemberships(
  tx: Db,
  context: SyncContext,
  memberships: readonly DirectoryMembership[],
  stays: (memberId: string) => boolean = () => false,
): Promise<void> {
  let isChanged = false
  for (const { group, add, remove, isComplete } of memberships) {
    const id = cleanId(group)
    const isOneChanged = isComplete
      ? await replaceEdges(tx, context, id, add.map(cleanId), stays)
      : await changeEdges(tx, context, id, add.map(cleanId), remove.map(cleanId))
    isChanged ||= isOneChanged
  }
  if (isChanged) await tx.query(markExpansion(context.workspaceId, context.integrationId, true))
}

export async function goneGroups(
  tx: Db,
  context: SyncContext,
  externalIds: readonly string[],
  runId: string | null,
): Promise<void> {
  const { workspaceId, integrationId } = context
  const ids = externalIds.map(cleanId)
  const marked = await markEntitiesGone(tx, workspaceId, integrationId, ids)
  await tx.query(deleteEdgesOf(context, ids))
  await addCounts(tx, workspaceId, runId, { entities_removed: marked })
  if (marked > 0) await tx.query(markExpansion(workspaceId, integrationId, true))
}

/** Groups that a full run did not name. */
export async function removeUnseenGroups(
  db: Db,
  context: SyncContext,
  seen: ReadonlySet<string>,
  runId: string,
): Promise<void> {
  const stored = await entitiesOf(db, context.workspaceId, context.integrationId)
  const unseen = stored.filter(({ external_id, is_gone }) => !is_gone && !seen.has(external_id))
  for (const chunk of chunksOf(unseen, 1_000))
    await context.write(tx =>
      goneGroups(
        tx,
        context,
        chunk.map(({ external_id }) => external_id),
        runId,
      ),
    )
}

/** A group in use that loses more than half of its people waits for an approval. */
const losesTooMany = ({ is_used, removed, before }: EntityChange): boolean => is_used && removed > before / 2

export interface HeldGroups {
  readonly reasons: readonly string[]
  readonly count: number
  /** All of them wait for the approval of an earlier run already. */
  readonly areCovered: boolean
}

interface HeldMember {
  readonly entity_id: string
  readonly teammate_id: string
}

/** Writes the members of all entities, except removals that need an approval: those are held for this run. */
export async function expandMembers(
  db: Db,
  context: SyncContext,
  runId: string,
  heldRunId: string | null,
): Promise<HeldGroups> {
  const { workspaceId, integrationId } = context
  const held = new Map<string, readonly string[]>()
  const reasons: string[] = []
  await db.query(analyzeDirectories)
  const approved = new Set((await approvedMembers(db, context)).map(memberKey))
  for (const change of await changedEntities(db, context)) {
    const { entity_id } = change
    const { added, removed: all } = await memberChanges(db, context, entity_id)
    const removed = all.filter(teammate_id => !approved.has(memberKey({ entity_id, teammate_id })))
    await changeMembers(context, change.entity_id, added, addMembers, runId)
    if (!losesTooMany({ ...change, removed: removed.length })) {
      await changeMembers(context, change.entity_id, removed, removeMembers, runId)
      continue
    }
    held.set(change.entity_id, removed)
    reasons.push(`“${change.name}” would lose ${removed.length} of ${change.before} people.`)
  }
  const earlier = heldRunId === null ? [] : await heldMembers(db, workspaceId, heldRunId)
  const heldBefore = new Set(earlier.map(memberKey))
  const areCovered = [...held].every(([entity_id, ids]) =>
    ids.every(teammate_id => heldBefore.has(memberKey({ entity_id, teammate_id }))),
  )
  if (!areCovered)
    for (const [entityId, ids] of held)
      for (const chunk of chunksOf(ids, 5_000))
        await context.write(tx => tx.query(holdMembers(workspaceId, runId, entityId, chunk)))
  await context.write(async tx => {
    await tx.query(deleteGoneEntities(workspaceId, integrationId))
    // Held members differ from the directory until the approval: the next run has to find them again.
    await tx.query(markExpansion(workspaceId, integrationId, held.size > 0))
  })
  const count = [...held.values()].reduce((sum, ids) => sum + ids.length, 0)
  return { reasons, count, areCovered }
}

const memberKey = ({ entity_id, teammate_id }: HeldMember): string => `${entity_id} ${teammate_id}`

type ChangeMembers = typeof addMembers

/** The signatures of an entity reach its people in the same transaction. */
export async function changeMembers(
  { write, workspaceId, onPeopleChange }: SyncContext,
  entityId: string,
  teammateIds: readonly string[],
  change: ChangeMembers,
  runId: string | null,
): Promise<void> {
  for (const ids of chunksOf(teammateIds, peoplePerBatch))
    await write(async tx => {
      // Before the question whether the entity is in use: a request can give it a signature at the same time.
      await lockMembership(tx, workspaceId, 'shared')
      const changed = await change(tx, workspaceId, entityId, ids)
      await addCounts(tx, workspaceId, runId, {
        [change === addMembers ? 'members_added' : 'members_removed']: changed.length,
      })
      if (changed.length > 0 && (await isEntityUsed(tx, workspaceId, entityId)))
        await onPeopleChange(tx, workspaceId, changed)
    })
}
