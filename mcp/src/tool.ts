// How a tool is defined: by the routes that it calls. Their schemas, scopes and calls come from the route table.
import type { DocumentPage, JsonRecord, ToolRoute } from './api.ts'
import { rowsPerPage } from './bounds.ts'
import { type ArgumentOptions, type ArgumentsSchema, argumentsOf } from './schemas.ts'

/** The routes of a tool, and the documentation. A refused call throws a ToolFailure. */
export interface RouteCalls {
  json(routeName: string, args?: JsonRecord): Promise<JsonRecord>
  bytes(routeName: string, args?: JsonRecord): Promise<Uint8Array>
  documents(): Promise<readonly DocumentPage[]>
}

export interface ToolOutput {
  /** For the model: what was done or found, and what can follow. */
  readonly summary: string
  readonly answer: JsonRecord
  /** A PNG. */
  readonly picture?: Uint8Array
}

/** The changes that a call makes, as hints for clients that ask their user before some calls. */
export type ToolEffect = 'reads' | 'creates' | 'repeats' | 'overwrites' | 'deletes'

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: ToolEffect
  /** It fetches from, or sends to, systems outside the service. */
  readonly isOpenWorld?: boolean
  /** Names of all routes that it can call. */
  readonly routes: readonly string[]
  /** A key sees the tool when it can use these routes, or any one of them all. Left out: all of them. */
  readonly needs?: readonly string[] | 'any'
  readonly input: (routeNamed: (name: string) => ToolRoute) => ArgumentsSchema
  readonly run: (args: JsonRecord, calls: RouteCalls) => Promise<ToolOutput>
}

interface SingleRoute
  extends Pick<ToolDefinition, 'name' | 'title' | 'description' | 'effect' | 'isOpenWorld'>,
    ArgumentOptions {
  readonly route: string
  readonly summary: (answer: JsonRecord, args: JsonRecord) => string
  /** Changes each row of a list, or the record. */
  readonly shape?: (data: JsonRecord) => JsonRecord
}

/** A tool that is one route. */
export function routeTool(definition: SingleRoute): ToolDefinition {
  const { route, summary, shape, names = {}, ...rest } = definition
  const ownName = new Map(Object.entries(names).map(([name, renamed]) => [renamed, name]))
  return {
    ...rest,
    routes: [route],
    input: routeNamed => argumentsOf(routeNamed(route), definition),
    async run(args, calls) {
      const sent = Object.entries(args).map(([name, value]) => [ownName.get(name) ?? name, value])
      const answer = shaped(await calls.json(route, Object.fromEntries(sent)), shape)
      return { summary: summary(answer, args), answer }
    },
  }
}

export const shaped = (answer: JsonRecord, shape: SingleRoute['shape'] = data => data): JsonRecord => {
  const { data } = answer
  if (data === undefined) return answer
  return { ...answer, data: Array.isArray(data) ? data.map(shape) : shape(data as JsonRecord) }
}

interface ListTool extends Omit<SingleRoute, 'effect' | 'summary'> {
  /** The name of the rows: `signatures`. */
  readonly rows: string
  /** More words about the answer. */
  readonly note?: (answer: JsonRecord) => string
}

/** A tool that lists, in pages. */
export function listTool({ rows, note = () => '', ...definition }: ListTool): ToolDefinition {
  const tool = routeTool({
    ...definition,
    effect: 'reads',
    about: { page: 'From 1.', ...definition.about },
    summary: answer => `${pageSummary(answer, rows)}${note(answer)}`,
  })
  return { ...tool, run: (args, calls) => tool.run({ limit: rowsPerPage, ...args }, calls) }
}

export function pageSummary({ data, pagination }: JsonRecord, rows: string): string {
  const count = Array.isArray(data) ? data.length : 0
  const { page, total_count, has_more } = (pagination ?? {}) as JsonRecord
  const more = has_more === true ? ` Call again with page: ${Number(page) + 1} for the next ones.` : ''
  return `${count} of ${total_count ?? count} ${rows}.${more}`
}
