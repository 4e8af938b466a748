// The tables of states.ts, row by row.
import { describe, expect, it } from 'vitest'
import {
  type Absence,
  type ActiveChange,
  type ActiveComparison,
  activeChangeOf,
  type DirectoryAccount,
  type Fate,
  fateOf,
  heldRunAfter,
  holdReasonOf,
  isPersonSettled,
  type Leaving,
  type Match,
  type Outcome,
  outcomeOf,
  type PersonColumns,
  type PersonComparison,
  type PersonState,
  personStateOf,
  takesSeat,
  withoutAddressOrSeat,
} from './states.ts'

const active: DirectoryAccount = { isActive: true, address: 'ada@example.com' }
const suspended: DirectoryAccount = { isActive: false, address: 'ada@example.com' }
const unaddressed: DirectoryAccount = { isActive: true, address: '' }

const present: PersonColumns = { state: 'present', teammate_id: 't', has_teammate: true, held_run_id: null }

it.each<[PersonState, PersonColumns | undefined]>([
  ['none', undefined],
  ['unlinked', { ...present, teammate_id: null, has_teammate: false }],
  ['linked', present],
  ['orphaned', { ...present, has_teammate: false }],
  ['held', { ...present, held_run_id: 'r' }],
  ['missing', { ...present, state: 'missing' }],
  ['gone', { ...present, state: 'gone', has_teammate: false }],
  ['replaced', { ...present, state: 'gone', teammate_id: null, has_teammate: false }],
])('the state %s has its columns', (state, columns) => {
  expect(personStateOf(columns)).toBe(state)
})

describe('a person whom a page names', () => {
  const linked: PersonComparison = {
    state: 'linked',
    account: active,
    hasTeammate: true,
    isSame: true,
    problems: [],
    drives: true,
    hasFreeSeat: true,
  }

  it.each<[boolean, string, Partial<PersonComparison>]>([
    [false, 'was never named', { state: 'none', hasTeammate: false }],
    [false, 'was missing', { state: 'missing' }],
    [false, 'was removed', { state: 'gone', hasTeammate: false }],
    [false, 'was replaced', { state: 'replaced', hasTeammate: false }],
    [false, 'is linked, and was changed', { isSame: false }],
    [true, 'is linked', {}],
    [true, 'is linked, and suspended', { account: suspended }],
    [false, 'has lost the teammate', { state: 'orphaned', hasTeammate: false }],
    [
      true,
      'has lost the teammate, and is suspended',
      { state: 'orphaned', hasTeammate: false, account: suspended },
    ],
    [false, 'has no teammate', { state: 'unlinked', hasTeammate: false }],
    [
      true,
      'has no teammate, and is suspended',
      { state: 'unlinked', hasTeammate: false, account: suspended },
    ],
    [true, 'has no teammate and no address', { state: 'unlinked', hasTeammate: false, account: unaddressed }],
    [
      false,
      'has no teammate, in a directory that only fills values',
      { state: 'unlinked', hasTeammate: false, account: suspended, drives: false },
    ],
    [false, 'was held as absent, and is back', { state: 'held' }],
    [true, 'is held, and still suspended', { state: 'held', account: suspended }],
    [false, 'has a conflict, because the address can be free now', { problems: ['conflict'] }],
    [true, 'lacks a seat, and none is free', { problems: ['no_seat'], hasFreeSeat: false }],
    [false, 'lacks a seat, and one is free', { problems: ['no_seat'] }],
    [true, 'has a value that cannot be used', { problems: ['unusable'] }],
  ])('is left alone: %s, when it %s', (isLeftAlone, _, difference) => {
    expect(isPersonSettled({ ...linked, ...difference })).toBe(isLeftAlone)
  })

  it.each<[boolean, Match, Outcome, Outcome]>([
    // Drives, match, outcome of an active account with an address, of others.
    [true, 'none', 'new', 'none'],
    [true, 'own', 'linked', 'linked'],
    [true, 'other', 'adopted', 'adopted'],
    [true, 'deleted', 'restored', 'none'],
    [false, 'none', 'none', 'none'],
    [false, 'own', 'linked', 'linked'],
    [false, 'other', 'adopted', 'adopted'],
    [false, 'deleted', 'none', 'none'],
  ])('gets a teammate (drives: %s, match: %s)', (drives, match, usable, unusable) => {
    expect(outcomeOf(match, active, drives)).toBe(usable)
    expect(outcomeOf(match, suspended, drives)).toBe(unusable)
    expect(outcomeOf(match, unaddressed, drives)).toBe(unusable)
  })

  it.each<[Outcome, Outcome, boolean, boolean, boolean]>([
    // Outcome, the same without address or seat, takes a seat: with an inactive teammate, with an active one, suspended.
    ['new', 'none', true, true, true],
    ['restored', 'none', true, true, true],
    ['adopted', 'adopted', true, false, false],
    ['linked', 'linked', true, false, false],
    ['none', 'none', false, false, false],
  ])(
    'who is %s becomes %s without an address or a seat',
    (outcome, refused, ofInactive, ofActive, ofSuspended) => {
      expect(withoutAddressOrSeat[outcome]).toBe(refused)
      expect(takesSeat(outcome, active, false)).toBe(ofInactive)
      expect(takesSeat(outcome, active, true)).toBe(ofActive)
      expect(takesSeat(outcome, suspended, false)).toBe(ofSuspended)
    },
  )

  const activeTeammate: ActiveComparison = {
    isActive: true,
    isTeammateActive: true,
    drives: true,
    lacksSeat: false,
  }

  it.each<[ActiveChange, string, Partial<ActiveComparison>]>([
    [null, 'active, and the teammate too', {}],
    ['reactivated', 'active again', { isTeammateActive: false }],
    [null, 'active again, and no seat is left', { isTeammateActive: false, lacksSeat: true }],
    ['deactivated', 'suspended', { isActive: false }],
    ['deactivated', 'suspended, and no seat is left', { isActive: false, lacksSeat: true }],
    [null, 'suspended, and the teammate is inactive', { isActive: false, isTeammateActive: false }],
    [null, 'active again, in a directory that only fills values', { isTeammateActive: false, drives: false }],
    [null, 'suspended, in a directory that only fills values', { isActive: false, drives: false }],
  ])('is %s when it is %s', (change, _, difference) => {
    expect(activeChangeOf({ ...activeTeammate, ...difference })).toBe(change)
  })

  it('waits for an approval only while it stays suspended', () => {
    const held = { is_active: false, held_run_id: 'r' }
    expect(heldRunAfter(suspended, held)).toBe('r')
    expect(heldRunAfter(active, held)).toBeNull()
    expect(heldRunAfter(suspended, { ...held, is_active: true })).toBeNull()
    expect(heldRunAfter(suspended, undefined)).toBeNull()
  })
})

