// What an attempt means for its delivery and its webhook.
import { day } from '#kernel/base/durations.ts'

export const problemWords = [
  'gone',
  'rate_limited',
  'redirect',
  'refused',
  'server_error',
  'timeout',
  'unreachable',
  'not_public',
  'secret_unreadable',
] as const
/** Reason of a failed attempt. The answer of the receiver is never stored: it could be the content of a private page. */
export type ProblemWord = (typeof problemWords)[number]

/** Answer to one request. */
export type MessageAnswer =
  | { readonly status: number; readonly retryAfterMilliseconds?: number | undefined }
  | { readonly problem: ProblemWord }

/** The pauses after the first, second … attempt. Ten attempts within 75.6 hours. */
export const pauses: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  seconds => seconds * 1_000,
)

/** After so long without any success the webhook is switched off. */
export const failingMilliseconds = 3 * day

/** ±10 %, so that the deliveries of one outage are not all retried at the same moment. */
const spread = (milliseconds: number, chance: number): number => milliseconds * (0.9 + 0.2 * chance)

interface StatusProblem {
  readonly when: (status: number) => boolean
  readonly problem: ProblemWord
}

/** The first that matches applies. docs/build/event-webhooks.md has the same table. */
const statusProblems: readonly StatusProblem[] = [
  { when: status => status === 410, problem: 'gone' },
  { when: status => status === 429, problem: 'rate_limited' },
  { when: status => status >= 300 && status < 400, problem: 'redirect' },
  { when: status => status >= 400 && status < 500, problem: 'refused' },
  { when: () => true, problem: 'server_error' },
]

export interface AttemptResult {
  readonly state: 'pending' | 'delivered' | 'failed'
  /** Milliseconds until the next attempt; null when none follows. */
  readonly wait: number | null
  readonly status: number | null
  readonly problem: ProblemWord | null
  /** Milliseconds in which the receiver wants no request at all; null when it did not ask. */
  readonly pause: number | null
}

/** `attempts` includes this one. */
export function resultOfAttempt(
  answer: MessageAnswer,
  attempts: number,
  chance = Math.random(),
): AttemptResult {
  const status = 'status' in answer ? answer.status : null
  if (status !== null && status >= 200 && status < 300)
    return { state: 'delivered', wait: null, status, problem: null, pause: null }
  const problem =
    'problem' in answer
      ? answer.problem
      : (statusProblems.find(({ when }) => when(answer.status)) as StatusProblem).problem
  const scheduled = pauses[attempts - 1]
  if (problem === 'gone' || scheduled === undefined)
    return { state: 'failed', wait: null, status, problem, pause: null }
  const asksForPause = status === 429 || status === 503
  const pause = (asksForPause && 'status' in answer && answer.retryAfterMilliseconds) || null
  const wait = Math.round(Math.max(spread(scheduled, chance), pause ?? 0))
  return { state: 'pending', wait, status, problem, pause }
}
