// What a delta query of the fake Microsoft Graph answers: everything, or the differences between two states.

export type FakeUsers = Map<string, Readonly<Record<string, unknown>>>
export interface FakeGroupState {
  readonly displayName: string
  readonly members: ReadonlySet<string>
  /** Members that exist, with their types. */
  readonly visible: ReadonlyMap<string, string>
}
export type FakeGroups = Map<string, FakeGroupState>
type Chance = (probability: number) => boolean
type Properties = Readonly<Record<string, unknown>>

/** In any order, where Microsoft allows it. */
function mixed<T>(items: readonly T[], chance: Chance): T[] {
  if (!chance(0.5)) return [...items]
  const front = items.filter(() => chance(0.5))
  const chosen = new Set(front)
  return [...items.filter(item => !chosen.has(item)), ...front]
}

const selected = (properties: Properties, select: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    select.filter(name => properties[name] !== undefined).map(name => [name, properties[name]]),
  )

const removed = (id: string, reason = 'changed') => ({ id, '@removed': { reason } })

export function firstUsers(
  users: FakeUsers,
  select: readonly string[],
  gone: readonly string[],
  chance: Chance,
): object[] {
  const items: object[] = mixed(
    [...users.values()].map(user => selected(user, select)),
    chance,
  )
  // Some come again, also in part, and others were removed before the first round.
  for (const [id, user] of users)
    if (chance(0.05))
      items.push(chance(0.5) ? selected(user, select) : { id, jobTitle: user.jobTitle ?? null })
  for (const id of gone) if (chance(0.1)) items.push(removed(id, 'deleted'))
  return items
}

/** A property that was set and is not any more is null; one that was never set is left out. */
function changedProperties(before: Properties, after: Properties, select: readonly string[]) {
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  return Object.fromEntries(select.filter(isChanged).map(name => [name, after[name] ?? null]))
}

export function changedUsers(
  before: FakeUsers,
  after: FakeUsers,
  select: readonly string[],
  gone: readonly string[],
  chance: Chance,
): object[] {
  const items: object[] = []
  for (const id of before.keys())
    if (!after.has(id)) items.push(removed(id, chance(0.5) ? 'changed' : 'deleted'))
  // Replays of earlier removals.
  for (const id of gone) if (!before.has(id) && chance(0.1)) items.push(removed(id, 'deleted'))
  for (const [id, user] of after) {
    const old = before.get(id)
    const all = selected(user, select)
    if (!old) {
      items.push(all)
      continue
    }
    const changes = changedProperties(old, user, select)
    const names = Object.keys(changes)
    if (names.length === 0) {
      // A replay of an earlier change.
      if (chance(0.05)) items.push(chance(0.5) ? all : { id, department: user.department ?? null })
      continue
    }
    const isPart = chance(0.4)
    const comesInParts = isPart && chance(0.4)
    if (comesInParts) for (const name of names) items.push({ id, [name]: changes[name] })
    else items.push(isPart ? { id, ...changes } : { ...all, ...changes })
  }
  return mixed(items, chance)
}

const memberRecord = (id: string, type: string, isRemoved: boolean) => ({
  '@odata.type': `#microsoft.graph.${type}`,
  id,
  ...(isRemoved && { '@removed': { reason: 'deleted' } }),
})

/** The records of a group, each with some of the members. */
function groupRecords(base: object, members: readonly object[], perRecord: number): object[] {
  if (members.length === 0) return [base]
  const records: object[] = []
  for (let n = 0; n < members.length; n += perRecord)
    records.push({ ...base, 'members@delta': members.slice(n, n + perRecord) })
  return records
}

export function firstGroups(groups: FakeGroups, perRecord: number, chance: Chance): object[] {
  const records = [...groups].flatMap(([id, { displayName, visible }]) =>
    groupRecords(
      { id, displayName },
      [...visible].map(([member, type]) => memberRecord(member, type, false)),
      perRecord,
    ),
  )
  return mixed(records, chance)
}

/** A user who was deleted is removed from groups only sometimes; one who was restored is a member again. */
export function changedGroups(
  before: FakeGroups,
  after: FakeGroups,
  perRecord: number,
  chance: Chance,
): object[] {
  const items: object[] = []
  for (const id of before.keys()) if (!after.has(id)) items.push(removed(id))
  for (const [id, group] of after) {
    const old = before.get(id)
    const members: object[] = []
    for (const [member, type] of group.visible)
      if (!old?.visible.has(member) || chance(0.02)) members.push(memberRecord(member, type, false))
    for (const member of old?.members ?? []) {
      const isLost = (old?.visible.has(member) ?? false) && !group.visible.has(member)
      if (!group.members.has(member) || (isLost && chance(0.5)))
        members.push(memberRecord(member, old?.visible.get(member) ?? 'user', true))
    }
    const isRenamed = old?.displayName !== group.displayName
    if (members.length === 0 && !isRenamed && !chance(0.05)) continue
    const isNamed = isRenamed || !chance(0.3)
    items.push(
      ...groupRecords({ id, ...(isNamed && { displayName: group.displayName }) }, members, perRecord),
    )
  }
  return mixed(items, chance)
}
