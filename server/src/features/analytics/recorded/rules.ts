import type { Db } from '#kernel/db.ts'
import { type PageQuery, paginate } from '#kernel/pagination.ts'
import { type Dimension, dimensions, type Filters } from '../dimension.ts'
import { labelsFor } from '../labels/rules.ts'
import type { Dates } from '../range.ts'
import { askedBy } from '../rules.ts'
import { type EventQuestion, summarize } from './queries.ts'
import type { Grouping } from './schemas.ts'

export interface EventQuery extends Dates, Filters {
  readonly name?: string
  readonly distinct_id?: string
  readonly outcome: string
}

/** Views and clicks come only when asked for by name, unless `otherwise` is null: all. */
export function questionOf(workspaceId: string, query: EventQuery, otherwise?: null): EventQuestion {
  const { question } = askedBy(workspaceId, query)
  const { name = otherwise, outcome, distinct_id: distinctId } = query
  return { ...question, name, outcome, distinctId }
}

const isDimension = (grouping: Grouping | Dimension): grouping is Dimension =>
  dimensions.includes(grouping as Dimension)

export async function summary(
  db: Db,
  workspaceId: string,
  query: EventQuery & PageQuery & { readonly group_by: Grouping },
): Promise<object> {
  const grouping = query.group_by
  const { total, totals, rows } = await summarize(db, query, questionOf(workspaceId, query), grouping)
  const ids = rows.map(row => row.id)
  const label = isDimension(grouping) ? await labelsFor(db, workspaceId, grouping, ids) : (id: string) => id
  const data = rows.map(({ id, count, value }) => ({ id, label: label(id), count, value }))
  return { data, totals, pagination: paginate(query, total) }
}
