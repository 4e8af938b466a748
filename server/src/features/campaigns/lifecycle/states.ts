// What a campaign can be, and what may be done with it then: one table, and what time alone does.
import { apiError } from '#kernel/errors.ts'

export const statuses = ['draft', 'scheduled', 'active', 'paused', 'ended'] as const
export type CampaignStatus = (typeof statuses)[number]

/** From which states each is allowed. */
const moves = {
  change: ['draft', 'scheduled', 'active', 'paused'],
  schedule: ['draft', 'paused'],
  pause: ['scheduled', 'active'],
  resume: ['paused'],
} as const satisfies Record<string, readonly CampaignStatus[]>
export type CampaignAction = keyof typeof moves

export interface CampaignTimes {
  readonly status: CampaignStatus
  readonly start: Date | null
  readonly end: Date | null
  /** The signatures that it was for are gone. */
  readonly lostTargets: boolean
}

const names = Object.keys(moves) as CampaignAction[]
const isAllowed = (move: CampaignAction, status: CampaignStatus): boolean =>
  (moves[move] as readonly CampaignStatus[]).includes(status)
const hasPassed = (time: Date | null, now: Date): boolean => time !== null && time <= now

const done: Readonly<Record<CampaignAction, string>> = {
  change: 'changed',
  schedule: 'scheduled',
  pause: 'paused',
  resume: 'resumed',
}

function refused(move: CampaignAction, status: CampaignStatus, why: string): Error {
  const others = names.filter(other => other !== move && isAllowed(other, status))
  return apiError('campaign_state', {
    message: `The campaign is ${status}: it cannot be ${done[move]}${why}. Allowed now: ${[...others, 'delete'].join(', ')}.`,
  })
}

/** Throws when a campaign in this state does not allow it. */
export function assertAllowed(
  move: CampaignAction,
  { status, end, lostTargets }: CampaignTimes,
  now: Date,
): void {
  if (!isAllowed(move, status)) throw refused(move, status, '')
  if (move !== 'schedule' && move !== 'resume') return
  if (hasPassed(end, now)) throw refused(move, status, ' with an end_time that has passed')
  if (lostTargets)
    throw refused(
      move,
      status,
      ' before signature_template_ids is set anew: the signatures it was for were deleted',
    )
}

/** What scheduling makes of it. */
export const statusWhenScheduled = ({ start }: CampaignTimes, now: Date): CampaignStatus =>
  start === null || hasPassed(start, now) ? 'active' : 'scheduled'

/** What time alone makes of it. One whose whole window was missed ends without ever starting. */
export function statusAt({ status, start, end }: CampaignTimes, now: Date): CampaignStatus {
  if (status !== 'scheduled' && status !== 'active') return status
  if (hasPassed(end, now)) return 'ended'
  return status === 'scheduled' && (start === null || hasPassed(start, now)) ? 'active' : status
}

/** When time alone will change it next. */
export function nextTransitionAt({ status, start, end }: CampaignTimes): Date | null {
  if (status === 'active') return end
  if (status !== 'scheduled' || start === null) return null
  return end !== null && end < start ? end : start
}
