// The errors that a route can answer: those of every route of its kind, those of its schemas, and those that its
// feature lists.

import { isOfAccount, isOfWorkspace, type Route } from '#kernel/api/routes.ts'
import { allows, grantsOf, memberAccesses, roles } from '#kernel/api/scopes.ts'
import {
  catalogue,
  conflict,
  type Detail,
  type DetailCode,
  detail,
  detailCodes,
  isDetailCode,
  type RouteError,
} from '#kernel/base/errors.ts'
import { comparesVersions, takesIdempotencyKey } from '#kernel/http/preconditions.ts'
import { schemaDetails } from './detail-codes.ts'

const someRoleLacks = (scope: string): boolean =>
  roles.some(role => memberAccesses.some(memberAccess => !allows(grantsOf({ role, memberAccess }), scope)))

/** Problems with the fields that have them, where the document knows the fields. */
export const knownDetails = (route: Route): readonly Detail[] => [
  ...schemaDetails(route),
  ...(takesIdempotencyKey(route) ? [detail('Idempotency-Key', 'too_long')] : []),
]

/** In the order of the catalogue. */
function detailCodesOf(route: Route): readonly DetailCode[] {
  const codes = knownDetails(route).map(({ code }) => code)
  const possible = new Set<string>([...codes, ...(route.errors ?? [])])
  return Object.keys(detailCodes)
    .filter(isDetailCode)
    .filter(code => possible.has(code))
}

export function errorCodesOf(route: Route): readonly RouteError[] {
  const needsKey = isOfWorkspace(route.access)
  const needsAccount = isOfAccount(route.access)
  const isChecked = route.method !== 'GET' && route.access !== 'public' && !route.crossOrigin
  const needsScope = needsKey && route.access !== 'any key'
  const codes: readonly (readonly [boolean, readonly RouteError[]])[] = [
    [
      route.body !== undefined,
      ['malformed_json', 'request_timeout', 'payload_too_large', 'unsupported_media_type'],
    ],
    [needsKey, ['missing_api_key', 'invalid_api_key', 'expired_api_key']],
    [needsAccount, ['missing_session']],
    [needsAccount && !route.admitsSso, ['own_sign_in_required']],
    [needsKey || needsAccount, ['session_expired', 'rate_limited']],
    [needsKey || route.access === 'session', ['second_factor_required']],
    // `not_found`: the header Signoff-Workspace names no workspace of the account.
    [needsKey, ['sso_required', 'unverified_account', 'not_found']],
    [isChecked, ['cross_origin']],
    [needsScope, ['insufficient_scope']],
    [needsScope && (someRoleLacks(route.access) || route.leastRole !== undefined), ['insufficient_role']],
    [route.path.includes('{'), ['not_found']],
    [takesIdempotencyKey(route), ['idempotency_conflict']],
    [comparesVersions(route), ['stale_resource']],
    [true, (route.errors ?? []).filter(code => !isDetailCode(code))],
    [true, detailCodesOf(route)],
    [true, ['internal_error', 'unavailable']],
  ]
  return [...new Set(codes.flatMap(([applies, rowCodes]) => (applies ? rowCodes : [])))]
}

function statusOf(route: Route, code: RouteError): number {
  const isVersioned = comparesVersions(route) || route.versionAt === null
  if (code === 'stale_resource' && !isVersioned) return conflict.status
  return isDetailCode(code) ? catalogue.validation.status : catalogue[code].status
}

/** By status, in their order. */
export function errorsByStatus(route: Route): ReadonlyMap<number, readonly RouteError[]> {
  const groups = Map.groupBy(errorCodesOf(route), code => statusOf(route, code))
  return new Map([...groups].sort(([a], [b]) => a - b))
}
