// The arguments of a tool as a request of its route.
import { isRecord, type JsonRecord, type RouteRequest, type ToolRoute } from './api.ts'
import { type FailureDetail, invalidArguments } from './failure.ts'
import { type ArgumentsSchema, pathParametersOf, queryPropertiesOf } from './schemas.ts'

const problem = (field: string, code: string, message: string): FailureDetail => ({
  field,
  code,
  message: `${field} ${message}`,
})

const listedNames = 20

/** Arguments that the tool does not have, and required ones that are missing. The API checks the values. */
export function checkArguments({ properties, required = [] }: ArgumentsSchema, args: JsonRecord): void {
  const names = Object.keys(properties)
  const unknown = Object.keys(args)
    .filter(name => !Object.hasOwn(properties, name))
    .slice(0, listedNames)
    .map(name => ({
      ...problem(name.slice(0, 100).toWellFormed(), 'unknown_property', 'is no argument of this tool'),
      allowed: names,
    }))
  const missing = required
    .filter(name => args[name] === undefined)
    .map(name => problem(name, 'missing', 'is required'))
  if (unknown.length + missing.length > 0) throw invalidArguments([...unknown, ...missing])
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function scalar(field: string, value: unknown): string {
  if (!isScalar(value) || String(value).length > 10_000)
    throw invalidArguments([problem(field, 'invalid_type', 'must be a text, a number or a boolean')])
  return String(value)
}

/** A segment of dots would be another path, even when it is encoded. */
function segmentOf(name: string, value: unknown): string {
  const segment = scalar(name, value)
  if (segment === '') throw invalidArguments([problem(name, 'blank', 'must not be blank')])
  if (/^\.\.?$/.test(segment)) throw invalidArguments([problem(name, 'invalid', 'is not an id')])
  return encodeURIComponent(segment.toWellFormed())
}

/** Null counts as left out in paths and queries. */
export function requestOf(route: ToolRoute, args: JsonRecord): RouteRequest {
  const inPath = pathParametersOf(route)
  const inQuery = queryPropertiesOf(route)
  const query = new URLSearchParams()
  const body: JsonRecord = {}
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || inPath.includes(name)) continue
    if (!Object.hasOwn(inQuery, name)) body[name] = value
    else if (value !== null) query.append(name, scalar(name, value))
  }
  const path = inPath.reduce(
    (filled, name) => filled.replace(`{${name}}`, () => segmentOf(name, args[name] ?? '')),
    route.path,
  )
  const target = query.size > 0 ? `${path}?${query}` : path
  return { method: route.method, target, ...(route.body && { body: bodyOf(route.body, body) }) }
}

const bodyOf = ({ wrapper }: NonNullable<ToolRoute['body']>, body: JsonRecord): string =>
  JSON.stringify(wrapper ? { [wrapper.name]: body } : body)

export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {})
