// Writes a batch of people in one transaction: teammates, addresses, values, and what the directory says about them.
// No person leaves here: see leavers/.

import {
  adoptTeammates,
  insertTeammates,
  restoreTeammates,
  touchTeammates,
  updateActive,
} from '#features/people/teammates/index.ts'
import { lockAddressesOf, type StoredAddress, saveAddresses } from '#features/workspace/emails/index.ts'
import { isDriving } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { FreeSeats, lockFreeSeats } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SyncContext } from '../context.ts'
import type { PreviewedPerson } from '../runs/queries.ts'
import type { CleanPerson, PersonProblem } from './clean.ts'
import { type DecidedPerson, decidePeople, earlierKeys, seatPeople } from './decide.ts'
import { matchPeople, type PeopleContext } from './match.ts'
import { type SavedPerson, type StoredPerson, savePeople, storedPeople, unlinkPeople } from './queries.ts'
import { type ActiveChange, activeChangeOf, heldRunAfter, isPersonSettled, personStateOf } from './states.ts'
import { mappedFieldsOf } from './values.ts'
import { restoreKeptValues, writeMappedValues } from './write-values.ts'

export interface PeopleCounts {
  readonly added: number
  readonly changed: number
  readonly reactivated: number
  /** Suspended people whose teammates are active: see leavers/. */
  readonly suspending: number
  /** Number of people whom the directory drives in addition. */
  readonly joining: number
  /** Ids of records that have lost their teammates to others: these people have not left. */
  readonly replaced: readonly string[]
  /** Groups can have other members now. */
  readonly affectsMembers: boolean
  readonly problems: readonly (PersonProblem & { readonly externalId: string; readonly address: string })[]
  /** The changed people, for the report of a dry run. */
  readonly preview: readonly PreviewedPerson[]
}

const noPeople: PeopleCounts = {
  added: 0,
  changed: 0,
  reactivated: 0,
  suspending: 0,
  joining: 0,
  replaced: [],
  affectsMembers: false,
  problems: [],
  preview: [],
}

/** Changes of people, the most important one of each: a person is listed once. */
function previewOf(teammates: readonly DecidedTeammate[], written: Written): PreviewedPerson[] {
  const changed = new Set(written.changed)
  return teammates.flatMap(({ person, teammateId, activeChange }) => {
    const change = written.added.has(teammateId)
      ? 'added'
      : (activeChange ?? (changed.has(teammateId) ? 'changed' : null))
    if (change === null) return []
    const id = change === 'added' ? null : teammateId
    return [{ change, external_id: person.externalId, teammate_id: id, address: person.address }]
  })
}

/** Creates, restores and adopts teammates. Returns the people with the ids of their teammates. */
async function saveTeammates(
  tx: Db,
  context: PeopleContext,
  decided: readonly DecidedPerson[],
): Promise<DecidedPerson[]> {
  const { by, drives } = context
  const replaced = decided.flatMap(({ replaces }) => replaces?.external_id ?? [])
  if (replaced.length > 0) await tx.query(unlinkPeople(context, replaced))
  const created = decided.filter(({ outcome }) => outcome === 'new')
  const addresses = created.map(({ person }) => person.address)
  const ids = created.length === 0 ? [] : await insertTeammates(tx, by, addresses)
  const idOf = new Map(created.map((person, n) => [person, ids[n] ?? null]))
  const idsWith = (expected: DecidedPerson['outcome']) =>
    decided.flatMap(({ outcome, teammateId }) => (outcome === expected && teammateId ? [teammateId] : []))
  await restoreTeammates(tx, by, idsWith('restored'))
  if (drives) await adoptTeammates(tx, by, idsWith('adopted'))
  return decided.map(person =>
    person.outcome === 'new' ? { ...person, teammateId: idOf.get(person) ?? null } : person,
  )
}

function savedPerson(
  { person, stored, teammateId, conflicts, givenKeys, outcome }: DecidedPerson,
  problems: readonly PersonProblem[],
): SavedPerson {
  const heldRunId = heldRunAfter(person, stored)
  const all = [...person.problems, ...conflicts, ...problems]
  const byText = new Map(all.map(problem => [`${problem.field} ${problem.message}`, problem]))
  const isGone = outcome === 'none' && personStateOf(stored) === 'gone'
  return { ...person, teammateId, givenKeys, isGone, heldRunId, allProblems: [...byText.values()] }
}

const needsSave = (saved: SavedPerson, stored: StoredPerson | undefined): boolean =>
  !stored?.fingerprint.equals(saved.fingerprint) ||
  stored.state !== (saved.isGone ? 'gone' : 'present') ||
  stored.teammate_id !== saved.teammateId ||
  stored.held_run_id !== saved.heldRunId ||
  JSON.stringify(stored.problems.map(({ message }) => message)) !==
    JSON.stringify(saved.allProblems.map(({ message }) => message))

interface DecidedTeammate extends DecidedPerson {
  readonly teammateId: string
  readonly activeChange: ActiveChange
}

interface Written {
  /** Ids of teammates. */
  readonly added: ReadonlySet<string>
  readonly changed: readonly string[]
  readonly reactivated: readonly string[]
  readonly valueProblems: ReadonlyMap<string, readonly PersonProblem[]>
}

