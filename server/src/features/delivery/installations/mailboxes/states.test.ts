// The two decision tables of states.ts, row by row.
import { describe, expect, it } from 'vitest'
import type { DeliveryOutcome } from '../channel.ts'
import { failedDelivery } from '../channel.ts'
import {
  type ClaimedMailbox,
  type Comparison,
  isSettled,
  type LockedMailbox,
  type Mailbox,
  type MailboxState,
  needsDelivery,
  resultOf,
  stateOf,
  updateOf,
} from './states.ts'

const row: Mailbox = {
  email_id: 'e',
  integration_id: 'i',
  written_sha256: null,
  written_origin: null,
  tried_sha256: null,
  is_due: false,
  is_claimed: false,
}
const mailboxes: Readonly<Record<MailboxState, Mailbox | undefined>> = {
  none: undefined,
  clean: { ...row, written_sha256: 'a' },
  refused: { ...row, tried_sha256: 'a' },
  unknown: row,
  due: { ...row, is_due: true, tried_sha256: 'a' },
  claimed: { ...row, is_due: true, is_claimed: true },
}
const states = Object.keys(mailboxes) as MailboxState[]
const statuses = [undefined, 'pending', 'installed', 'drifted', 'failed', 'uninstalled'] as const

describe('a mailbox', () => {
  it.each(states)('is in the state %s by its columns', state => {
    expect(stateOf(mailboxes[state])).toBe(state)
  })

  const comparison = (state: MailboxState, more: Partial<Comparison>): Comparison => ({
    mailbox: mailboxes[state],
    hasTarget: true,
    status: undefined,
    isSame: false,
    hasNoInstallation: false,
    ...more,
  })

  it('is left alone for exactly these statuses of the signature that belongs there', () => {
    const settledFor = (isSame: boolean) =>
      Object.fromEntries(
        states.map(state => [
          state,
          statuses.filter(status => isSettled(comparison(state, { status, isSame }))),
        ]),
      )
    const none = { none: [], clean: [], refused: [], unknown: [], due: [], claimed: [] }
    expect(settledFor(false)).toEqual(none)
    expect(settledFor(true)).toEqual({
      ...none,
      clean: ['installed', 'drifted'],
      refused: ['installed', 'failed'],
      due: ['pending'],
    })
  })

  it('that is due and was never tried is left alone, whatever is to be sent', () => {
    const mailbox = { ...row, is_due: true }
    expect(isSettled({ ...comparison('due', { status: 'pending' }), mailbox })).toBe(true)
  })

  it('where no signature belongs is left alone when it is empty or due, but not while it is claimed', () => {
    const settled = (hasNoInstallation: boolean) =>
      states.filter(state => isSettled(comparison(state, { hasTarget: false, hasNoInstallation })))
    expect(settled(true)).toEqual(['none', 'clean', 'refused', 'unknown', 'due'])
    expect(settled(false)).toEqual(['due'])
  })
})

const claimed: ClaimedMailbox = {
  email_id: 'e',
  claim: 7,
  revision: 3,
  attempts: 2,
  written_sha256: 'old',
  written_origin: 'old key',
  is_forced: false,
  is_drifted: false,
  tried_sha256: null,
  tried_claim: null,
}
const attempt = {
  signatureId: 's',
  address: 'ada@example.com',
  primaryAddress: 'ada@example.com',
  htmlSha256: 'html',
  renderKey: 'new key',
  tried: { sha256: 'new', claim: 7 },
}
const quota: DeliveryOutcome = {
  ...failedDelivery('rate_limited', 'full', 'retry'),
  ok: false,
  code: 'rate_limited',
  message: 'full',
  next: 'retry',
  quotaExhausted: true,
  afterMilliseconds: 40_000,
}

describe('a delivery', () => {
  it('is needed when the content differs, when it is forced, and when others wrote there', () => {
    expect(needsDelivery(claimed, 'old')).toBe(false)
    expect(needsDelivery(claimed, 'new')).toBe(true)
    expect(needsDelivery({ ...claimed, is_forced: true }, 'old')).toBe(true)
    expect(needsDelivery({ ...claimed, is_drifted: true }, 'old')).toBe(true)
  })
})

describe('the result of a delivery', () => {
  const written = { sha256: 'new', renderKey: 'new key' }
  const before = { sha256: 'old', renderKey: 'old key' }
  it.each<[string, DeliveryOutcome, object, boolean]>([
    [
      'delivered',
      { ok: true },
      { status: 'installed', attempts: 3, written, tried: null, arrivedHtmlSha256: 'html' },
      false,
    ],
    [
      'rejected',
      failedDelivery('refused', 'no', 'reject'),
      { status: 'failed', attempts: 3, written: null, tried: attempt.tried, arrivedHtmlSha256: null },
      false,
    ],
    [
      'to be retried',
      failedDelivery('unreachable', 'no', 'retry'),
      { status: 'pending', attempts: 3, written: null, tried: attempt.tried },
      false,
    ],
    [
      'a halt of the channel',
      failedDelivery('access_lost', 'no', 'halt'),
      { status: 'pending', attempts: 2, written: null, tried: attempt.tried },
      true,
    ],
    [
      'a quota that is used up',
      quota,
      { status: 'pending', attempts: 2, written: before, wait: 40_000 },
      true,
    ],
  ])('when it is %s', (_, outcome, expected, halts) => {
    const { result, halt } = resultOf(claimed, attempt, outcome)
    expect(result).toMatchObject(expected)
    expect(halt !== undefined).toBe(halts)
  })

  it('when the last attempt fails: the next reconcile job tries again', () => {
    const { result } = resultOf(
      { ...claimed, attempts: 11 },
      attempt,
      failedDelivery('unreachable', 'no', 'retry'),
    )
    expect(result).toMatchObject({ status: 'failed', attempts: 12, written: null, tried: null })
  })

  const locked: LockedMailbox = { email_id: 'e', claim: 7, revision: 3, attempts: 9, is_forced: true }
  const { result } = resultOf(claimed, attempt, { ok: true })

  it('ends the claim, unless the mailbox became due again or another job has claimed it', () => {
    expect(updateOf(result, locked)).toMatchObject({ isForced: false, attempts: 3, dueIn: null })
    expect(updateOf(result, { ...locked, revision: 4 })).toMatchObject({
      isForced: true,
      attempts: 9,
      dueIn: 'keep',
      written,
    })
    expect(updateOf(result, { ...locked, claim: 8 })).toBeUndefined()
    expect(updateOf(result, undefined)).toBeUndefined()
  })
})
