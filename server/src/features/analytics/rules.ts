// The numbers as they are answered: every period listed, every key with its label, every rate.
import type { Db } from '#kernel/db.ts'
import { type Listed, type PageQuery, paginate } from '#kernel/pagination.ts'
import { chosenBy, type Dimension, type Filters } from './dimension.ts'
import { idIn, labelsFor } from './labels/rules.ts'
import {
  type CountedKey,
  type Counts,
  countByKey,
  countByPeriod,
  type Order,
  type Question,
} from './queries.ts'
import { type Asked, type Dates, type Interval, periodsIn, readRange } from './range.ts'

/** A fraction with six decimals. */
export const rateOf = ({ views, clicks }: Counts): number =>
  views === 0 ? 0 : Math.round((clicks * 1e6) / views) / 1e6

const rated = (counts: Counts) => ({ ...counts, clickthrough_rate: rateOf(counts) })

type Query = Dates & Filters

export const askedBy = (
  workspaceId: string,
  query: Query,
  now = new Date(),
): { readonly asked: Asked; readonly question: Question } => {
  const asked = readRange(query, now)
  return { asked, question: { workspaceId, range: asked, chosen: chosenBy(query) } }
}

interface Series {
  readonly totals: Counts
  readonly periods: readonly (Counts & { readonly period: string })[]
}

export async function seriesOf(
  db: Db,
  question: Question,
  interval: Interval,
  field: string,
): Promise<Series> {
  const names = periodsIn(question.range, interval, field)
  const found = await countByPeriod(db, question, interval)
  const periods = names.map(period => ({ period, ...(found.get(period) ?? { views: 0, clicks: 0 }) }))
  const sum = (of: (one: Counts) => number) => periods.reduce((total, one) => total + of(one), 0)
  return { totals: { views: sum(one => one.views), clicks: sum(one => one.clicks) }, periods }
}

export async function overview(
  db: Db,
  workspaceId: string,
  query: Query & { readonly interval: Interval },
): Promise<object> {
  const { asked, question } = askedBy(workspaceId, query)
  const { totals, periods } = await seriesOf(db, question, query.interval, 'interval')
  return {
    start_date: asked.start_date,
    end_date: asked.end_date,
    interval: query.interval,
    totals: rated(totals),
    series: periods.map(({ period, ...counts }) => ({ period, ...rated(counts) })),
  }
}

export interface Grouping {
  readonly workspaceId: string
  readonly query: Query & PageQuery
  readonly dimension: Dimension
  readonly order: Order
}

export async function breakdown(
  db: Db,
  { workspaceId, query, dimension, order }: Grouping,
  shape: (row: CountedKey, label: string) => object = ({ id, ...counts }, label) => ({
    id,
    label,
    ...counts,
  }),
): Promise<Listed> {
  const { question } = askedBy(workspaceId, query)
  const { total, rows } = await countByKey(db, question, dimension, order, query)
  const ids = rows.map(row => row.id)
  const label = await labelsFor(db, workspaceId, dimension, ids)
  const data = JSON.stringify(rows.map(row => shape({ ...row, id: idIn(dimension, row.id) }, label(row.id))))
  return { data, pagination: paginate(query, total) }
}
