// The HTTP service: the parts of its process, and the app that serves the routes.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openOutlook } from '#connectors/microsoft/outlook.ts'
import { Dashboard } from '#dashboard/index.ts'
import { findSessionCredential, rememberWorkspace } from '#features/access/access/index.ts'
import { unknownPage } from '#features/access/sign-in-pages/index.ts'
import { createPublicPictures } from '#features/content/assets/index.ts'
import { enqueueFold } from '#features/measurement/analytics/index.ts'
import { createRecorder } from '#features/measurement/events/index.ts'
import { scimFormat } from '#features/people/scim/index.ts'
import { findCredential } from '#features/workspace/api-keys/index.ts'
import { countPending } from '#features/workspace/webhooks/index.ts'
import { BearerAuthenticator } from '#kernel/api/bearer-keys.ts'
import { createMetrics, type Metrics } from '#kernel/api/metrics.ts'
import type { Route } from '#kernel/api/routes.ts'
import { SessionAuthenticator, SessionCookie } from '#kernel/api/session-cookies.ts'
import type { Log } from '#kernel/base/log.ts'
import { createSharedCheck } from '#kernel/base/shared-check.ts'
import type { Pool } from '#kernel/db/db.ts'
import { buildHttp } from '#kernel/http/http.ts'
import { createThreadedScreenshots } from '#platform/screenshots/index.ts'
import type { Parts } from './parts.ts'
import { routeTable } from './routes.ts'

export interface AppDeps {
  readonly parts: Parts
  readonly db: Pool
  readonly log: Log
}

export interface App {
  readonly http: FastifyInstance
  readonly routes: readonly Route[]
  readonly metrics: Metrics
  /** Builds the dashboard, unless this version is built already. */
  startDashboard(): Promise<void>
  /** From now on /readyz answers 200. */
  open(): void
  /** From now on /readyz answers 503, and each response closes its connection. */
  retire(): void
}

export function buildApp({ parts, db, log }: AppDeps): App {
  const { config } = parts
  const metrics = createMetrics(db)
  const readPending = createSharedCheck(() => countPending({ query: db.probe }), 1_000)
  metrics.gauge(
    'signoff_webhook_deliveries_pending',
    'Deliveries to webhooks that wait for an attempt.',
    () => readPending(),
  )
  const bearerKeys = new BearerAuthenticator(hash => findCredential(db, hash))
  const sessions = new SessionAuthenticator({
    cookie: new SessionCookie(config.publicUrl),
    lookUp: hash => findSessionCredential(db, hash, parts.access),
    onChoice(session, workspaceId) {
      // The next request without the header takes the first workspace, if this fails.
      rememberWorkspace(db, session, workspaceId)
        .then(() => sessions.forget())
        .catch(error => log.debug({ err: error }, 'the chosen workspace was not stored'))
    },
  })
  let state: 'starting' | 'open' | 'retired' = 'starting'
  const operations = { db, metrics, isOpen: () => state === 'open', dataDir: config.dataDir }
  const { tlsCert: cert, tlsKey: key } = config
  const loadPublicPicture = createPublicPictures(parts.fetchPublic)
  const screenshots = createThreadedScreenshots({
    chromium: config.chromium,
    folder: join(config.dataDir, 'cache'),
    publicUrl: config.publicUrl,
    log,
    async load(address) {
      if (!address.startsWith('/')) return loadPublicPicture(address)
      const { statusCode, rawPayload, headers } = await http.inject(address)
      return statusCode === 200 ? { body: rawPayload, contentType: String(headers['content-type']) } : null
    },
  })
  const recorder = createRecorder({
    db,
    log,
    metrics,
    dataDir: config.dataDir,
    spoolLimitMb: config.spoolLimitMb,
    onRecord: () => {
      // The fold job also runs once a minute by itself.
      db.query(enqueueFold()).catch(error => log.debug({ err: error }, 'the fold job was not enqueued'))
    },
  })
  const dashboard = new Dashboard(config.dashboard === 'on')
  const outlook = openOutlook({ db, rendering: parts.rendering, log, dataDir: config.dataDir })
  const routes = routeTable(parts, operations, {
    log,
    dashboardState: dashboard.state,
    outlook,
    onKeyChange: () => bearerKeys.forget(),
    onSessionChange: () => sessions.forget(),
    draw: screenshots.draw,
    recorder,
    inject: request => http.inject(request),
    count: metrics.counter('signoff_tracking_total', 'Views and clicks, by outcome.', 'kind', 'outcome'),
  })
  const http = buildHttp({
    routes,
    db,
    log,
    metrics,
    authenticators: [bearerKeys, sessions],
    publicUrl: config.publicUrl,
    rateLimit: config.rateLimit,
    corsOrigins: config.corsOrigins ?? [],
    trustedProxies: config.trustedProxies ?? [],
    errorFormats: [scimFormat],
    anyCaseUnder: scimFormat.path,
    unknownPage,
    isClosing: () => state === 'retired',
    tls: cert && key ? { cert, key } : null,
    requestTimeout: config.requestTimeoutSeconds * 1_000,
    answerTimeout: config.answerTimeoutSeconds * 1_000,
    queryTimeout: config.queryTimeoutSeconds * 1_000,
  })
  http.addHook('onClose', async () => dashboard.stop())
  http.addHook('onClose', () => screenshots.close())
  http.addHook('onClose', () => recorder.close())
  http.addHook('onClose', () => outlook.close())
  return {
    http,
    routes,
    metrics,
    startDashboard: () => dashboard.start(config.dataDir, log),
    open() {
      state = 'open'
    },
    retire() {
      state = 'retired'
    },
  }
}
