// The tool about numbers.
import type { JsonRecord } from '../api.ts'
import { rowsPerPage } from '../bounds.ts'
import { invalidArguments } from '../failure.ts'
import { argumentsOf, schemaOf } from '../schemas.ts'
import { pageSummary, type ToolDefinition } from '../tool.ts'

const reports = {
  overview: 'analytics.overview',
  breakdown: 'analytics.breakdown',
  events: 'analytics.events.list',
  event_summary: 'analytics.events.summary',
} as const

const isReport = (value: unknown): value is keyof typeof reports =>
  typeof value === 'string' && Object.hasOwn(reports, value)

/** Parameters of some reports only; another report names them in `ignored`. */
const used: Readonly<Record<string, string>> = {
  interval: 'Of overview.',
  dimension: 'Of breakdown, required.',
  order_by: 'Of breakdown.',
  order: 'Of breakdown.',
  group_by: 'Of event_summary.',
  name: 'Of events and event_summary; $view and $click are views and clicks.',
  page: 'From 1; not of overview.',
  limit: 'Not of overview; 25 when left out.',
}

const getAnalytics: ToolDefinition = {
  name: 'get_analytics',
  title: 'Views, clicks and events',
  description:
    'Numbers of signatures and campaigns. report: overview (views, clicks and click-through rate over time), breakdown (the same by signature, campaign, person, link or country: give dimension), events (recorded events such as sign-ups) or event_summary (their number and value by group). Default range: the last 30 days, in UTC. Bots and scanners are not counted.',
  effect: 'reads',
  routes: Object.values(reports),
  input: routeNamed => {
    const all = Object.values(reports).map(name =>
      argumentsOf(routeNamed(name), { about: used, without: ['distinct_id', 'outcome'] }),
    )
    const properties: JsonRecord = Object.assign({}, ...all.map(schema => schema.properties))
    for (const name of ['interval', 'order_by', 'order', 'group_by', 'page', 'limit'])
      properties[name] = withoutDefault(properties[name] as JsonRecord)
    return schemaOf(
      {
        report: { type: 'string', enum: Object.keys(reports) },
        ...(properties as Record<string, JsonRecord>),
      },
      ['report'],
    )
  },
  async run({ report, ...args }, calls) {
    if (!isReport(report))
      throw invalidArguments([
        {
          field: 'report',
          code: 'not_allowed',
          message: 'report is not one of the allowed values',
          allowed: Object.keys(reports),
        },
      ])
    const isList = report !== 'overview'
    const answer = await calls.json(reports[report], { ...(isList && { limit: rowsPerPage }), ...args })
    return { summary: isList ? pageSummary(answer, 'rows') : 'Totals, and a series over time.', answer }
  },
}

/** A client that fills in defaults would send parameters that the report does not have. */
const withoutDefault = ({ default: _, ...schema }: JsonRecord): JsonRecord => schema

export const analyticsTools: readonly ToolDefinition[] = [getAnalytics]
