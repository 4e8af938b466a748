// The route table as text that is small in a bundle. `src/client.ts` reads it.
import { isWrite, type Route } from '../../server/src/kernel/api/routes.ts'

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
  'list=G+': 'L',
  'create=P^': 'C',
  'get=G/*': 'G',
  'update=A/*^': 'U',
  'delete=D/*': 'D',
  'get=G': 'S',
  'update=A^': 'E',
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
  const where = path !== '/*~' ? `=${verb}${path}` : verb === 'P' ? '' : `:${verb}`
  return method + where + inputOf(route, wrapper)
}

const isUnder = (base: string, routes: readonly Route[]): boolean =>
  routes.every(({ path }) => starred(path).startsWith(base))

/** The first part of the line and the path of a resource: with an id of the outer one, without, or with its own path. */
function headOf(
  resource: string,
  routes: readonly Route[],
): { readonly head: string; readonly base: string } {
  const [noun = '', inner] = resource.split('.')
  const [outer, name, links] = inner ? [`/v1/${snake(noun)}`, inner, ['.', '/']] : ['/v1', noun, ['']]
  const baseOf = (link: string) => `${outer}${link === '.' ? '/*' : ''}/`
  for (const link of links) {
    const base = baseOf(link) + snake(name)
    if (isUnder(base, routes)) return { head: link + name, base }
  }
  const link = links.find(each => isUnder(baseOf(each), routes))
  if (link === undefined) throw new Error(`${resource} is outside of ${outer}`)
  const base = commonPath(routes.map(({ path }) => starred(path)))
  return { head: `${link}${name}:${base.slice(baseOf(link).length)}`, base }
}

function lineOf(resource: string, routes: readonly Route[]): string {
  const { head, base } = headOf(resource, routes)
  const wrapper = snake(resource.replace(/.*\./, '')).replace(/s$/, '')
  const methods = routes.map(route => methodText(route, base, wrapper))
  const letters = methods.map(method => usual[method] ?? '').join('')
  const others = methods.filter(method => !usual[method])
  return [head, ...(letters ? [letters] : []), ...others].join(' ')
}

/** A line per resource: its name, the usual methods as letters, the others with verb, path and input. */
export function tableText(routes: readonly Route[]): string {
  const nouns = Map.groupBy(routes, route => splitName(route).resource.split('.')[0] ?? '')
  return [...nouns]
    .flatMap(([noun, found]) => {
      const inner = Map.groupBy(found, route => splitName(route).resource)
      const own = inner.get(noun)
      inner.delete(noun)
      return [own ? lineOf(noun, own) : noun, ...[...inner].map(([resource, all]) => lineOf(resource, all))]
    })
    .join('\n')
}
