// The state machine of a person of a directory: one row of `directory_people` is one record of one directory.
//
// State     Columns                                   Meaning
// none      no row                                    the directory has not named this id, or its record was forgotten
// unlinked  state present, teammate_id null           in the directory, and no teammate: a conflict, no seat, suspended, or no match
// linked    state present, teammate_id set            a teammate follows the record
// orphaned  linked, and the teammate is deleted       an admin deleted the teammate by hand
// held      state present, held_run_id set            would leave, and waits for the approval of that run
// missing   state missing, missing_since set          not in the directory any more: the grace runs, the teammate stays
// gone      state gone, teammate_id and kept_values   the grace is over: the teammate is removed, its values are kept for 90 days
// replaced  state gone, teammate_id null              another record has taken over the teammate
//
// From                To        Cause
// any                 linked    a page names the person, and `outcomeOf` finds or makes a teammate
// any but gone        unlinked  a page names the person, and `outcomeOf` says `none`
// gone                gone      the same: the kept values wait for the day when the person gets a teammate
// any                 replaced  a record with the same address replaces this one, which is not in the directory any more
// linked              held      the person is absent or suspended, and `holdReasonOf` wants an approval
// held                linked    a page names the person again, or a later run finds that nothing needs an approval
// linked, held        missing   the person is absent (`fateOf`), and no approval is needed any more
// missing             linked    a page names the person, or a record that could not be used does
// missing             gone      the grace is over (`removeExpired` of ../leavers)
// unlinked, replaced  none      the person is absent
// linked, held        none      the same, in a directory that does not drive: the teammate stays
// gone                none      90 days later
//
// Active or not, as `activeChangeOf` decides for people of a driving directory:
//
// Record     Teammate  Change       When
// active     inactive  reactivated  in the batch that names the person, if a seat is free
// suspended  active    deactivated  a run: after its last page, or after its approval (`holdReasonOf`); SCIM: in the same request
//
// Decisions: `isPersonSettled` whether a batch skips a named person, `outcomeOf` which teammate a named person gets,
// `activeChangeOf` whether the teammate becomes active or inactive, `fateOf` what becomes of an absent person, `holdReasonOf`
// whether those who leave wait for an approval.
import type { PersonProblem } from './clean.ts'

/** The columns of a record that decide its state. */
export interface PersonColumns {
  readonly state: 'present' | 'missing' | 'gone'
  readonly teammate_id: string | null
  /** False also when the linked teammate is deleted. */
  readonly has_teammate: boolean
  readonly held_run_id: string | null
}

export type PersonState =
  | 'none'
  | 'unlinked'
  | 'linked'
  | 'orphaned'
  | 'held'
  | 'missing'
  | 'gone'
  | 'replaced'

export function personStateOf(record: PersonColumns | undefined): PersonState {
  if (!record) return 'none'
  if (record.state === 'missing') return 'missing'
  if (record.state === 'gone') return record.teammate_id === null ? 'replaced' : 'gone'
  if (record.held_run_id !== null) return 'held'
  if (record.teammate_id === null) return 'unlinked'
  return record.has_teammate ? 'linked' : 'orphaned'
}

/** An account as the directory describes it. */
export interface DirectoryAccount {
  readonly isActive: boolean
  /** Empty: the directory names no valid address. */
  readonly address: string
}

/** True for accounts that can become teammates: active, with an address. */
const isUsable = ({ isActive, address }: DirectoryAccount): boolean => isActive && address !== ''

/** The facts that `isPersonSettled` decides by. */
export interface PersonComparison {
  readonly state: PersonState
  readonly account: DirectoryAccount
  readonly hasTeammate: boolean
  /** True when the directory says the same as before. */
  readonly isSame: boolean
  /** Kinds of the stored problems. */
  readonly problems: readonly PersonProblem['kind'][]
  readonly drives: boolean
  readonly hasFreeSeat: boolean
}

/** A person without a teammate is matched again, unless the account cannot be one of a driving directory. */
const needsNoMatch = ({ hasTeammate, drives, account }: PersonComparison): boolean =>
  hasTeammate || (drives && !isUsable(account))

