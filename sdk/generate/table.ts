// The route table as text that is small in a bundle. `src/methods.ts` reads it.
import { isWrite, type Route } from '../../server/src/kernel/routes.ts'

/** `signatures.recipients.list` → `signatures.recipients` and `list`. */
export function splitName({ name }: Route): { readonly resource: string; readonly method: string } {
  const full = name ?? ''
  const dot = full.lastIndexOf('.')
  return { resource: full.slice(0, dot), method: full.slice(dot + 1) }
}

export const pathNames = ({ path }: Route): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** The segments that all paths begin with. */
function commonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map(path => path.split('/'))
  const end = first.findIndex((segment, at) => others.some(other => other[at] !== segment))
  return (end === -1 ? first : first.slice(0, end)).join('/')
}

const starred = (path: string): string => path.replaceAll(/\{\w+\}/g, '*')
const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The methods that are written as one letter, in any order: `src/client.ts` has the same list. */
const usual: Readonly<Record<string, string>> = {
  'list=G+': 'l',
  'create=P^': 'c',
  'get=G/*': 'g',
  'update=A/*^': 'u',
  'delete=D/*': 'd',
}

/** `src/client.ts` has the same list, and R for a POST that changes nothing. */
const verbs = { GET: 'G', POST: 'P', PUT: 'U', PATCH: 'A', DELETE: 'D' } as const

function inputOf({ name, method, body, query }: Route, wrapper: string): string {
  const names = Object.keys(query?.properties ?? {})
  if (method === 'GET') return names.length > 0 ? '+' : ''
  const { properties = {} } = (body?.schema ?? {}) as { readonly properties?: object }
  const repeated = names.filter(each => each in properties)
  if (repeated.length > 0) throw new Error(`${name} has ${repeated} in its query and in its body`)
  const around = body?.wrapper?.name === wrapper ? '^' : `^${body?.wrapper?.name}`
  const sign = body ? (body.wrapper ? around : '+') : ''
  return sign + (names.length > 0 ? `?${names.join()}` : '')
}

function methodText(route: Route, base: string, wrapper: string): string {
  const { method } = splitName(route)
  const verb = route.method === 'POST' && !isWrite(route) ? 'R' : verbs[route.method]
  const rest = starred(route.path).slice(base.length)
  const end = `/${snake(method)}`
  const path = rest.endsWith(end) ? `${rest.slice(0, -end.length)}~` : rest
  return `${method}=${verb}${path}${inputOf(route, wrapper)}`
}

function lineOf(resource: string, routes: readonly Route[]): string {
  const base = starred(commonPath(routes.map(({ path }) => path)))
  if (!base.startsWith('/v1')) throw new Error(`${resource} is outside of /v1`)
  const noun = snake(resource)
  const wrappers = routes.flatMap(({ body }) => body?.wrapper?.name ?? [])
  const singular = noun.slice(0, -1)
  const wrapper = wrappers.includes(singular) ? singular : (wrappers[0] ?? singular)
  const usualPath = `/v1/${snake(resource.replace('.', '/*/'))}`
  const path = base === usualPath ? '' : `:${base.slice(3)}`
  const methods = routes.map(route => methodText(route, base, wrapper))
  const letters = methods.map(method => usual[method] ?? '').join('')
  const others = methods.filter(method => !usual[method])
  const head = resource + path + (wrapper === singular ? '' : `^${wrapper}`)
  return [head, ...(letters ? [letters] : []), ...others].join(' ')
}

/** A line per resource: its name, the usual methods as letters, the others with verb, path and input. */
export function tableText(routes: readonly Route[]): string {
  const resources = Map.groupBy(routes, route => splitName(route).resource)
  return [...resources].map(([resource, found]) => lineOf(resource, found)).join('\n')
}
