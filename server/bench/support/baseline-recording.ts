// Servers for comparison: `bare` answers with a picture and does nothing else; `single service` has the routes of the
// service with one insert per request instead of the recorder, and answers after its commit.
import { createServer } from 'node:http'
import type pg from 'pg'
import { readConfig } from '#config.ts'
import { noOutlook } from '#connectors/microsoft/outlook.ts'
import type { EventRecorder, NewEvent } from '#features/measurement/events/index.ts'
import { insertEvents } from '#features/measurement/events/queries.ts'
import { recordSubmissions } from '#features/measurement/events/rules.ts'
import { findCredential } from '#features/workspace/api-keys/index.ts'
import { BearerAuthenticator } from '#kernel/api/bearer-keys.ts'
import { createMetrics } from '#kernel/api/metrics.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool } from '#kernel/db/db.ts'
import { buildHttp } from '#kernel/http/http.ts'
import { buildParts } from '#parts.ts'
import { routeTable } from '#routes.ts'
import { plainHttp } from '#test/support/http.ts'

const { connection, kind, dataDir } = JSON.parse(process.argv[2] ?? '{}') as {
  connection: pg.ClientConfig
  kind: 'bare' | 'single service'
  dataDir: string
}
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const headers = { 'content-type': 'image/gif', 'content-length': gif.length, 'cache-control': 'no-store' }
const log = createLog('info')

if (kind === 'bare') {
  const server = createServer((_request, response) => response.writeHead(200, headers).end(gif))
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  })
}
if (kind === 'single service') {
  const db = openPool({ connection, size: 10, onError: () => undefined })
  const metrics = createMetrics(db)
  const bearerKeys = new BearerAuthenticator(hash => findCredential(db, hash))
  const insert = (event: NewEvent) => insertEvents(db, event.workspaceId, [event])
  const recorder: Omit<EventRecorder, 'close'> = {
    record: async event => void (await insert(event)),
    recordWithin: async (_milliseconds, event) => Boolean(await insert(event)),
    submit: submissions => recordSubmissions(db, submissions[0]?.workspaceId ?? '', submissions),
  }
  const routes = routeTable(
    buildParts(readConfig({ SIGNOFF_DATA_DIR: dataDir, SIGNOFF_VIEWS_PER_MINUTE: '1000000' })),
    { db, metrics, isOpen: () => true, dataDir },
    {
      dashboardState: () => ({ status: 'off' }),
      outlook: noOutlook,
      onSessionChange: () => undefined,
      onKeyChange: () => bearerKeys.forget(),
      draw: () => Promise.reject(new Error('this server takes no screenshots')),
      recorder,
      count: metrics.counter('signoff_tracking_total', 'Views and clicks, by outcome.', 'kind', 'outcome'),
      inject: () => Promise.reject(new Error('this server has no tools')),
      log,
    },
  )
  const http = buildHttp({ routes, db, log, metrics, authenticators: [bearerKeys], ...plainHttp })
  console.log(await http.listen({ host: '127.0.0.1', port: 0 }))
}
process.once('SIGTERM', () => process.exit(0))
