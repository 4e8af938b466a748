// The errors that a route can answer: those of every route of its kind, and those that its feature lists.
import { catalogue, type RouteError } from '#kernel/errors.ts'
import { isWrite, type Route } from '#kernel/routes.ts'

export const comparesVersions = ({ method, versionAt }: Route): boolean =>
  method === 'PATCH' || method === 'DELETE' || versionAt !== undefined

export const takesIdempotencyKey = (route: Route): boolean =>
  route.access !== 'public' && route.method === 'POST' && isWrite(route)

export function errorCodesOf(route: Route): readonly RouteError[] {
  const needsKey = route.access !== 'public'
  const codes: readonly (readonly [boolean, readonly RouteError[]])[] = [
    [
      route.body !== undefined,
      ['malformed_json', 'request_timeout', 'payload_too_large', 'unsupported_media_type'],
    ],
    [needsKey, ['missing_api_key', 'invalid_api_key', 'expired_api_key', 'rate_limited']],
    [needsKey && route.access !== 'any key', ['insufficient_scope', 'insufficient_role']],
    [route.path.includes('{'), ['not_found']],
    [takesIdempotencyKey(route), ['idempotency_conflict', 'validation']],
    [needsKey && comparesVersions(route), ['stale_resource']],
    [route.body !== undefined || route.query !== undefined, ['validation']],
    [true, route.errors ?? []],
    [true, ['internal_error', 'unavailable']],
  ]
  return [...new Set(codes.flatMap(([applies, found]) => (applies ? found : [])))]
}

/** By status, in their order. */
export function errorsByStatus(route: Route): ReadonlyMap<number, readonly RouteError[]> {
  const groups = Map.groupBy(errorCodesOf(route), code => catalogue[code].status)
  return new Map([...groups].sort(([a], [b]) => a - b))
}
