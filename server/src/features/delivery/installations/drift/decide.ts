// Decides what follows when a mailbox was read back. Gmail rewrites HTML when it stores it, so what is found is compared
// with what the channel answered after the last write, not with what was sent.
import { hash } from 'node:crypto'
import type { RepairMode } from '../channel.ts'

/** Of a signature as the channel stores it. Providers can change the ends of lines. */
export const storedFingerprint = (stored: string): string =>
  hash('sha256', stored.replaceAll('\r\n', '\n').trim())

const emptyFingerprint = storedFingerprint('')

/** What is known about a mailbox before it is read. */
export interface DriftState {
  /** Of what the channel stored after the last write; null: not known. */
  readonly kept: string | null
  /** Of what the last check found instead; null: no difference. */
  readonly found: string | null
  /** How often others have written in a row. */
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
  /** What was stored by the last write is not known: what is there now counts as that. */
  | { readonly action: 'learn' }
  | {
      readonly action: 'report' | 'restore'
      readonly code: DriftCode
      readonly foreignWrites: number
      /** Whether no check has seen this signature before. */
      readonly isNew: boolean
    }

/** So many writes of others in a row, and the service stops to write against them. */
const contested = 2

/** `found` is the fingerprint of what the mailbox holds. */
export function decideDrift(
  state: DriftState,
  found: string,
  repair: Exclude<RepairMode, 'off'>,
): DriftDecision {
  if (state.kept === null) return { action: 'learn' }
  if (state.kept === found) return { action: 'none' }
  const isNew = state.found !== found
  const foreignWrites = state.foreignWrites + (isNew ? 1 : 0)
  const isContested = foreignWrites >= contested
  const restores = repair === 'restore'
  const code = restores && isContested ? 'overwritten' : found === emptyFingerprint ? 'removed' : 'changed'
  const action = restores && !isContested && !state.wasRestoredToday ? 'restore' : 'report'
  return { action, code, foreignWrites, isNew }
}
