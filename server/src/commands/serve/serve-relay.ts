// `signoff relay`: the SMTP relay as a process of its own, with /metrics and /healthz on a port of their own.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type Config, readConfig } from '#config.ts'
import { renderDepsOf } from '#features/signatures/live-signatures/index.ts'
import type { Metrics } from '#kernel/api/metrics.ts'
import { createLog, flushLog } from '#kernel/base/log.ts'
import type { Pool } from '#kernel/db/db.ts'
import { createVault } from '#platform/secrets.ts'
import { startRelay } from '#relay/index.ts'
import { CommandError, print } from '../context.ts'
import { openUnlessStopped, stopTimeouts, watchForStop } from './stopping.ts'

export async function serveRelay(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const { stopped, interrupted, onLost } = watchForStop()
  const user = `signoff relay (process ${process.pid})`
  const database = await openUnlessStopped({ config, log, user, interrupted, onLost })
  if (!database) return
  const { db, close } = database
  try {
    const metrics = await metricsOf(config, db)
    const vault = createVault(config)
    const rendering = renderDepsOf({ publicUrl: config.publicUrl, keys: vault })
    const relay = await startRelay({ config, vault, rendering, db, log, metrics })
    const operations = await serveMetrics(config, metrics)
    const ports = relay.tlsPort === null ? `${relay.port}` : `${relay.port}, with TLS ${relay.tlsPort}`
    print(`The relay listens on port ${ports}.`)

    const { why, isLost } = await stopped
    log.info({ reason: why }, 'stopping')
    operations?.close()
    operations?.closeAllConnections()
    await relay.stop(stopTimeouts.messages)
    if (isLost) throw new CommandError(`Stopped: ${why}.`)
  } finally {
    await close(stopTimeouts.statements)
    await flushLog(log)
  }
}

const uncounted: Metrics = {
  contentType: '',
  observe: () => undefined,
  counter: () => () => undefined,
  histogram: () => () => undefined,
  gauge: () => undefined,
  text: async () => '',
}

/** Counting takes 8 MB of memory: where the numbers are not served, they are not counted. */
const metricsOf = async ({ relayMetricsPort }: Config, db: Pool): Promise<Metrics> =>
  relayMetricsPort === null ? uncounted : (await import('#kernel/api/metrics.ts')).createMetrics(db)

/** The same texts as `serve` gives. Null: no port is set. */
async function serveMetrics(config: Config, metrics: Metrics): Promise<Server | null> {
  const { relayMetricsPort: port, host } = config
  if (port === null) return null
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0]
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || (path !== '/metrics' && path !== '/healthz')) response.writeHead(404).end()
    else if (path === '/healthz')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
    else response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text())
  })
  server.requestTimeout = 10_000
  server.listen(port, host)
  await once(server, 'listening').catch(error => {
    throw new CommandError(`HOST and SIGNOFF_RELAY_METRICS_PORT: ${error.message}.`)
  })
  return server
}
