// Campaigns over time: a grid with one column for each day, and a row for each campaign.
import type { MarketingCampaign } from '@signoff/sdk'
import { useEffect, useRef } from 'react'
import { type DateTimeFormatOptions, useFormatter, useTimeZone, useTranslations } from 'use-intl'
import { type CampaignState, campaignPath } from '#records/campaigns/campaign-data.ts'
import { classes } from '#ui/base/classes.ts'
import { PathLink } from '#ui/base/text-link.tsx'
import { dateOfDay, dayNumberIn } from '#ui/form/days.ts'
import { useCampaignTimes } from '../use-times.ts'
import {
  barOf,
  dayWidths,
  startsIn,
  type TimelineBar,
  type TimelineWindow,
  type TimelineZoom,
  windowAround,
} from './timeline-scale.ts'

const variants: Readonly<Record<CampaignState, string>> = {
  draft: 'border-dashed border-edge bg-card',
  scheduled: 'border-accent/50 bg-accent-soft',
  active: 'border-good/50 bg-good-soft',
  paused: 'border-warn/50 bg-warn-soft',
  ended: 'border-line bg-sunken',
}

const dots: Readonly<Record<CampaignState, string>> = {
  draft: 'bg-edge',
  scheduled: 'bg-accent',
  active: 'bg-good',
  paused: 'bg-warn',
  ended: 'bg-edge',
}

interface BarProps {
  readonly bar: TimelineBar
  readonly from: number
  /** Width of a day, in pixels. */
  readonly width: number
}

/** In pixels, with dot and padding: letters of this size are about 7.5 pixels wide. */
const labelWidth = (name: string): number => 34 + 7.5 * name.length

function Bar({ bar, from, width }: BarProps) {
  const { campaign, start, end, isOpen } = bar
  const isShort = !isOpen && (end - start) * width < labelWidth(campaign.name)
  const t = useTranslations('campaigns')
  const timesOf = useCampaignTimes()
  return (
    <div
      className="relative z-10 my-1 min-w-6"
      style={{ gridColumn: `${start - from + 1} / ${end - from + 1}` }}
    >
      <PathLink
        to={campaignPath(campaign.id)}
        className={classes(
          'flex h-9 items-center rounded-lg border hover:shadow-raised',
          isOpen && 'rounded-e-none border-e-0',
          variants[campaign.status],
        )}
      >
        <span className="sticky start-2 flex items-center gap-2 px-2 text-[0.8125rem] font-medium whitespace-nowrap">
          <span aria-hidden="true" className={classes('size-2 rounded-full', dots[campaign.status])} />
          {!isShort && campaign.name}
        </span>
        {/* Beside a bar that is too short for its name. */}
        <span
          className={
            isShort ? 'absolute start-full ps-2 text-[0.8125rem] font-medium whitespace-nowrap' : 'sr-only'
          }
        >
          {isShort && campaign.name}
          <span className="sr-only">{`, ${t(`states.${campaign.status}`)}, ${timesOf(campaign)}`}</span>
        </span>
      </PathLink>
    </div>
  )
}

interface ScaleProps {
  readonly window: TimelineWindow
  readonly zoom: TimelineZoom
}

/** The names of the months, and in the near view the Mondays. */
function Scale({ window, zoom }: ScaleProps) {
  const format = useFormatter()
  const width = dayWidths[zoom]
  const label = (day: number, options: DateTimeFormatOptions) =>
    format.dateTime(dateOfDay(day), { ...options, timeZone: 'UTC' })
  return (
    <div aria-hidden="true" className="relative h-12 border-b border-line text-xs">
      {startsIn(window, 'month').map(day => (
        <span
          key={day}
          className="absolute inset-y-0 border-s border-line ps-2 pt-2 font-medium whitespace-nowrap"
          style={{ insetInlineStart: (day - window.from) * width }}
        >
          {label(day, { month: zoom === 'month' ? 'long' : 'short', year: 'numeric' })}
        </span>
      ))}
      {zoom === 'month' &&
        startsIn(window, 'week').map(day => (
          <span
            key={day}
            className="absolute bottom-1 text-muted tabular-nums"
            style={{ insetInlineStart: (day - window.from) * width + 4 }}
          >
            {label(day, { day: 'numeric' })}
          </span>
        ))}
    </div>
  )
}

interface TimelineProps {
  readonly campaigns: readonly MarketingCampaign[]
  readonly zoom: TimelineZoom
}

export function Timeline({ campaigns, zoom }: TimelineProps) {
  const t = useTranslations('campaigns')
  const zone = useTimeZone() ?? 'UTC'
  const frame = useRef<HTMLElement>(null)
  const window = windowAround(campaigns, zone)
  const width = dayWidths[zoom]
  const today = (dayNumberIn(zone, new Date()) - window.from + 0.5) * width
  const bars = campaigns
    .map(each => barOf(each, window, zone))
    .filter(bar => bar !== undefined)
    .sort((a, b) => a.start - b.start)
  useEffect(() => {
    const element = frame.current
    const isRightToLeft = getComputedStyle(document.documentElement).direction === 'rtl'
    if (element) element.scrollLeft = (isRightToLeft ? -1 : 1) * (today - element.clientWidth / 2)
  }, [today])
  return (
    <section
      ref={frame}
      aria-label={t('timeline')}
      tabIndex={0}
      className="relative overflow-x-auto rounded-2xl border border-line bg-card pb-3"
    >
      <div className="relative" style={{ width: (window.to - window.from) * width }}>
        <Scale window={window} zoom={zoom} />
        {startsIn(window, 'month').map(day => (
          <span
            key={day}
            aria-hidden="true"
            className="absolute top-12 bottom-0 border-s border-line/70"
            style={{ insetInlineStart: (day - window.from) * width }}
          />
        ))}
        <div className="pt-2">
          {bars.map(bar => (
            <div
              key={bar.campaign.id}
              className="grid"
              style={{ gridTemplateColumns: `repeat(${window.to - window.from}, ${width}px)` }}
            >
              <Bar bar={bar} from={window.from} width={width} />
            </div>
          ))}
        </div>
        <span
          aria-hidden="true"
          className="absolute top-6 -bottom-3 z-20 w-px bg-bad"
          style={{ insetInlineStart: today }}
        >
          <span className="absolute start-1 top-0 rounded bg-card px-1 text-[0.6875rem] font-medium whitespace-nowrap text-bad">
            {t('today')}
          </span>
        </span>
      </div>
    </section>
  )
}
