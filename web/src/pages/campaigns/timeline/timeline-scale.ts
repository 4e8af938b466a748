// Where campaigns stand on the timeline: everything in whole days of the workspace's time zone.
import type { MarketingCampaign } from '@signoff/sdk'
import { dayNumberIn, monthStart, weekStart } from '#ui/form/days.ts'

export const timelineZooms = ['month', 'quarter'] as const
export type TimelineZoom = (typeof timelineZooms)[number]

/** The width of a day in pixels. */
export const dayWidths: Readonly<Record<TimelineZoom, number>> = { month: 22, quarter: 7 }

export interface TimelineBar {
  readonly campaign: MarketingCampaign
  /** Day numbers; `end` is the day after the last. */
  readonly start: number
  readonly end: number
  /** It has no end date: it runs until a person ends it. */
  readonly isOpen: boolean
}

export interface TimelineWindow {
  readonly from: number
  readonly to: number
}

/** The timeline shows at most two years around today. */
const monthsBefore = 12
const monthsAfter = 12

export const isPlanned = ({ status, start_time: start }: MarketingCampaign): boolean =>
  status !== 'draft' || start !== null

export function windowAround(campaigns: readonly MarketingCampaign[], zone: string): TimelineWindow {
  const today = dayNumberIn(zone, new Date())
  const days = campaigns.flatMap(({ start_time, end_time }) =>
    [start_time, end_time].filter(time => time !== null).map(time => dayNumberIn(zone, new Date(time))),
  )
  const first = Math.max(Math.min(today, ...days), monthStart(today, -monthsBefore))
  const last = Math.min(Math.max(today, ...days), monthStart(today, monthsAfter))
  return { from: monthStart(first), to: monthStart(last, 2) }
}

export function barOf(
  campaign: MarketingCampaign,
  { from, to }: TimelineWindow,
  zone: string,
): TimelineBar | undefined {
  const dayOf = (time: string) => dayNumberIn(zone, new Date(time))
  const start = dayOf(campaign.start_time ?? campaign.created_at)
  const isOpen = campaign.end_time === null && campaign.status !== 'ended'
  const last = campaign.end_time ?? (isOpen ? null : campaign.updated_at)
  const end = last === null ? to : Math.max(dayOf(last), start) + 1
  if (end <= from || start >= to) return undefined
  return { campaign, start: Math.max(start, from), end: Math.min(end, to), isOpen }
}

/** The first days of the months (or of the weeks) that begin in the window. */
export function startsIn({ from, to }: TimelineWindow, unit: 'month' | 'week'): number[] {
  const starts: number[] = []
  const first = unit === 'month' ? monthStart(from) : weekStart(from + 6)
  for (let day = first; day < to; day = unit === 'month' ? monthStart(day, 1) : day + 7) starts.push(day)
  return starts
}
