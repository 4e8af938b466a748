// The state machine of a mailbox: one row of `mailboxes` is one address behind one push connection.
//
// State     Columns                                             Meaning
// none      no row                                              no signature was ever sent there
// clean     due_at null, written_sha256 set                     the mailbox holds the signature with this fingerprint
// drifted   clean, and found_sha256 set                         a check (../drift) found another signature there
// refused   due_at null, written_sha256 null, tried_sha256 set  the channel rejected this fingerprint; it is not sent again
// unknown   due_at, written_sha256 and tried_sha256 null        the service does not know what the mailbox holds
// due       due_at set, claimed_until null                      the deliver job sends to it at due_at (after a back-off: later)
// claimed   claimed_until set, in the future                    one deliver job is sending to it
// lost      claimed_until set, in the past                      that job died: what it wrote is not known
//
// From                       To        Cause
// none, clean, refused,      due       the reconcile job found a difference (`isSettled` below), or an admin asked to install again;
//   unknown, due                       `revision` grows, so that a delivery under way does not count as the newest
// due, lost                  claimed   a deliver job claimed it; `claim` grows. After `lost` the delivery is forced
// claimed                    clean     delivered, or the mailbox holds this fingerprint already
// claimed                    refused   the channel answered `reject`
// claimed                    unknown   no signature belongs there any more, or the last attempt failed
// claimed                    due       the channel answered `retry` or `halt`, the job ran out of time, or `revision` has grown
// claimed                    lost      the claim ran out
// clean                      drifted   a check found another signature; back to clean when a later check finds ours
// drifted                    due       a check restores the signature (setting `repair`), or the same causes as for `clean`
// any                        due       another delivery wrote to the same mailbox (`markOverwritten`); the next one is forced
// any                        none      the integration was disconnected
//
// Decisions: `isSettled` whether a mailbox becomes due, `needsDelivery` whether a claimed mailbox is written, `resultOf` what
// a delivery makes of it, `updateOf` whether that result still counts.
import type { InstallationStatus } from '#features/signatures/recipients/index.ts'
import type { DeliveryOutcome } from '../channel.ts'
import { storedFingerprint } from '../drift/decide.ts'

/** A mailbox as the reconcile job reads it. */
export interface Mailbox {
  readonly email_id: string
  readonly integration_id: string
  /** Fingerprint of the signature that the mailbox holds. */
  readonly written_sha256: string | null
  /** The render key of that signature. */
  readonly written_origin: string | null
  /** Fingerprint of the signature that was sent last and did not arrive. */
  readonly tried_sha256: string | null
  readonly is_due: boolean
  /** Claimed or lost. */
  readonly is_claimed: boolean
}

/** `claimed` includes `lost`: only the clock of the database tells them apart. */
export type MailboxState = 'none' | 'clean' | 'refused' | 'unknown' | 'due' | 'claimed'

export function stateOf(mailbox: Mailbox | undefined): MailboxState {
  if (!mailbox) return 'none'
  if (mailbox.is_claimed) return 'claimed'
  if (mailbox.is_due) return 'due'
  if (mailbox.written_sha256 !== null) return 'clean'
  return mailbox.tried_sha256 === null ? 'unknown' : 'refused'
}

/** While due or refused: the fingerprint of the last attempt. Otherwise: of the signature in the mailbox. */
export const lastKnownFingerprint = (mailbox: Mailbox): string | null =>
  mailbox.is_due ? mailbox.tried_sha256 : (mailbox.written_sha256 ?? mailbox.tried_sha256)

/** A mailbox beside what should be in it. */
export interface Comparison {
  readonly mailbox: Mailbox | undefined
  /** True if a signature belongs in the mailbox. */
  readonly hasTarget: boolean
  /** Status of the installation of that signature in this mailbox. */
  readonly status: InstallationStatus | undefined
  /** True if that signature has the last known fingerprint, or was rendered from the same inputs. */
  readonly isSame: boolean
  /** True if every installation in this mailbox is uninstalled. */
  readonly hasNoInstallation: boolean
}

