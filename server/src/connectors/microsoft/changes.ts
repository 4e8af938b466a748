// What a delta names, merged: an object can come several times, in parts, in any order and again.
import type {
  DirectoryGroup,
  DirectoryMembership,
  DirectoryPage,
} from '#features/people/directories/index.ts'
import type { GraphObject } from './delta.ts'
import { graphObjects } from './delta.ts'

export const idOf = (object: GraphObject): string => (typeof object.id === 'string' ? object.id : '')

/** `@removed` has the reason `changed` (can be restored) or `deleted`: both are gone. */
export const isRemoved = (object: GraphObject): boolean =>
  object['@removed'] !== undefined && object['@removed'] !== null

/** By id: the properties that were named, the last value of each; null: removed. */
export type UserChanges = Map<string, GraphObject | null>

export function mergeUsers(changes: UserChanges, items: readonly GraphObject[]): void {
  for (const item of items) {
    const id = idOf(item)
    if (id !== '') changes.set(id, isRemoved(item) ? null : { ...changes.get(id), ...item })
  }
}

interface GroupChange {
  /** Null: not named. */
  name: string | null
  isGone: boolean
  /** By id of the member: added, or removed. */
  readonly members: Map<string, boolean>
}

export type GroupChanges = Map<string, GroupChange>

/** Devices and service principals can be members too; they have no signatures. */
const memberTypes = new Set([undefined, '#microsoft.graph.user', '#microsoft.graph.group'])

/** Ids by themselves: the members of all groups share the texts of the people's ids, which saves most of the memory. */
export type KnownIds = ReadonlyMap<string, string>

/** Returns how many members were named. */
export function mergeGroups(
  changes: GroupChanges,
  items: readonly GraphObject[],
  sharedIds: KnownIds = new Map(),
): number {
  let named = 0
  for (const item of items) {
    const id = idOf(item)
    if (id === '') continue
    if (isRemoved(item)) {
      changes.set(id, { name: null, isGone: true, members: new Map() })
      continue
    }
    const before = changes.get(id)
    const change = before && !before.isGone ? before : { name: null, isGone: false, members: new Map() }
    changes.set(id, change)
    if (typeof item.displayName === 'string') change.name = item.displayName
    for (const member of graphObjects(item['members@delta'])) {
      const memberId = idOf(member)
      if (!memberTypes.has(member['@odata.type'] as string | undefined) || memberId === '') continue
      change.members.set(sharedIds.get(memberId) ?? memberId, !isRemoved(member))
      named += 1
    }
  }
  return named
}

/** A group without a name was known before: only its members have changed. */
export function groupPage(changes: GroupChanges, isFull: boolean): DirectoryPage {
  const groups: DirectoryGroup[] = []
  const memberships: DirectoryMembership[] = []
  const goneGroups: string[] = []
  for (const [externalId, { name, isGone, members }] of changes) {
    if (isGone) {
      goneGroups.push(externalId)
      continue
    }
    if (name !== null) groups.push({ externalId, name: name || externalId, subKind: 'group' })
    const idsOf = (isAdded: boolean) =>
      [...members].filter(([, added]) => added === isAdded).map(([id]) => id)
    // Also without members: a full run has to know that the group has none.
    if (isFull || members.size > 0)
      memberships.push({ group: externalId, add: idsOf(true), remove: idsOf(false), isComplete: false })
  }
  return { groups, memberships, goneGroups, isFull }
}
