// Maps Google's error answers to the outcome of a delivery.
import { type FailedDelivery, failedDelivery, type NextStep } from '#features/delivery/installations/index.ts'
import { readRetryAfter } from '../http/retry-after.ts'
import { type GoogleAnswer, googleReason } from './request.ts'

interface Refusal {
  readonly status: number
  /** OAuth's `error`, or the Gmail API's `reason`. */
  readonly reason: string
  readonly message: string
  readonly isAlias: boolean
}

interface Meaning {
  readonly when: (refusal: Refusal) => boolean
  readonly code: string
  readonly next: NextStep
}

const limits = new Set([
  'userRateLimitExceeded',
  'rateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'rate_limit_exceeded',
])
/** An invalid_grant about one user. Otherwise it means a revoked key or a wrong clock, which concerns all mailboxes. */
const aboutUser = /valid email or user id|(account|user) (is|has been) (suspended|disabled|deleted)/i

/** The first that matches applies. */
const meanings: readonly Meaning[] = [
  { when: ({ status, reason }) => status === 429 || limits.has(reason), code: 'rate_limited', next: 'retry' },
  {
    when: ({ reason, message }) => reason === 'invalid_grant' && aboutUser.test(message),
    code: 'user_not_found',
    next: 'reject',
  },
  {
    when: ({ reason }) => /^(invalid_grant|invalid_client|unauthorized_client|access_denied)$/.test(reason),
    code: 'access_lost',
    next: 'halt',
  },
  // Concerns the project or the key, not one user.
  {
    when: ({ reason }) => /^(accessNotConfigured|insufficientPermissions)$/.test(reason),
    code: 'access_lost',
    next: 'halt',
  },
  // Concerns one user: no access, or the service account cannot act for them. The deliver job halts the channel when a
  // whole batch is forbidden.
  { when: ({ status }) => status === 401 || status === 403, code: 'forbidden', next: 'reject' },
  { when: ({ status, isAlias }) => status === 404 && isAlias, code: 'alias_not_found', next: 'reject' },
  { when: ({ status }) => status === 404, code: 'user_not_found', next: 'reject' },
  // "Mail service not enabled": the user has no Gmail mailbox.
  {
    when: ({ status, reason }) => status === 400 && reason === 'failedPrecondition',
    code: 'user_not_found',
    next: 'reject',
  },
  {
    when: ({ status, message }) => status === 400 && /exceeds? (the )?maximum length/i.test(message),
    code: 'signature_too_long',
    next: 'reject',
  },
  { when: ({ status }) => status >= 400 && status < 500, code: 'refused', next: 'reject' },
  { when: () => true, code: 'unreachable', next: 'retry' },
]

export function outcomeOfGoogleError(answer: GoogleAnswer, isAlias: boolean): FailedDelivery {
  const refusal = { ...googleReason(answer), status: answer.status, isAlias }
  const { code, next } = meanings.find(meaning => meaning.when(refusal)) as Meaning
  const details = refusal.message === '' ? '' : `: ${refusal.message.slice(0, 500)}`
  const wait = next === 'retry' ? readRetryAfter(retryAfterIn(answer.retryAfter, refusal.message)) : undefined
  return {
    ...failedDelivery(code, `Google answered ${answer.status}${details}`, next),
    ...(wait !== undefined && { afterMilliseconds: wait }),
  }
}

/** From the header, or from the message: "Retry after 2030-01-31T12:00:00.000Z". */
const retryAfterIn = (header: string | undefined, message: string): string | undefined =>
  header ?? /retry after (\S+)/i.exec(message)?.[1]
