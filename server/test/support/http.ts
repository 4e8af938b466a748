// Serves a test's own route table with the real HTTP server. Its database is never queried.
import type { AddressInfo } from 'node:net'
import { BearerAuthenticator } from '#kernel/api/bearer-keys.ts'
import { createMetrics } from '#kernel/api/metrics.ts'
import type { Route } from '#kernel/api/routes.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool } from '#kernel/db/db.ts'
import { buildHttp, type HttpOptions } from '#kernel/http/http.ts'
import { afterFile } from './after-file.ts'

/** An HTTP server without limits, proxies and TLS. */
export const plainHttp = {
  rateLimit: null,
  corsOrigins: [],
  trustedProxies: [],
  publicUrl: 'http://localhost',
  isClosing: () => false,
  tls: null,
  requestTimeout: 60_000,
  answerTimeout: 60_000,
  queryTimeout: 10_000,
} satisfies Partial<HttpOptions>

/** Returns the port on 127.0.0.1. */
export async function serveRoutes(
  routes: readonly Route[],
  options: Partial<Pick<HttpOptions, 'log' | 'tls' | 'requestTimeout'>> = {},
): Promise<number> {
  const db = openPool({
    connection: { host: '127.0.0.1', port: 1, database: 'none' },
    size: 1,
    onError: () => undefined,
  })
  const http = buildHttp({
    routes,
    db,
    log: createLog('silent'),
    metrics: createMetrics(db),
    authenticators: [new BearerAuthenticator(async () => null)],
    ...plainHttp,
    ...options,
  })
  await http.listen({ host: '127.0.0.1', port: 0 })
  afterFile(async () => {
    http.server.closeAllConnections()
    await http.close()
    await db.end()
  })
  return (http.server.address() as AddressInfo).port
}