describe('a person who is absent', () => {
  const absent: Absence = {
    isLinked: true,
    isApproved: false,
    isNamed: false,
    drives: true,
    isUnclear: false,
  }

  it.each<[Fate, string, Partial<Absence>]>([
    ['forgotten', 'without a teammate', { isLinked: false }],
    ['forgotten', 'without a teammate, whatever else', { isLinked: false, isNamed: true, isUnclear: true }],
    ['approved', 'with an approval', { isApproved: true, isNamed: true }],
    ['spared', 'named by an unusable record', { isNamed: true }],
    ['leaving', 'with a teammate', {}],
    ['leaving', 'beside an unusable record about any person', { isUnclear: true }],
    ['forgotten', 'in a directory that only fills values', { drives: false }],
    ['spared', 'in such a directory, beside an unusable record', { drives: false, isUnclear: true }],
    ['spared', 'in such a directory, named by one', { drives: false, isNamed: true }],
  ])('is %s %s', (fate, _, difference) => {
    expect(fateOf({ ...absent, ...difference })).toBe(fate)
  })

  const leaving: Leaving = { missing: 1, suspended: 0, driven: 200, isEmpty: false, unclear: 0 }

  it.each<[string, Partial<Leaving>, string | null]>([
    ['one leaves', {}, null],
    ['nobody leaves an empty directory', { isEmpty: true, missing: 0, driven: 0 }, null],
    [
      'the directory is empty',
      { isEmpty: true },
      'The directory answered without any people; 200 would leave.',
    ],
    ['a tenth leaves', { missing: 12, suspended: 8 }, null],
    [
      'more than a tenth leaves',
      { missing: 12, suspended: 9 },
      '21 of 200 people would leave: 12 are not in the directory any more, and 9 are suspended there.',
    ],
    ['ten of a small company leave', { missing: 10, driven: 11 }, null],
    [
      'eleven of a small company leave',
      { missing: 11, driven: 11 },
      '11 of 11 people would leave: 11 are not in the directory any more, and 0 are suspended there.',
    ],
    [
      'one leaves beside an unusable line',
      { unclear: 2 },
      'Lines of the file that could not be read: 2. People who would leave, and can be in these lines: 1.',
    ],
    ['only suspended people leave beside an unusable line', { unclear: 2, missing: 0, suspended: 1 }, null],
  ])('waits for an approval: %s', (_, difference, reason) => {
    expect(holdReasonOf({ ...leaving, ...difference })).toBe(reason)
  })
})
