// The states of a campaign, a table of the actions that each state allows, and the transitions by time.
import { apiError } from '#kernel/base/errors.ts'

export const statuses = ['draft', 'scheduled', 'active', 'paused', 'ended'] as const
export type CampaignStatus = (typeof statuses)[number]

/** The states in which each action is allowed. */
const allowedFrom = {
  change: ['draft', 'scheduled', 'active', 'paused'],
  schedule: ['draft', 'paused'],
  pause: ['scheduled', 'active'],
  resume: ['paused'],
  end: ['scheduled', 'active', 'paused'],
} as const satisfies Record<string, readonly CampaignStatus[]>
export type CampaignAction = keyof typeof allowedFrom

export interface CampaignTimes {
  readonly status: CampaignStatus
  readonly start: Date | null
  readonly end: Date | null
  /** All signatures that the campaign targeted were deleted. */
  readonly lostTargets: boolean
}

const actions = Object.keys(allowedFrom) as CampaignAction[]
const isAllowed = (action: CampaignAction, status: CampaignStatus): boolean =>
  (allowedFrom[action] as readonly CampaignStatus[]).includes(status)
const hasPassed = (time: Date | null, now: Date): boolean => time !== null && time <= now

const pastParticiples: Readonly<Record<CampaignAction, string>> = {
  change: 'changed',
  schedule: 'scheduled',
  pause: 'paused',
  resume: 'resumed',
  end: 'ended',
}

function refusal(action: CampaignAction, status: CampaignStatus, reason: string): Error {
  const allowedActions = actions.filter(other => other !== action && isAllowed(other, status))
  return apiError('campaign_state', {
    message: `The campaign is ${status}: it cannot be ${pastParticiples[action]}${reason}. Allowed now: ${[...allowedActions, 'delete'].join(', ')}.`,
  })
}

/** Throws when the state of the campaign does not allow the action. */
export function assertAllowed(
  action: CampaignAction,
  { status, end, lostTargets }: CampaignTimes,
  now: Date,
): void {
  if (!isAllowed(action, status)) throw refusal(action, status, '')
  if (action !== 'schedule' && action !== 'resume') return
  if (hasPassed(end, now)) throw refusal(action, status, ' with an end_time that has passed')
  if (lostTargets)
    throw refusal(
      action,
      status,
      ' before signature_template_ids is set anew: the signatures it was for were deleted',
    )
}

/** The status after the `schedule` action. */
export const statusWhenScheduled = ({ start }: CampaignTimes, now: Date): CampaignStatus =>
  start === null || hasPassed(start, now) ? 'active' : 'scheduled'

/** The status at `now` by start and end time. A campaign whose whole time range has passed ends without starting. */
export function statusAt({ status, start, end }: CampaignTimes, now: Date): CampaignStatus {
  if (status !== 'scheduled' && status !== 'active') return status
  if (hasPassed(end, now)) return 'ended'
  return status === 'scheduled' && (start === null || hasPassed(start, now)) ? 'active' : status
}

/** The next moment at which the start or end time changes the status; null when there is none. */
export function nextTransitionAt({ status, start, end }: CampaignTimes): Date | null {
  if (status === 'active') return end
  if (status !== 'scheduled' || start === null) return null
  return end !== null && end < start ? end : start
}