interface SettledRule {
  /** For a mailbox where no signature belongs. */
  readonly withoutTarget: (comparison: Comparison) => boolean
  readonly withTarget: (comparison: Comparison & { readonly mailbox: Mailbox }) => boolean
}

const hasNoInstallation = (comparison: Comparison): boolean => comparison.hasNoInstallation
const never = () => false

const settled: Readonly<Record<MailboxState, SettledRule>> = {
  none: { withoutTarget: hasNoInstallation, withTarget: never },
  clean: {
    withoutTarget: hasNoInstallation,
    // What others wrote there is not a reason to write again: ../drift/decide.ts decides that.
    withTarget: ({ status, isSame }) => (status === 'installed' || status === 'drifted') && isSame,
  },
  // A signature that was refused is refused again, until it changes. (`installed` beside `failed` is a precaution: a refusal
  // sets the installation to `failed` in the same transaction.)
  refused: {
    withoutTarget: hasNoInstallation,
    withTarget: ({ status, isSame }) => (status === 'failed' || status === 'installed') && isSame,
  },
  unknown: { withoutTarget: hasNoInstallation, withTarget: never },
  // The deliver job reads the newest signature. A changed signature does not wait for the back-off of the old one.
  due: {
    withoutTarget: () => true,
    withTarget: ({ status, isSame, mailbox }) =>
      status === 'pending' && (isSame || mailbox.tried_sha256 === null),
  },
  // The delivery under way can contain an older signature.
  claimed: { withoutTarget: never, withTarget: never },
}

/** True if the reconcile job leaves the mailbox alone. Otherwise the mailbox becomes due. */
export function isSettled(comparison: Comparison): boolean {
  const { mailbox, hasTarget } = comparison
  const { withoutTarget, withTarget } = settled[stateOf(mailbox)]
  if (!hasTarget) return withoutTarget(comparison)
  return mailbox !== undefined && withTarget({ ...comparison, mailbox })
}

/** A mailbox as the deliver job claimed it. */
export interface ClaimedMailbox {
  readonly email_id: string
  readonly claim: number
  readonly revision: number
  readonly attempts: number
  readonly written_sha256: string | null
  readonly written_origin: string | null
  readonly is_forced: boolean
  /** A check found another signature there. */
  readonly is_drifted: boolean
  readonly tried_sha256: string | null
  readonly tried_claim: number | null
}

/** A signature that is in a mailbox. */
export interface WrittenState {
  /** Its fingerprint. */
  readonly sha256: string
  readonly renderKey: string | null
}

/** Content that the channel stored, and where. */
interface KeptState {
  readonly sha256: string
  readonly user: string
  readonly address: string
}

/** An attempt that did not arrive, and the claim under which it was made first. */
interface TriedState {
  readonly sha256: string
  readonly claim: number
}

/** Result of one claim. */
export interface DeliveryResult {
  readonly emailId: string
  readonly claim: number
  readonly revision: number
  /** The signature that belongs there; null when none does. */
  readonly signatureId: string | null
  /** The address it was sent to; null when it was not sent. */
  readonly address: string | null
  /** `unchanged`: the job ran out of time before this mailbox. */
  readonly status: 'pending' | 'installed' | 'failed' | 'uninstalled' | 'unchanged'
  readonly attempts: number
  /** Content of the mailbox now; null when it is not known. */
  readonly written: WrittenState | null
  /** SHA-256 of the HTML, when it arrived with this delivery. */
  readonly arrivedHtmlSha256: string | null
  /** Set when it arrived with this delivery, and the channel can be read back. */
  readonly storedState: KeptState | null
  readonly tried: TriedState | null
  readonly error_code: string | null
  readonly error_message: string | null
  /** Milliseconds until the mailbox is due again, with the status `pending`. */
  readonly wait: number
}

