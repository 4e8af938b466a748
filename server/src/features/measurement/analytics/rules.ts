// Turns counts into API answers: fills empty periods, adds labels and click-through rates.

import { type ListResult, type PageQuery, paginate } from '#kernel/api/pagination.ts'
import type { Db } from '#kernel/db/db.ts'
import { type AnalyticsFilters, type Dimension, dimensionKeysOf, parseVariantKey } from './dimension.ts'
import { labelsFor, shownIdOf } from './labels/rules.ts'
import {
  type BreakdownOrder,
  type CountedKey,
  type CountQuery,
  countByKey,
  countByPeriod,
  type EventCounts,
} from './queries.ts'
import { type Dates, type Interval, periodsIn, type RequestedRange, readRange } from './range.ts'

/** Clicks per view, rounded to six decimals. */
export const rateOf = ({ views, clicks }: EventCounts): number =>
  views === 0 ? 0 : Math.round((clicks * 1e6) / views) / 1e6

const withRate = (counts: EventCounts) => ({ ...counts, clickthrough_rate: rateOf(counts) })

type Query = Dates & AnalyticsFilters

export const countQueryOf = (
  workspaceId: string,
  query: Query,
  now = new Date(),
): { readonly asked: RequestedRange; readonly question: CountQuery } => {
  const asked = readRange(query, now)
  return { asked, question: { workspaceId, range: asked, filters: dimensionKeysOf(query) } }
}

interface Series {
  readonly totals: EventCounts
  readonly periods: readonly (EventCounts & { readonly period: string })[]
}

export async function seriesOf(
  db: Db,
  question: CountQuery,
  interval: Interval,
  field: string,
): Promise<Series> {
  const names = periodsIn(question.range, interval, field)
  const countsByPeriod = await countByPeriod(db, question, interval)
  const periods = names.map(period => ({
    period,
    ...(countsByPeriod.get(period) ?? { views: 0, clicks: 0 }),
  }))
  const sum = (metricOf: (counts: EventCounts) => number) =>
    periods.reduce((total, counts) => total + metricOf(counts), 0)
  return { totals: { views: sum(counts => counts.views), clicks: sum(counts => counts.clicks) }, periods }
}

export async function readOverview(
  db: Db,
  workspaceId: string,
  query: Query & { readonly interval: Interval },
): Promise<object> {
  const { asked, question } = countQueryOf(workspaceId, query)
  const { totals, periods } = await seriesOf(db, question, query.interval, 'interval')
  return {
    start_date: asked.start_date,
    end_date: asked.end_date,
    interval: query.interval,
    totals: withRate(totals),
    series: periods.map(({ period, ...counts }) => ({ period, ...withRate(counts) })),
  }
}

const allVariants: PageQuery = { page: 1, limit: 100 }

interface CampaignCounts {
  readonly range: Required<Dates>
  readonly totals: object
  readonly countsOf: (variantId: string) => EventCounts & { readonly clickthrough_rate: number }
}

/** Counts of a campaign and of each of its variants. */
export async function readCampaignCounts(
  db: Db,
  workspaceId: string,
  campaignId: string,
  dates: Dates,
): Promise<CampaignCounts> {
  const { asked, question } = countQueryOf(workspaceId, { ...dates, marketing_campaign_id: campaignId })
  const order = { order_by: 'views', order: 'desc' } as const
  const byVariant = await countByKey(db, question, 'campaign_variant', order, allVariants)
  const whole = await countByKey(db, question, 'marketing_campaign', order, allVariants)
  const counts = new Map(byVariant.rows.map(row => [parseVariantKey(row.id).variant, row]))
  const { start_date, end_date } = asked
  return {
    range: { start_date, end_date },
    totals: withRate({ views: whole.rows[0]?.views ?? 0, clicks: whole.rows[0]?.clicks ?? 0 }),
    countsOf(variantId) {
      const { views = 0, clicks = 0 } = counts.get(variantId) ?? {}
      return withRate({ views, clicks })
    },
  }
}

interface BreakdownQuery {
  readonly workspaceId: string
  readonly query: Query & PageQuery
  readonly dimension: Dimension
  readonly order: BreakdownOrder
}

export async function readBreakdown(
  db: Db,
  { workspaceId, query, dimension, order }: BreakdownQuery,
  shape: (row: CountedKey, label: string) => object = ({ id, ...counts }, label) => ({
    id,
    label,
    ...counts,
  }),
): Promise<ListResult> {
  const { question } = countQueryOf(workspaceId, query)
  const { total, rows } = await countByKey(db, question, dimension, order, query)
  const ids = rows.map(row => row.id)
  const label = await labelsFor(db, workspaceId, dimension, ids)
  const data = JSON.stringify(
    rows.map(row => shape({ ...row, id: shownIdOf(dimension, row.id) }, label(row.id))),
  )
  return { data, pagination: paginate(query, total) }
}
