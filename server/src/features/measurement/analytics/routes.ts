import { Type } from 'typebox'
import { ignoredProperty } from '#kernel/api/ignored.ts'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { dataOf, jsonText, list, ok, type Route, route } from '#kernel/api/routes.ts'
import { OneOf } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { dimensions } from './dimension.ts'
import { eventLogRoutes } from './event-log/routes.ts'
import { orders } from './queries.ts'
import { intervals } from './range.ts'
import { countQueryOf, readBreakdown, readOverview, seriesOf } from './rules.ts'
import { BreakdownRow, dateQuery, filterQuery, GroupRow, Overview, PeriodCount } from './schemas.ts'

const countAnswer = Type.Union([
  ClosedObject({
    data: Type.Array(PeriodCount),
    totals: ClosedObject({ count: Type.Integer() }),
    ...ignoredProperty,
  }),
  pageOf(GroupRow),
])

/** The route that counts views or clicks, as a time series or grouped by a dimension. */
const countRoute = (metric: 'views' | 'clicks'): Route =>
  route({
    name: `analytics.${metric}`,
    method: 'GET',
    path: `/v1/analytics/${metric}`,
    access: 'analytics:read',
    summary: `Count ${metric}, over time or by what they belong to`,
    description: `The number of ${metric}, as a series (\`granularity\`) or grouped (\`group_by\`). For clients of the older shape; \`overview\` and \`breakdown\` answer more in one call.`,
    query: Type.Object({
      ...dateQuery,
      ...filterQuery,
      ...pageQuery,
      granularity: OneOf(intervals, { default: 'day' }),
      group_by: Type.Optional(OneOf(dimensions, { description: 'Instead of a series.' })),
    }),
    answers: { 200: countAnswer },
    async handle({ db, by: { workspaceId }, query }) {
      const { group_by: dimension, granularity } = query
      if (dimension !== undefined) {
        const order = { order_by: metric, order: 'desc' } as const
        const grouping = { workspaceId, query, dimension, order }
        const rows = await readBreakdown(db, grouping, ({ id, views, clicks, clickthrough_rate }, label) => ({
          id,
          label,
          view_count: views,
          click_count: clicks,
          clickthrough_rate,
        }))
        return list(rows)
      }
      const { question } = countQueryOf(workspaceId, query)
      const { totals, periods } = await seriesOf(db, question, granularity, 'granularity')
      const data = periods.map(point => ({ period: point.period, count: point[metric] }))
      return jsonText(JSON.stringify({ data, totals: { count: totals[metric] } }))
    },
  })

export const analyticsRoutes: readonly Route[] = [
  route({
    name: 'analytics.overview',
    method: 'GET',
    path: '/v1/analytics/overview',
    access: 'analytics:read',
    summary: 'Views, clicks and click-through rate over time',
    description:
      'Views, clicks and the click-through rate over time: totals, and a series in which every period is listed, zeros included. Bots, link scanners and prefetches are not counted. Whole UTC days; the default is the last 30 days.',
    query: Type.Object({ ...dateQuery, ...filterQuery, interval: OneOf(intervals, { default: 'day' }) }),
    errors: ['out_of_range'],
    answers: { 200: dataOf(Overview) },
    handle: async ({ db, by, query }) => ok(await readOverview(db, by.workspaceId, query)),
  }),
  route({
    name: 'analytics.breakdown',
    method: 'GET',
    path: '/v1/analytics/breakdown',
    access: 'analytics:read',
    summary: 'Views, clicks and click-through rate by what they belong to',
    description:
      'Views, clicks and the click-through rate for each signature, campaign, person, link or country, in pages. Deleted things keep their names and numbers.',
    query: Type.Object({
      ...dateQuery,
      ...filterQuery,
      ...pageQuery,
      dimension: OneOf(dimensions),
      order_by: OneOf(orders, { default: 'views' }),
      order: OneOf(['asc', 'desc'], { default: 'desc' }),
    }),
    answers: { 200: pageOf(BreakdownRow) },
    async handle({ db, by: { workspaceId }, query }) {
      const { dimension } = query
      return list(await readBreakdown(db, { workspaceId, query, dimension, order: query }))
    },
  }),
  countRoute('views'),
  countRoute('clicks'),
  ...eventLogRoutes,
]