/** Writes addresses, values and activity of people who are teammates, and tells the other features. */
async function writeTeammates(
  tx: Db,
  context: PeopleContext,
  teammates: readonly DecidedTeammate[],
  addresses: readonly StoredAddress[],
): Promise<Written> {
  const { workspaceId, integrationId, by, drives } = context
  const planned = teammates
    .filter(({ address }) => drives && address !== '')
    .map(person => ({
      teammateId: person.teammateId,
      primary: person.address,
      aliases: person.aliases,
      earlier: earlierKeys(person),
    }))
  const moved = await saveAddresses(tx, by, addresses, planned)
  const restored = teammates.filter(({ outcome }) => outcome === 'restored')
  await restoreKeptValues(tx, context, restored)
  // The mapping of this transaction: it can change during a run.
  const fields = context.fields ?? mappedFieldsOf(await smartFieldsOf(tx, workspaceId), integrationId)
  const values = await writeMappedValues(tx, { workspaceId, fields }, teammates)
  const inactive = teammates.filter(({ activeChange }) => activeChange === 'reactivated')
  const reactivated = await updateActive(
    tx,
    by,
    inactive.map(({ teammateId }) => teammateId),
    true,
  )
  const added = new Set(
    teammates
      .filter(({ outcome }) => outcome === 'new' || outcome === 'restored')
      .map(({ teammateId }) => teammateId),
  )
  const hasMoved = new Set(moved.changed)
  const changed = [...new Set([...hasMoved, ...values.changed])].filter(id => !added.has(id)).sort()
  const changes = changed.map(id => ({
    id,
    changed: [...(hasMoved.has(id) ? ['emails'] : []), ...(values.changed.has(id) ? ['smart_fields'] : [])],
  }))
  await touchTeammates(tx, by, changes)
  const affected = [...new Set([...added, ...changed, ...reactivated])].sort()
  await context.onPeopleChange(tx, workspaceId, affected, moved.newEmailIds)
  return { added, changed, reactivated, valueProblems: values.problems }
}

/** People whose stored record differs, or who could get a teammate now. */
async function changedPeople(
  tx: Db,
  context: PeopleContext,
  people: readonly CleanPerson[],
  seats: FreeSeats,
) {
  const ids = people.map(({ externalId }) => externalId)
  const records = new Map((await storedPeople(tx, context, ids)).map(row => [row.external_id, row]))
  return people
    .map(person => ({ person, stored: records.get(person.externalId) }))
    .filter(
      ({ person, stored }) =>
        !isPersonSettled({
          state: personStateOf(stored),
          account: person,
          hasTeammate: stored?.has_teammate ?? false,
          isSame: stored?.fingerprint.equals(person.fingerprint) ?? false,
          problems: stored?.problems.map(({ kind }) => kind) ?? [],
          drives: context.drives,
          hasFreeSeat: seats.left !== 0,
        }),
    )
}

const affectsMembers = ({ person, stored, teammateId }: DecidedPerson): boolean =>
  !stored ||
  stored.teammate_id !== teammateId ||
  stored.org_unit_id !== person.orgUnitId ||
  stored.state !== 'present'

const isDriven = (record: StoredPerson | undefined): boolean =>
  record?.state === 'present' && record.teammate_id !== null

function joiningOf(decided: readonly DecidedPerson[]): number {
  const now = decided.filter(({ outcome }) => outcome !== 'none')
  const before = now.filter(({ stored, replaces }) => isDriven(stored) || isDriven(replaces))
  return now.length - before.length
}

/** `people` have different ids. `seatsTaken`: by earlier batches of a dry run, which stores nothing. */
export async function applyPeople(
  tx: Db,
  run: SyncContext,
  people: readonly CleanPerson[],
  seatsTaken = 0,
): Promise<PeopleCounts> {
  const { workspaceId, integrationId } = run
  const drives = await isDriving(tx, workspaceId, integrationId)
  const context = { ...run, drives }
  const seats = drives ? await lockFreeSeats(tx, workspaceId, seatsTaken) : new FreeSeats(undefined)
  const candidates = await changedPeople(tx, context, people, seats)
  if (candidates.length === 0) return noPeople
  const { matched, owners } = await matchPeople(tx, context, candidates)
  const living = matched.flatMap(({ teammate }) => (teammate && !teammate.is_deleted ? [teammate.id] : []))
  const addresses = drives ? await lockAddressesOf(tx, workspaceId, living) : []
  const byTeammate = Map.groupBy(addresses, row => row.teammate_id)
  const claimed = decidePeople(context, matched, owners, byTeammate)
  const decided = await saveTeammates(tx, context, drives ? seatPeople(claimed, seats) : claimed)
  const teammates = decided.flatMap((person): DecidedTeammate[] => {
    const { teammateId, outcome, lacksSeat } = person
    if (teammateId === null || outcome === 'none') return []
    const { isActive } = person.person
    const isTeammateActive = person.teammate?.active ?? true
    const activeChange = activeChangeOf({ isActive, isTeammateActive, drives, lacksSeat })
    return [{ ...person, teammateId, activeChange }]
  })
  const written = await writeTeammates(tx, context, teammates, addresses)
  const saved = decided.map(person => ({
    saved: savedPerson(person, written.valueProblems.get(person.person.externalId) ?? []),
    stored: person.stored,
  }))
  const toSave = saved.filter(({ saved, stored }) => needsSave(saved, stored)).map(({ saved }) => saved)
  if (toSave.length > 0) await tx.query(savePeople(context, toSave))
  return {
    added: written.added.size,
    changed: written.changed.length,
    reactivated: written.reactivated.length,
    suspending: teammates.filter(({ activeChange }) => activeChange === 'deactivated').length,
    joining: joiningOf(decided),
    replaced: decided.flatMap(({ replaces }) => replaces?.external_id ?? []),
    affectsMembers: decided.some(affectsMembers),
    problems: saved.flatMap(({ saved: { allProblems, externalId, address } }) =>
      allProblems.map(problem => ({ ...problem, externalId, address })),
    ),
    preview: previewOf(teammates, written),
  }
}
