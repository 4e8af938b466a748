// Decides what follows when a mailbox was read back. Gmail rewrites HTML when it stores it, so what is found is compared
// with what the channel answered after the last write, not with what was sent.
import { hash } from 'node:crypto'
import type { RepairMode } from '../channel.ts'

/** Fingerprint of a signature as the channel stores it. Providers can change the ends of lines. */
export const storedFingerprint = (stored: string): string =>
  hash('sha256', stored.replaceAll('\r\n', '\n').trim())

const emptyFingerprint = storedFingerprint('')

/** State of a mailbox before it is read. */
export interface DriftState {
  /** Fingerprint of what the channel stored after the last write; null: not known. */
  readonly written: string | null
  /** Fingerprint of what the last check read instead; null: no difference. */
  readonly foreign: string | null
  /** Number of times that others have written in a row. */
  readonly foreignWrites: number
  /** Within the last 24 hours. */
  readonly wasRestoredToday: boolean
}

export const driftCodes = {
  changed: 'The signature was changed in the mailbox.',
  removed: 'The signature was removed from the mailbox.',
  overwritten:
    'The signature was changed in the mailbox twice in a row, so it is not restored by itself. Find out which other tool writes there.',
} as const
export type DriftCode = keyof typeof driftCodes

export type DriftDecision =
  /** The mailbox holds what was written. */
  | { readonly action: 'none' }
  /** The content after the last write is not known: the content now counts as that. */
  | { readonly action: 'learn' }
  | {
      readonly action: 'report' | 'restore'
      readonly code: DriftCode
      readonly foreignWrites: number
      /** True if no check has seen this signature before. */
      readonly isNew: boolean
    }

/** So many writes of others in a row, and the service stops to write against them. */
const contested = 2

/** `current` is the fingerprint of what the mailbox holds. */
export function decideDrift(
  state: DriftState,
  current: string,
  repair: Exclude<RepairMode, 'off'>,
): DriftDecision {
  if (state.written === null) return { action: 'learn' }
  if (state.written === current) return { action: 'none' }
  const isNew = state.foreign !== current
  const foreignWrites = state.foreignWrites + (isNew ? 1 : 0)
  const isContested = foreignWrites >= contested
  const restores = repair === 'restore'
  const code = restores && isContested ? 'overwritten' : current === emptyFingerprint ? 'removed' : 'changed'
  const action = restores && !isContested && !state.wasRestoredToday ? 'restore' : 'report'
  return { action, code, foreignWrites, isNew }
}
