// The service as one list: which features there are, and what they need.
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { apiKeyRoutes, findCredential } from './features/api-keys/index.ts'
import { auditLogRoutes } from './features/audit-log/index.ts'
import { billingRoutes } from './features/billing/index.ts'
import { emailRoutes } from './features/emails/index.ts'
import { feedbackRoutes } from './features/feedback/index.ts'
import { folderRoutes } from './features/folders/index.ts'
import { integrationRoutes } from './features/integrations/index.ts'
import { smartFieldRoutes } from './features/smart-fields/index.ts'
import { holdTeammate, teammateRoutes } from './features/teammates/index.ts'
import { workspaceRoutes } from './features/workspaces/index.ts'
import { createAuthenticator } from './kernel/auth.ts'
import type { Pool } from './kernel/db.ts'
import { buildHttp } from './kernel/http.ts'
import type { Log } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import type { Route } from './kernel/routes.ts'
import { openApi } from './openapi.ts'
import { type Operations, operationRoutes } from './operations.ts'
import { referenceRoutes } from './reference.ts'

type TableSettings = Pick<Config, 'publicUrl' | 'smtpUrl' | 'operatorEmail'>

/** Everything under /v1 that wants a key. */
export function apiRoutes(
  settings: TableSettings,
  keysChanged: () => void = () => undefined,
): readonly Route[] {
  const mailsFeedback = settings.smtpUrl !== null && settings.operatorEmail !== null
  return [
    ...workspaceRoutes,
    ...teammateRoutes(settings),
    ...emailRoutes({ ...settings, holdTeammate }),
    ...smartFieldRoutes,
    ...folderRoutes,
    ...integrationRoutes,
    ...billingRoutes,
    ...feedbackRoutes({ mailsFeedback }),
    ...apiKeyRoutes(keysChanged),
    ...auditLogRoutes,
  ]
}

/** The whole table, as `signoff routes` prints it. */
export function routeTable(
  settings: TableSettings,
  operations: Operations,
  keysChanged?: () => void,
): readonly Route[] {
  const api = apiRoutes(settings, keysChanged)
  return [...api, ...referenceRoutes(() => openApi(api)), ...operationRoutes(operations)]
}

export interface AppDeps {
  readonly config: Config
  readonly db: Pool
  readonly log: Log
}

export interface App {
  readonly http: FastifyInstance
  readonly routes: readonly Route[]
  /** From now on /readyz says yes. */
  open(): void
  /** From now on /readyz says no, and each answer closes its connection. */
  retire(): void
}

export function buildApp({ config, db, log }: AppDeps): App {
  const metrics = createMetrics(db)
  const authenticator = createAuthenticator(hash => findCredential(db, hash))
  let state: 'starting' | 'open' | 'retired' = 'starting'
  const operations = { metrics, isOpen: () => state === 'open' }
  const { tlsCert: cert, tlsKey: key } = config
  const routes = routeTable(config, operations, authenticator.forget)
  const http = buildHttp({
    routes,
    db,
    log,
    metrics,
    authenticator,
    rateLimit: config.rateLimit,
    trustedProxies: config.trustedProxies ?? [],
    isClosing: () => state === 'retired',
    tls: cert && key ? { cert, key } : null,
  })
  return {
    http,
    routes,
    open() {
      state = 'open'
    },
    retire() {
      state = 'retired'
    },
  }
}