/** Reason why the deliver job stops sending through a connection. */
export interface ChannelHalt {
  readonly code: string
  readonly message: string
  /** The deliver job tries again after so many milliseconds. Unset: the nudge job (../jobs.ts) tries again every 10 minutes. */
  readonly after?: number
}

export interface DeliveryStep {
  readonly result: DeliveryResult
  readonly halt?: ChannelHalt
}

/** Back to `due`, as it was claimed. */
export function unchangedResult(claimed: ClaimedMailbox): DeliveryResult {
  const { written_sha256, written_origin, tried_sha256, tried_claim } = claimed
  return {
    emailId: claimed.email_id,
    claim: claimed.claim,
    revision: claimed.revision,
    signatureId: null,
    address: null,
    status: 'unchanged',
    attempts: claimed.attempts,
    written: written_sha256 === null ? null : { sha256: written_sha256, renderKey: written_origin },
    arrivedHtmlSha256: null,
    storedState: null,
    tried:
      tried_sha256 !== null && tried_claim !== null ? { sha256: tried_sha256, claim: tried_claim } : null,
    error_code: null,
    error_message: null,
    wait: 0,
  }
}

/** To `unknown`: the service does not remove a signature from a mailbox, and the user can change it from now on. */
export const noTargetResult = (claimed: ClaimedMailbox): DeliveryResult => ({
  ...unchangedResult(claimed),
  status: 'uninstalled',
  written: null,
  tried: null,
})

/** The second decision, right before a delivery: whether the claimed mailbox must be written at all. */
export const needsDelivery = (claimed: ClaimedMailbox, fingerprint: string): boolean =>
  claimed.is_forced || claimed.is_drifted || claimed.written_sha256 !== fingerprint

/** To `clean`, without a delivery: the mailbox holds this fingerprint. */
export const alreadyThereResult = (
  claimed: ClaimedMailbox,
  signatureId: string,
  written: WrittenState,
): DeliveryResult => ({ ...unchangedResult(claimed), signatureId, status: 'installed', written, tried: null })

/** One attempt to deliver a signature. */
interface DeliveryAttempt {
  readonly signatureId: string
  readonly address: string
  readonly primaryAddress: string
  /** SHA-256 of the HTML. */
  readonly htmlSha256: string
  readonly renderKey: string
  readonly tried: TriedState
}

const maxAttempts = 12

/** 5 s, 10 s, 20 s … an hour at most; spread at random, so that many mailboxes are not retried at the same moment. */
export function backOffAfter(attempts: number, chance = Math.random()): number {
  const seconds = Math.min(5 * 2 ** (attempts - 1), 3_600)
  return Math.round(seconds * 1_000 * (0.5 + chance))
}

type OutcomeKind = 'delivered' | 'throttled' | 'halted' | 'rejected' | 'exhausted' | 'retried'

function outcomeKindOf(outcome: DeliveryOutcome, attempts: number): OutcomeKind {
  if (outcome.ok) return 'delivered'
  if (outcome.quotaExhausted) return 'throttled'
  if (outcome.next === 'halt') return 'halted'
  if (outcome.next === 'reject') return 'rejected'
  return attempts >= maxAttempts ? 'exhausted' : 'retried'
}

type Failure = Exclude<DeliveryOutcome, { readonly ok: true }>

interface FailureContext {
  /** As claimed. */
  readonly before: DeliveryResult
  /** Sent, and it is not known what the mailbox holds now. */
  readonly sent: DeliveryResult
  readonly tried: TriedState
  readonly wait: number
  readonly halt: ChannelHalt
}

/** State that each failure leads to. */
const failures: Readonly<
  Record<Exclude<OutcomeKind, 'delivered'>, (context: FailureContext) => DeliveryStep>
