// The times of a campaign while they are edited: as the clocks in its time zone show them. `2026-12-01T09:00:30`.
import type { MarketingCampaign } from '@signoff/sdk'

export interface ScheduleDraft {
  /** null: as soon as the campaign is started. */
  readonly start: string | null
  /** null: until it is stopped. */
  readonly end: string | null
  readonly timeZone: string
}

const localText = (instant: string, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).formatToParts(new Date(instant))
  const part = (type: string) => parts.find(each => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}

export const scheduleOf = ({ start_time, end_time, time_zone }: MarketingCampaign): ScheduleDraft => ({
  start: start_time === null ? null : localText(start_time, time_zone),
  end: end_time === null ? null : localText(end_time, time_zone),
  timeZone: time_zone,
})

/** Times without an offset: the service reads them in the time zone. */
export const timesOfSchedule = ({ start, end, timeZone }: ScheduleDraft) => ({
  start_time: start,
  end_time: end,
  time_zone: timeZone,
})

/**
 * Only the times that the person has changed, with the time zone that they are read in. Another time zone moves both:
 * 9 o'clock stays 9 o'clock.
 */
export function changesOfSchedule(campaign: MarketingCampaign, draft: ScheduleDraft) {
  const stored = scheduleOf(campaign)
  const isMoved = draft.timeZone !== stored.timeZone
  const start = isMoved || draft.start !== stored.start ? { start_time: draft.start } : {}
  const end = isMoved || draft.end !== stored.end ? { end_time: draft.end } : {}
  const times = { ...start, ...end }
  return Object.keys(times).length === 0 ? {} : { ...times, time_zone: draft.timeZone }
}

/** Texts of one form can be compared as they are; the calendar writes no seconds. */
export const endsTooEarly = ({ start, end }: ScheduleDraft): boolean =>
  start !== null && end !== null && end.slice(0, 16) <= start.slice(0, 16)
