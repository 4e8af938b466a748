import { Type } from 'typebox'
import { DayOrInstant, Text, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

export const dateQuery = {
  start_date: Type.Optional(
    DayOrInstant({
      maxLength: 40,
      description: 'A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end.',
    }),
  ),
  end_date: Type.Optional(
    DayOrInstant({
      maxLength: 40,
      description: 'A day (included) or an instant (excluded). Left out: today.',
    }),
  ),
}

export const filterQuery = {
  signature_template_id: Type.Optional(Uuid()),
  marketing_campaign_id: Type.Optional(Uuid()),
  teammate_id: Type.Optional(Uuid()),
  country: Type.Optional(
    Type.String({ pattern: '^[A-Za-z]{2}$', description: 'The two letters of ISO 3166.', examples: ['DE'] }),
  ),
  anchor_id: Type.Optional(
    Text(200, { description: 'A link: its id in the breakdown by `anchor`.', examples: ['banner'] }),
  ),
}

const counts = {
  views: Type.Integer(),
  clicks: Type.Integer(),
  clickthrough_rate: Type.Number({ description: 'Clicks by views, with six decimals; 0 without views.' }),
}

const period = Type.String({ description: 'Its first day, or its hour.' })

export const Overview = NamedObject('AnalyticsOverview', {
  start_date: Type.String(),
  end_date: Type.String(),
  interval: Type.String(),
  totals: ClosedObject(counts),
  series: Type.Array(ClosedObject({ period, ...counts })),
})

export const BreakdownRow = NamedObject('AnalyticsBreakdownRow', {
  id: Type.String(),
  label: Type.String(),
  ...counts,
})

export const PeriodCount = NamedObject('AnalyticsPeriodCount', { period, count: Type.Integer() })

export const GroupRow = NamedObject('AnalyticsGroupRow', {
  id: Type.String(),
  label: Type.String(),
  view_count: Type.Integer(),
  click_count: Type.Integer(),
  clickthrough_rate: Type.Number(),
})