> = {
  // To `due`, and the channel pauses: nothing was sent, and the attempt is not counted.
  throttled: ({ before, wait, halt }) => ({
    result: { ...before, status: 'pending', wait },
    halt: { ...halt, after: wait },
  }),
  // To `due`, and the channel halts: the attempt is not counted, and the nudge job tries again every 10 minutes. An earlier
  // attempt can have arrived, so the next one keeps the delivery id.
  halted: ({ before, sent, tried, halt }) => ({
    result: { ...sent, attempts: before.attempts, status: 'pending', tried, wait: backOffAfter(1) },
    halt,
  }),
  // To `refused`.
  rejected: ({ sent, tried }) => ({ result: { ...sent, status: 'failed', tried } }),
  // To `unknown`: the next reconcile job tries again.
  exhausted: ({ sent }) => ({ result: { ...sent, status: 'failed' } }),
  // To `due`, after the back-off or when the provider wants it.
  retried: ({ sent, tried, wait }) => ({ result: { ...sent, status: 'pending', tried, wait } }),
}

/** Next step of a claimed mailbox after a delivery. */
export function resultOf(
  claimed: ClaimedMailbox,
  attempt: DeliveryAttempt,
  outcome: DeliveryOutcome,
): DeliveryStep {
  const { signatureId, address, primaryAddress: user, htmlSha256, renderKey, tried } = attempt
  const attempts = claimed.attempts + 1
  const before = { ...unchangedResult(claimed), signatureId }
  const sent = { ...before, address, attempts, written: null, tried: null }
  const kind = outcomeKindOf(outcome, attempts)
  if (outcome.ok || kind === 'delivered') {
    const written = { sha256: tried.sha256, renderKey }
    const stored = outcome.ok ? outcome.stored : undefined
    const storedState = stored === undefined ? null : { sha256: storedFingerprint(stored), user, address }
    return { result: { ...sent, status: 'installed', written, arrivedHtmlSha256: htmlSha256, storedState } }
  }
  const error = errorOf(outcome)
  return failures[kind]({
    before: { ...before, ...error },
    sent: { ...sent, ...error },
    tried,
    wait: outcome.afterMilliseconds ?? backOffAfter(attempts),
    halt: { code: error.error_code, message: error.error_message },
  })
}

/** As PostgreSQL can store it. */
const errorOf = ({ code, message }: Failure) => ({
  error_code: code,
  error_message: message.toWellFormed().replace(/\p{Cc}/gu, ' '),
})

/** For a mailbox that was rejected although the whole channel is locked out: back to `due`, the attempt is not counted. */
export const asRetry = (result: DeliveryResult): DeliveryResult => ({
  ...result,
  status: 'pending',
  attempts: result.attempts - 1,
  wait: backOffAfter(1),
})

/** A mailbox row as it is locked while results are recorded. */
export interface LockedMailbox {
  readonly email_id: string
  readonly claim: number
  readonly revision: number
  readonly attempts: number
  readonly is_forced: boolean
}

/** The new columns of a mailbox. */
export interface MailboxUpdate {
  readonly emailId: string
  readonly written: WrittenState | null
  /** Null: as it is, while something is written. */
  readonly storedState: KeptState | null
  readonly tried: TriedState | null
  readonly isForced: boolean
  readonly attempts: number
  /** Milliseconds from now; null: not due; `keep`: as it is. */
  readonly dueIn: number | null | 'keep'
}

/** Change of the mailbox by a result; undefined when the claim was lost and another job has the mailbox now. */
export function updateOf(
  result: DeliveryResult,
  locked: LockedMailbox | undefined,
): MailboxUpdate | undefined {
  if (locked?.claim !== result.claim) return undefined
  const { emailId, written, storedState, tried, status } = result
  // The reconcile job has asked for another delivery meanwhile: the mailbox stays due.
  if (locked.revision !== result.revision)
    return {
      emailId,
      written,
      storedState,
      tried,
      isForced: locked.is_forced,
      attempts: locked.attempts,
      dueIn: 'keep',
    }
  const isDone = status === 'installed' || status === 'uninstalled'
  return {
    emailId,
    written,
    storedState,
    tried,
    isForced: locked.is_forced && !isDone,
    attempts: result.attempts,
    dueIn: status === 'unchanged' ? 'keep' : status === 'pending' ? result.wait : null,
  }
}
