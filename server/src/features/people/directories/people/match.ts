// Finds the teammate of each person: by the id in the directory, then by the primary address, then by an alias.
import { type DirectoryTeammate, findOwners, lockTeammates } from '#features/people/teammates/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { SyncContext } from '../context.ts'
import { addressKeysOfPerson, type CleanPerson } from './clean.ts'
import { recordsOfTeammates, type StoredPerson } from './queries.ts'

/** The context of one batch. */
export interface PeopleContext extends SyncContext {
  /** True if the directory decides who is a teammate; if not, it only fills values and groups. */
  readonly drives: boolean
}

export interface MatchedPerson {
  readonly person: CleanPerson
  readonly stored: StoredPerson | undefined
  /** Undefined: no teammate has an address of the person. */
  readonly teammate: DirectoryTeammate | undefined
  /** The record that loses the teammate: it is not in the directory any more. */
  readonly replaces: StoredPerson | undefined
  /** True if another person of the directory has the teammate, and the directory creates none. */
  readonly isTaken: boolean
}

export interface Matches {
  readonly matched: readonly MatchedPerson[]
  /** Ids of teammates by their address keys. */
  readonly owners: ReadonlyMap<string, string>
}

export async function matchPeople(
  tx: Db,
  context: PeopleContext,
  people: readonly { readonly person: CleanPerson; readonly stored: StoredPerson | undefined }[],
): Promise<Matches> {
  const { workspaceId, isUnseen, drives } = context
  const keys = [...new Set(people.flatMap(({ person }) => addressKeysOfPerson(person)))]
  const ownersBefore = await findOwners(tx, workspaceId, keys)
  const linkedIds = people.flatMap(({ stored }) => stored?.teammate_id ?? [])
  const ids = [...new Set([...linkedIds, ...ownersBefore.map(({ teammate_id }) => teammate_id)])].sort()
  const teammates = new Map((await lockTeammates(tx, workspaceId, ids)).map(row => [row.id, row]))
  // Read after the locks: an address can have moved before them.
  const owners = new Map(
    (await findOwners(tx, workspaceId, keys)).map(owner => [owner.address_key, owner.teammate_id]),
  )
  const records = new Map(
    (await recordsOfTeammates(tx, context, ids)).map(record => [record.teammate_id, record]),
  )
  const used = new Set(linkedIds)
  const matched = people.map(({ person, stored }): MatchedPerson => {
    const linked = stored?.teammate_id ? teammates.get(stored.teammate_id) : undefined
    const base = { person, stored, replaces: undefined, isTaken: false }
    if (linked && !linked.is_deleted) return { ...base, teammate: linked }
    if (linked && drives) {
      // A teammate who was added by hand since the linked one was deleted has the address.
      const owner = teammates.get(owners.get(comparisonKey(person.address)) ?? '')
      const isAdopted = owner && !owner.is_deleted && !records.has(owner.id) && !used.has(owner.id)
      if (isAdopted) used.add(owner.id)
      return { ...base, teammate: isAdopted ? owner : linked }
    }
    let isTaken = false
    for (const key of [comparisonKey(person.address), ...person.aliases.map(comparisonKey)]) {
      const teammate = teammates.get(owners.get(key) ?? '')
      if (!teammate || teammate.is_deleted) continue
      const record = records.get(teammate.id)
      const isFree = record?.state !== 'present' || isUnseen(record.external_id)
      if (isFree && !used.has(teammate.id)) {
        used.add(teammate.id)
        return { ...base, teammate, replaces: record }
      }
      // A directory that drives lets people claim addresses: see claims.ts.
      isTaken ||= !drives
    }
    return { ...base, teammate: undefined, isTaken }
  })
  return { matched, owners }
}
