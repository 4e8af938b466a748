// Requests of web pages of other origins: which origins can call the API from a browser.
import type { FastifyRequest } from 'fastify'

export type CorsHeaders = Readonly<Record<string, string>>

/** For routes that pages of any origin can call, without cookies. */
export const anyOrigin: CorsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After',
  'cross-origin-resource-policy': 'cross-origin',
}

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
  // Of the Model Context Protocol.
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
]
const responseHeaders = [
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Idempotent-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]

/** Browsers keep the answer to a preflight for this long. Chromium keeps it for two hours at most. */
const maxAgeSeconds = '7200'

export const preflightOfAnyOrigin = (methods: readonly string[], hasIdentity: boolean): CorsHeaders => ({
  ...anyOrigin,
  'access-control-allow-headers': hasIdentity ? 'Authorization, Content-Type, If-None-Match' : 'Content-Type',
  'access-control-max-age': '86400',
  'access-control-allow-methods': methods.join(', '),
})

/**
 * The headers of an API answer; null where no origin is allowed. The answer depends on the origin, so caches must not
 * give it to another one. There is no `Access-Control-Allow-Credentials`: the API key is a header of the page's own, and
 * pages of other origins must not use the cookie of a person who is signed in.
 */
export function createCors(
  origins: readonly string[],
): ((request: Pick<FastifyRequest, 'headers'>) => CorsHeaders) | null {
  if (origins.length === 0) return null
  const allowed = new Set(origins)
  return ({ headers: { origin } }) => ({
    vary: 'Origin',
    ...(origin !== undefined &&
      allowed.has(origin) && {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': responseHeaders.join(', '),
      }),
  })
}

export const preflightOfApi = (methods: readonly string[]): CorsHeaders => ({
  'access-control-allow-headers': requestHeaders.join(', '),
  'access-control-allow-methods': methods.join(', '),
  'access-control-max-age': maxAgeSeconds,
})