/** Null: a named person in this state is always written. */
const settled: Readonly<Record<PersonState, ((comparison: PersonComparison) => boolean) | null>> = {
  none: null,
  unlinked: needsNoMatch,
  linked: needsNoMatch,
  orphaned: needsNoMatch,
  // An active person who was absent is back; a suspended one still waits for the approval.
  held: comparison => !comparison.account.isActive && needsNoMatch(comparison),
  missing: null,
  gone: null,
  replaced: null,
}

/** First decision: true when a batch leaves the named person alone. */
export function isPersonSettled(comparison: PersonComparison): boolean {
  const { state, isSame, problems, hasFreeSeat } = comparison
  const rule = settled[state]
  if (!isSame || rule === null) return false
  // Another directory or person can have given up the address.
  if (problems.includes('conflict')) return false
  if (problems.includes('no_seat')) return !hasFreeSeat
  return rule(comparison)
}

/** The teammate that matches a named person: none, the linked one, another one by address, or the linked but deleted one. */
export type Match = 'none' | 'own' | 'other' | 'deleted'

export type Outcome = 'new' | 'restored' | 'adopted' | 'linked' | 'none'

interface OutcomeRule {
  /** The outcome for an active account with an address. */
  readonly usable: Outcome
  readonly unusable: Outcome
}

const outcomes: Readonly<Record<'driving' | 'filling', Readonly<Record<Match, OutcomeRule>>>> = {
  driving: {
    none: { usable: 'new', unusable: 'none' },
    own: { usable: 'linked', unusable: 'linked' },
    other: { usable: 'adopted', unusable: 'adopted' },
    deleted: { usable: 'restored', unusable: 'none' },
  },
  // Only fills values and groups of teammates that are there.
  filling: {
    none: { usable: 'none', unusable: 'none' },
    own: { usable: 'linked', unusable: 'linked' },
    other: { usable: 'adopted', unusable: 'adopted' },
    deleted: { usable: 'none', unusable: 'none' },
  },
}

export const outcomeOf = (match: Match, account: DirectoryAccount, drives: boolean): Outcome =>
  outcomes[drives ? 'driving' : 'filling'][match][isUsable(account) ? 'usable' : 'unusable']

/** Outcome for a person who gets neither the address nor the seat that it needs: a teammate stays one. */
export const withoutAddressOrSeat: Readonly<Record<Outcome, Outcome>> = {
  new: 'none',
  restored: 'none',
  adopted: 'adopted',
  linked: 'linked',
  none: 'none',
}

/** A named person beside its teammate. */
export interface ActiveComparison {
  /** False for accounts that are suspended, disabled or archived. */
  readonly isActive: boolean
  /** True also for a teammate whom the batch creates. */
  readonly isTeammateActive: boolean
  readonly drives: boolean
  /** True when the teammate would need a seat to become active, and none is left. */
  readonly lacksSeat: boolean
}

/** Null: the teammate stays as it is. */
export type ActiveChange = 'reactivated' | 'deactivated' | null

interface ActiveRule {
  readonly change: ActiveChange
  readonly reason: string
  appliesTo(comparison: ActiveComparison): boolean
}

/** The first rule that applies decides. */
const activeRules: readonly ActiveRule[] = [
  { change: null, reason: 'the directory only fills values', appliesTo: ({ drives }) => !drives },
  {
    change: null,
    reason: 'the teammate is what the directory says',
    appliesTo: ({ isActive, isTeammateActive }) => isActive === isTeammateActive,
  },
  { change: 'deactivated', reason: 'suspended in the directory', appliesTo: ({ isActive }) => !isActive },
  { change: null, reason: 'tried again when a seat is free', appliesTo: ({ lacksSeat }) => lacksSeat },
  { change: 'reactivated', reason: 'active in the directory', appliesTo: () => true },
]

/** Change of a teammate by the record of its directory. `suspendedPeople` of ../leavers finds the deactivated ones by SQL. */
export const activeChangeOf = (comparison: ActiveComparison): ActiveChange =>
  activeRules.find(rule => rule.appliesTo(comparison))?.change ?? null

