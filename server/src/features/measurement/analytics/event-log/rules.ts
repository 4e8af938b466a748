import { type PageQuery, paginate } from '#kernel/api/pagination.ts'
import type { Db } from '#kernel/db/db.ts'
import { type AnalyticsFilters, type Dimension, dimensions } from '../dimension.ts'
import { labelsFor } from '../labels/rules.ts'
import type { Dates } from '../range.ts'
import { countQueryOf } from '../rules.ts'
import { type EventFilter, summarize } from './queries.ts'
import type { SummaryGrouping } from './schemas.ts'

interface EventQuery extends Dates, AnalyticsFilters {
  readonly name?: string
  readonly distinct_id?: string
  readonly outcome: string
}

/** Without a name in the query, views and clicks are excluded; with `defaultName` null they are included. */
export function eventFilterOf(workspaceId: string, query: EventQuery, defaultName?: null): EventFilter {
  const { question } = countQueryOf(workspaceId, query)
  const { name = defaultName, outcome, distinct_id: distinctId } = query
  return { ...question, name, outcome, distinctId }
}

const isDimension = (grouping: SummaryGrouping | Dimension): grouping is Dimension =>
  dimensions.includes(grouping as Dimension)

export async function readSummary(
  db: Db,
  workspaceId: string,
  query: EventQuery & PageQuery & { readonly group_by: SummaryGrouping },
): Promise<object> {
  const grouping = query.group_by
  const { total, totals, rows } = await summarize(db, query, eventFilterOf(workspaceId, query), grouping)
  const ids = rows.map(row => row.id)
  const label = isDimension(grouping) ? await labelsFor(db, workspaceId, grouping, ids) : (id: string) => id
  const data = rows.map(({ id, count, value }) => ({ id, label: label(id), count, value }))
  return { data, totals, pagination: paginate(query, total) }
}
