// Servers for comparison. Three are small: `bare` only answers, `single` inserts a row per request, and `grouped`
// records in groups like the service. `single service` has the routes of the service with one insert per request
// instead of the recorder. Each answers after its commit.

import { createServer } from 'node:http'
import type pg from 'pg'
import { noOutlook } from '#channels/outlook.ts'
import { readConfig } from '#config.ts'
import {
  createRecorder,
  type EventRecorder,
  type NewEvent,
  viewEvent,
} from '#features/measurement/events/index.ts'
import { insertEvents } from '#features/measurement/events/queries.ts'
import { recordSubmissions } from '#features/measurement/events/rules.ts'
import { findCredential } from '#features/workspace/api-keys/index.ts'
import { BearerAuthenticator } from '#kernel/api/bearer-keys.ts'
import { createMetrics } from '#kernel/api/metrics.ts'
import { newRow } from '#kernel/base/ids.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool } from '#kernel/db/db.ts'
import { buildHttp } from '#kernel/http/http.ts'
import { buildParts } from '#parts.ts'
import { routeTable } from '#routes.ts'

const { connection, kind, workspaceId, dataDir } = JSON.parse(process.argv[2] ?? '{}') as {
  connection: pg.ClientConfig
  kind: 'bare' | 'single' | 'grouped' | 'single service'
  workspaceId: string
  dataDir: string
}
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const headers = { 'content-type': 'image/gif', 'content-length': gif.length, 'cache-control': 'no-store' }
const log = createLog('info')
const openDb = () => openPool({ connection, size: 10, onError: () => undefined })
const ids = { signatureId: newRow().id, teammateId: newRow().id, emailId: newRow().id }

function newView(): NewEvent {
  const { id, now } = newRow()
  return { workspaceId, id, recordedAt: now, name: viewEvent, outcome: 'counted', country: 'PT', ...ids }
}

function servePixels(record: () => Promise<unknown> | undefined): void {
  const server = createServer((_request, response) => {
    const answer = () => void response.writeHead(200, headers).end(gif)
    const recording = record()
    if (recording) recording.then(answer, () => response.writeHead(503).end())
    else answer()
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  })
}

if (kind === 'bare') servePixels(() => undefined)
if (kind === 'single') {
  const db = openDb()
  servePixels(() => insertEvents(db, workspaceId, [newView()]))
}
if (kind === 'grouped') {
  const db = openDb()
  const recorder = createRecorder({ db, log, dataDir, spoolLimitMb: 10, metrics: createMetrics(db) })
  servePixels(() => recorder.record(newView()))
}
if (kind === 'single service') {
  const db = openDb()
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
  const http = buildHttp({
    routes,
    db,
    log,
    metrics,
    authenticators: [bearerKeys],
    rateLimit: null,
    corsOrigins: [],
    trustedProxies: [],
    publicUrl: 'http://localhost',
    isClosing: () => false,
    tls: null,
    requestTimeout: 60_000,
    answerTimeout: 60_000,
    queryTimeout: 10_000,
  })
  console.log(await http.listen({ host: '127.0.0.1', port: 0 }))
}
process.once('SIGTERM', () => process.exit(0))
