// Requests that browsers send with a cookie: whether a page of this service has caused them (CSRF).
import type { IncomingHttpHeaders } from 'node:http'
import { apiError } from '#kernel/base/errors.ts'

/** Throws 403 unless a page of this service, or no page at all, has caused the request. */
export type SameOriginCheck = (headers: IncomingHttpHeaders, hasCookie: boolean) => void

/**
 * Browsers set both headers, and pages cannot change them. Old browsers, and all of them for plain http, send only
 * `Origin`. A request without either comes from a program; with a cookie it is refused all the same, because no browser
 * sends such a write.
 */
export function createSameOriginCheck(publicUrl: string): SameOriginCheck {
  const { origin: own, hostname, port } = new URL(publicUrl)
  // With PORT=0 the operating system chooses the port.
  const isOwn = (origin: string): boolean =>
    origin === own || (port === '0' && URL.canParse(origin) && new URL(origin).hostname === hostname)
  return ({ 'sec-fetch-site': site, origin }, hasCookie) => {
    if (site !== undefined) {
      if (site === 'same-origin' || site === 'none') return
    } else if (origin === undefined ? !hasCookie : isOwn(origin)) return
    throw apiError('cross_origin')
  }
}
