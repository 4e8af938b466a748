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
import { earlierKeys, type PlacedPerson, placePeople } from './decide.ts'
import { matchPeople, type PeopleContext } from './match.ts'
import { type SavedPerson, type StoredPerson, savePeople, storedPeople, unlinkPeople } from './queries.ts'
import { seatPeople } from './seats.ts'
import { mappedFieldsOf } from './values.ts'
import { restoreKeptValues, writeMappedValues } from './write-values.ts'

export interface PeopleCounts {
  readonly added: number
  readonly changed: number
  readonly reactivated: number
  /** Suspended people whose teammates are active: see leavers/. */
  readonly suspending: number
  /** How many people the directory drives more than before. */
  readonly joining: number
  /** Ids of records that have lost their teammates to others: these people have not left. */
  readonly replaced: readonly string[]
  /** Groups can have other members now. */
  readonly affectsMembers: boolean
  readonly problems: readonly (PersonProblem & { readonly externalId: string; readonly address: string })[]
  /** Who changed, for the report of a dry run. */
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

/** What happens to each person, the most important first: a person is listed once. */
function previewOf(
  teammates: readonly PlacedTeammate[],
  written: Written,
  drives: boolean,
): PreviewedPerson[] {
  const [changed, reactivated] = [new Set(written.changed), new Set(written.reactivated)]
  return teammates.flatMap(({ person, teammate, teammateId }) => {
    const change = written.added.has(teammateId)
      ? 'added'
      : drives && !person.isActive && teammate?.active
        ? 'deactivated'
        : reactivated.has(teammateId)
          ? 'reactivated'
          : changed.has(teammateId)
            ? 'changed'
            : null
    if (change === null) return []
    const id = change === 'added' ? null : teammateId
    return [{ change, external_id: person.externalId, teammate_id: id, address: person.address }]
  })
}

const hasProblem = ({ problems }: StoredPerson, wanted: PersonProblem['kind']): boolean =>
  problems.some(({ kind }) => kind === wanted)

/** A person without a teammate is tried again where another directory or person could have made place. */
function isUnchanged(
  person: CleanPerson,
  stored: StoredPerson | undefined,
  { drives }: PeopleContext,
  seats: FreeSeats,
): boolean {
  if (!stored?.fingerprint.equals(person.fingerprint) || stored.state !== 'present') return false
  if (hasProblem(stored, 'conflict')) return false
  if (hasProblem(stored, 'no_seat')) return seats.left === 0
  // The person was missing, and that run waits for an approval; or the account is still suspended.
  if (stored.held_run_id !== null && person.isActive) return false
  return stored.has_teammate || (drives && (!person.isActive || person.address === ''))
}

/** Creates, restores and adopts teammates. Returns the people with the ids of their teammates. */
async function saveTeammates(
  tx: Db,
  { by, workspaceId, integrationId, drives }: PeopleContext,
  placed: readonly PlacedPerson[],
): Promise<PlacedPerson[]> {
  const created = placed.filter(({ outcome }) => outcome === 'new')
  const replaced = placed.flatMap(({ replaces }) => replaces?.external_id ?? [])
  if (replaced.length > 0) await tx.query(unlinkPeople(workspaceId, integrationId, replaced))
  const ids =
    created.length === 0
      ? []
      : await insertTeammates(
          tx,
          by,
          created.map(({ person }) => person.address),
        )
  const idOf = new Map(created.map((one, n) => [one, ids[n] ?? null]))
  const idsOf = (wanted: PlacedPerson['outcome']) =>
    placed.flatMap(({ outcome, teammateId }) => (outcome === wanted && teammateId ? [teammateId] : []))
  await restoreTeammates(tx, by, idsOf('restored'))
  if (drives) await adoptTeammates(tx, by, idsOf('adopted'))
  return placed.map(one => (one.outcome === 'new' ? { ...one, teammateId: idOf.get(one) ?? null } : one))
}

function savedPerson(
  { person, stored, teammateId, conflicts, givenKeys, outcome }: PlacedPerson,
  problems: readonly PersonProblem[],
): SavedPerson {
  // Suspended people still wait for the approval of the run that held them.
  const heldRunId = person.isActive || stored?.is_active ? null : (stored?.held_run_id ?? null)
  const all = [...person.problems, ...conflicts, ...problems]
  const byText = new Map(all.map(problem => [`${problem.field} ${problem.message}`, problem]))
  const isGone = outcome === 'none' && stored?.state === 'gone' && stored.teammate_id !== null
  return { ...person, teammateId, givenKeys, isGone, heldRunId, allProblems: [...byText.values()] }
}

function needsSave(saved: SavedPerson, stored: StoredPerson | undefined): boolean {
  return (
    !stored?.fingerprint.equals(saved.fingerprint) ||
    stored.state !== (saved.isGone ? 'gone' : 'present') ||
    stored.teammate_id !== saved.teammateId ||
    stored.held_run_id !== saved.heldRunId ||
    JSON.stringify(stored.problems.map(({ message }) => message)) !==
      JSON.stringify(saved.allProblems.map(({ message }) => message))
  )
}

interface PlacedTeammate extends PlacedPerson {
  readonly teammateId: string
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
  teammates: readonly PlacedTeammate[],
  addresses: readonly StoredAddress[],
): Promise<Written> {
  const { workspaceId, integrationId, by, drives } = context
  const planned = teammates
    .filter(({ address }) => drives && address !== '')
    .map(one => ({
      teammateId: one.teammateId,
      primary: one.address,
      aliases: one.aliases,
      earlier: earlierKeys(one),
    }))
  const moved = await saveAddresses(tx, by, addresses, planned)
  const restored = teammates.filter(({ outcome }) => outcome === 'restored')
  await restoreKeptValues(tx, context, restored)
  // The mapping of this transaction: it can change during a run.
  const fields = context.fields ?? mappedFieldsOf(await smartFieldsOf(tx, workspaceId), integrationId)
  const values = await writeMappedValues(tx, { workspaceId, fields }, teammates)
  const inactive = teammates.filter(
    ({ person, teammate, lacksSeat }) =>
      drives && person.isActive && teammate && !teammate.active && !lacksSeat,
  )
  const reactivated = await updateActive(
    tx,
    by,
    inactive.map(({ teammateId }) => teammateId),
    true,
  )
  const added = new Set(
    teammates.filter(({ outcome }) => outcome === 'new' || outcome === 'restored').map(one => one.teammateId),
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
  const { workspaceId, integrationId } = context
  const ids = people.map(({ externalId }) => externalId)
  const stored = new Map(
    (await storedPeople(tx, workspaceId, integrationId, ids)).map(row => [row.external_id, row]),
  )
  return people
    .map(person => ({ person, stored: stored.get(person.externalId) }))
    .filter(({ person, stored }) => !isUnchanged(person, stored, context, seats))
}

const affectsMembers = ({ person, stored, teammateId }: PlacedPerson): boolean =>
  !stored ||
  stored.teammate_id !== teammateId ||
  stored.org_unit_id !== person.orgUnitId ||
  stored.state !== 'present'

const isDriven = (record: StoredPerson | undefined): boolean =>
  record?.state === 'present' && record.teammate_id !== null

function joiningOf(placed: readonly PlacedPerson[]): number {
  const now = placed.filter(({ outcome }) => outcome !== 'none')
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
  const wanted = placePeople(context, matched, owners, byTeammate)
  const placed = await saveTeammates(tx, context, drives ? seatPeople(wanted, seats) : wanted)
  const teammates = placed.flatMap(one =>
    one.teammateId !== null && one.outcome !== 'none' ? [{ ...one, teammateId: one.teammateId }] : [],
  )
  const written = await writeTeammates(tx, context, teammates, addresses)
  const saved = placed.map(one => ({
    saved: savedPerson(one, written.valueProblems.get(one.person.externalId) ?? []),
    stored: one.stored,
  }))
  const toSave = saved.filter(({ saved, stored }) => needsSave(saved, stored)).map(({ saved }) => saved)
  if (toSave.length > 0) await tx.query(savePeople(workspaceId, integrationId, toSave))
  return {
    added: written.added.size,
    changed: written.changed.length,
    reactivated: written.reactivated.length,
    suspending: teammates.filter(({ person, teammate }) => drives && !person.isActive && teammate?.active)
      .length,
    joining: joiningOf(placed),
    replaced: placed.flatMap(({ replaces }) => replaces?.external_id ?? []),
    affectsMembers: placed.some(affectsMembers),
    problems: saved.flatMap(({ saved: { allProblems, externalId, address } }) =>
      allProblems.map(problem => ({ ...problem, externalId, address })),
    ),
    preview: previewOf(teammates, written, drives),
  }
}