/** True when a person of a driving directory takes a seat that it did not have before. */
export function takesSeat(
  outcome: Outcome,
  { isActive }: DirectoryAccount,
  isTeammateActive: boolean,
): boolean {
  if (outcome === 'none') return false
  if (outcome === 'new' || outcome === 'restored') return true
  return activeChangeOf({ isActive, isTeammateActive, drives: true, lacksSeat: false }) === 'reactivated'
}

/** The run whose approval a named person still waits for: an active person waits for none. */
export function heldRunAfter(
  account: DirectoryAccount,
  stored: { readonly is_active: boolean; readonly held_run_id: string | null } | undefined,
): string | null {
  // A person who was held as absent, and is suspended now, leaves for another reason than the one to be approved.
  return account.isActive || !stored || stored.is_active ? null : stored.held_run_id
}

/** A person whom a full run did not name, whom a delta called deleted, or whom an earlier run holds. */
export interface Absence {
  /** True for linked and held people. */
  readonly isLinked: boolean
  /** True when the run that holds the person is approved. */
  readonly isApproved: boolean
  /** True when a record that the source could not use has the id or address of the person. */
  readonly isNamed: boolean
  readonly drives: boolean
  /** True when such a record names no absent person: it can be about any of them. */
  readonly isUnclear: boolean
}

export type Fate = 'forgotten' | 'approved' | 'spared' | 'leaving'

interface FateRule {
  readonly fate: Fate
  readonly reason: string
  appliesTo(absence: Absence): boolean
}

/** The first rule that applies decides. */
const fates: readonly FateRule[] = [
  { fate: 'forgotten', reason: 'no teammate follows the record', appliesTo: absence => !absence.isLinked },
  { fate: 'approved', reason: 'the approval job lets it leave', appliesTo: absence => absence.isApproved },
  { fate: 'spared', reason: 'an unusable record is about it', appliesTo: absence => absence.isNamed },
  { fate: 'leaving', reason: 'the directory decides who is there', appliesTo: absence => absence.drives },
  { fate: 'spared', reason: 'an unusable record can be about it', appliesTo: absence => absence.isUnclear },
  { fate: 'forgotten', reason: 'its teammate is not the directory’s', appliesTo: () => true },
]

export const fateOf = (absence: Absence): Fate =>
  fates.find(rule => rule.appliesTo(absence))?.fate ?? 'forgotten'

/** The people who would leave after the last page of a run. */
export interface Leaving {
  readonly missing: number
  readonly suspended: number
  /** People whom the directory drives now, including those who leave. */
  readonly driven: number
  /** True when a full run named no person. */
  readonly isEmpty: boolean
  /** Records that could not be used, and name no absent person. */
  readonly unclear: number
}

const leastAllowed = 10
const allowedShare = 0.1

/** More leavers than this wait for an approval. */
const allowedLeavers = (driven: number): number => Math.max(leastAllowed, Math.floor(driven * allowedShare))

interface HoldRule {
  appliesTo(leaving: Leaving): boolean
  reason(leaving: Leaving): string
}

/** The first rule that applies decides. */
const holds: readonly HoldRule[] = [
  {
    appliesTo: ({ isEmpty, missing, suspended }) => isEmpty && missing + suspended > 0,
    reason: ({ driven }) => `The directory answered without any people; ${driven} would leave.`,
  },
  {
    appliesTo: ({ missing, suspended, driven }) => missing + suspended > allowedLeavers(driven),
    reason: ({ missing, suspended, driven }) =>
      `${missing + suspended} of ${driven} people would leave: ${missing} are not in the directory any more, and ${suspended} are suspended there.`,
  },
  {
    appliesTo: ({ unclear, missing }) => unclear > 0 && missing > 0,
    reason: ({ unclear, missing }) =>
      `Lines of the file that could not be read: ${unclear}. People who would leave, and can be in these lines: ${missing}.`,
  },
]

/** The reason why people leave only after an approval; null: they leave now. */
export const holdReasonOf = (leaving: Leaving): string | null =>
  holds.find(rule => rule.appliesTo(leaving))?.reason(leaving) ?? null
