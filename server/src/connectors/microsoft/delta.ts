// The pages of a delta query: what there is, or what has changed since a link that Microsoft gave.
import { DirectoryError } from '#features/people/directories/index.ts'
import { endpointsOf } from './clouds.ts'
import { type GraphAccess, type GraphPermission, readGraph, refusalOf } from './graph.ts'

export type GraphObject = Readonly<Record<string, unknown>>

export const graphObjects = (value: unknown): readonly GraphObject[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'object' && item !== null) : []

/** Microsoft does not know the link any more, or wants everything to be read again. */
export class DeltaExpired extends Error {}

export interface DeltaPage {
  readonly items: readonly GraphObject[]
  /** Start of the next round, on the last page only; null also when it is at another address. */
  readonly deltaLink: string | null
}

/** More pages than any tenant has: a list of links without an end must not hold a run for hours. */
const maxPages = 20_000

/** The path of a link; null for one that leads elsewhere. It is not followed: the request would take the token along. */
function pathOfLink(link: string, { settings }: GraphAccess): string | null {
  const { graph, graphName } = endpointsOf(settings)
  const href = URL.canParse(link) ? new URL(link).href.replace(/#.*/, '') : ''
  for (const base of [graph, graphName]) {
    const prefix = new URL(base).href.replace(/\/$/, '')
    if (href.startsWith(`${prefix}/v1.0/`)) return href.slice(prefix.length)
  }
  return null
}

const textOr = (value: unknown, otherwise: string | null): string | null =>
  typeof value === 'string' && value !== '' ? value : otherwise

/** `link` is null for the beginning. Throws DeltaExpired. */
export async function* deltaPages(
  resource: 'users' | 'groups',
  select: readonly string[],
  link: string | null,
  access: GraphAccess,
  permission: GraphPermission,
): AsyncGenerator<DeltaPage> {
  const first = `/v1.0/${resource}/delta?$select=${select.join(',')}`
  const begin = link === null ? first : pathOfLink(link, access)
  if (begin === null) throw new DeltaExpired('The stored link leads to another address.')
  let path = begin
  for (let page = 0; page < maxPages; page++) {
    const answer = await readGraph(path, access, {
      permission,
      // The first request has no token that could have expired.
      statuses: path === first ? [] : [400, 404, 410],
      isComplete: ({ body }) =>
        Array.isArray(body.value) &&
        (textOr(body['@odata.nextLink'], null) ?? textOr(body['@odata.deltaLink'], null)) !== null,
    })
    if (answer.status !== 200) throw new DeltaExpired(refusalOf(answer))
    const next = textOr(answer.body['@odata.nextLink'], null)
    const last = next === null ? textOr(answer.body['@odata.deltaLink'], null) : null
    const deltaLink = last !== null && pathOfLink(last, access) !== null ? last : null
    yield { items: graphObjects(answer.body.value), deltaLink }
    if (next === null) return
    const nextPath = pathOfLink(next, access)
    if (nextPath === null)
      throw new DirectoryError('invalid_answer', 'Microsoft named a next page at another address.')
    if (nextPath === path) break
    path = nextPath
  }
  throw new DirectoryError('invalid_answer', 'The pages of Microsoft have no end.')
}
