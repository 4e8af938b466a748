// Refuses requests that a web page of a stranger could have caused by DNS rebinding: its name leads to this service,
// and the browser sends that name as Host, and the page as Origin.

import type { RequestClient } from '#kernel/api/routes.ts'
import { apiError } from '#kernel/base/errors.ts'

export interface OriginCheckOptions {
  readonly publicUrl: string
  readonly corsOrigins: readonly string[]
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

const nameIn = (address: string): string | null => (URL.canParse(address) ? new URL(address).hostname : null)

/** Allowed are the service's own address, this machine and the origins of SIGNOFF_CORS_ORIGINS. */
export function createOriginCheck({
  publicUrl,
  corsOrigins,
}: OriginCheckOptions): (headers: RequestClient['headers']) => void {
  const origins = new Set([new URL(publicUrl).origin, ...corsOrigins])
  const names = new Set([...origins].map(nameIn))
  const isKnownName = (name: string | null): boolean =>
    name !== null && (loopback.test(name) || names.has(name))
  const isKnownOrigin = (origin: string): boolean =>
    origins.has(origin) || loopback.test(nameIn(origin) ?? '')
  return ({ host, origin }) => {
    if (typeof host === 'string' && !isKnownName(nameIn(`http://${host}`)))
      throw apiError('origin_not_allowed', {
        message: 'This Host is not the address of the service: see SIGNOFF_PUBLIC_URL.',
      })
    if (origin !== undefined && !isKnownOrigin(String(origin)))
      throw apiError('origin_not_allowed', {
        message: 'Pages of this Origin are not allowed to call the service: see SIGNOFF_CORS_ORIGINS.',
      })
  }
}
