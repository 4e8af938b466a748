// The HTTP service: the table of all routes, and the app that serves them.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { guideRoutes } from '#api/guides/index.ts'
import { homePage, iconRoute } from '#api/home.ts'
import { type McpDeps, mcpRoutes } from '#api/mcp.ts'
import { openApi } from '#api/openapi.ts'
import { type OperationDeps, operationRoutes } from '#api/operations.ts'
import { referenceRoutes } from '#api/reference.ts'
import { noOutlook, type OutlookProcess, openOutlook, outlookPages } from '#channels/outlook.ts'
import { Dashboard, type DashboardDeps, dashboardRoutes } from '#dashboard/index.ts'
import {
  accessRoutes,
  checkActsForOwner,
  findSessionCredential,
  isSetUp,
  linkRoutes,
  profileRoutes,
  rememberWorkspace,
  renewToken,
  setSessionWorkspace,
  signInRoutes,
} from '#features/access/index.ts'
import { analyticsRoutes, enqueueFold } from '#features/analytics/index.ts'
import { apiKeyRoutes, findCredential } from '#features/api-keys/index.ts'
import { assetRoutes, createPhotos, createPublicPictures, fileRoutes } from '#features/assets/index.ts'
import { auditLogRoutes } from '#features/audit-log/index.ts'
import { billingRoutes } from '#features/billing/index.ts'
import { brandRoutes } from '#features/brand/index.ts'
import { campaignRoutes } from '#features/campaigns/index.ts'
import { type ChecklistDeps, checklistRoutes } from '#features/checklist/index.ts'
import { contactCardRoutes } from '#features/contact-cards/index.ts'
import { contentRoutes } from '#features/content/index.ts'
import { contentImportRoutes } from '#features/content-import/index.ts'
import { directoryRoutes, type SyncRuleDeps } from '#features/directories/index.ts'
import { emailRoutes } from '#features/emails/index.ts'
import { beaconRoutes, createRecorder, type EventRecorder, eventRoutes } from '#features/events/index.ts'
import { feedbackRoutes } from '#features/feedback/index.ts'
import { folderRoutes } from '#features/folders/index.ts'
import { iconRoutes } from '#features/icons/index.ts'
import { importRoutes, TableReader } from '#features/imports/index.ts'
import { installationRoutes } from '#features/installations/index.ts'
import { integrationRoutes, testIntegration } from '#features/integrations/index.ts'
import { currentContent, liveRoutes } from '#features/live-signatures/index.ts'
import { invitationAcceptRoutes, memberRoutes } from '#features/members/index.ts'
import { type TokenDeps, tokenRoutes } from '#features/outlook/index.ts'
import { invitationRoutes, pageRoutes, personalPageRoutes } from '#features/personal-pages/index.ts'
import { previewRoutes } from '#features/previews/index.ts'
import { peopleWithSignature, recipientRoutes } from '#features/recipients/index.ts'
import { relayRoutes } from '#features/relay/index.ts'
import { scimFormat, scimRoutes } from '#features/scim/index.ts'
import {
  factorSignInRoutes,
  relyingPartyOf,
  removeSecondFactors,
  secondFactorRoutes,
} from '#features/second-factors/index.ts'
import { signedInName, signInPageRoutes, unknownPage } from '#features/sign-in-pages/index.ts'
import { countPendingRequests, signatureRoutes } from '#features/signatures/index.ts'
import { smartFieldRoutes } from '#features/smart-fields/index.ts'
import {
  connectionChoices,
  connectionChoicesFor,
  hasActiveConnections,
  ssoRoutes,
  ssoSignInRoutes,
} from '#features/sso/index.ts'
import { countPendingChanges, lockTeammate, teammateRoutes } from '#features/teammates/index.ts'
import { templateFileRoutes, templateRoutes } from '#features/templates/index.ts'
import { type TrackingDeps, trackingRoutes } from '#features/tracking/index.ts'
import { countPending, webhookRoutes } from '#features/webhooks/index.ts'
import { workspaceCreationRoutes, workspaceRoutes } from '#features/workspaces/index.ts'
import { BearerAuthenticator } from '#kernel/bearer-keys.ts'
import type { Pool } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { buildHttp } from '#kernel/http.ts'
import type { Log } from '#kernel/log.ts'
import { createMetrics, type Metrics } from '#kernel/metrics.ts'
import type { Route } from '#kernel/routes.ts'
import { SessionAuthenticator, SessionCookie } from '#kernel/session-cookies.ts'
import { createSharedCheck } from '#kernel/shared-check.ts'
import { createThreadedScreenshots, type Screenshots } from '#platform/screenshots/index.ts'
import type { Parts } from './parts.ts'

/** Parts of one process that routes need: the browser for screenshots, the event recorder, caches. */
export interface ProcessParts extends Pick<McpDeps, 'inject'> {
  readonly log: Pick<Log, 'info' | 'error'>
  readonly onKeyChange: () => void
  readonly onSessionChange: () => void
  readonly draw: Screenshots['draw']
  readonly recorder: Omit<EventRecorder, 'close'>
  readonly count: TrackingDeps['count']
  readonly dashboardState: DashboardDeps['stateOf']
  readonly outlook: OutlookProcess
}

const unavailable = () => Promise.reject(apiError('unavailable'))

/** For commands that print the route table and serve no request. */
const noProcess: ProcessParts = {
  log: { info: () => undefined, error: () => undefined },
  onKeyChange: () => undefined,
  onSessionChange: () => undefined,
  draw: () => Promise.reject(apiError('preview_unavailable')),
  recorder: { submit: unavailable, record: unavailable, recordWithin: unavailable },
  count: () => undefined,
  dashboardState: () => ({ status: 'off' }),
  outlook: noOutlook,
  inject: unavailable,
}

/** The checklist shows no larger number. */
const mostApprovals = 1_000

const countApprovals: ChecklistDeps['countApprovals'] = async (db, workspaceId) => ({
  profile_changes: await countPendingChanges(db, workspaceId, mostApprovals),
  publication_requests: await countPendingRequests(db, workspaceId, mostApprovals),
})

/** What a request to read a directory needs; the command line uses it too. */
export const syncDeps = ({ config, directories, integrations }: Parts): SyncRuleDeps => ({
  publicUrl: config.publicUrl,
  directories,
  kinds: [...directories.values()].filter(({ isScheduled }) => isScheduled).map(({ kind }) => kind),
  async accessProblem(db, by, integrationId) {
    const failed = (await testIntegration(db, by, integrationId, integrations)).find(({ ok }) => !ok)
    return failed ? `${failed.message} ${failed.remedy ?? ''}`.trim() : null
  },
})

/** What tokens of the Outlook add-in need; the command line uses it too. */
export const tokenDeps = ({ config, vault }: Parts): TokenDeps => ({
  publicUrl: config.publicUrl,
  sealSecret: vault.seal,
  openSecret: vault.open,
})

/** The routes under /v1, which need an API key or a session. */
export function apiRoutes(
  parts: Parts,
  { onKeyChange, onSessionChange, draw, recorder, outlook }: ProcessParts = noProcess,
): readonly Route[] {
  const { config, rendering, store, fetchPublic, signatures, campaigns, onPeopleChange } = parts
  const { publicUrl, operatorEmail } = config
  const { cards } = rendering
  const sendsMail = config.smtpUrl !== null
  return [
    ...workspaceRoutes(parts.workspaces),
    ...checklistRoutes({ sendsMail, countApprovals }),
    ...accessRoutes({ ...parts.access, onSessionChange }),
    ...profileRoutes(onSessionChange),
    ...workspaceCreationRoutes({
      allowed: config.workspaceCreation,
      async moveSession(tx, sessionId, workspaceId) {
        await tx.query(setSessionWorkspace(sessionId, workspaceId))
        return renewToken(tx, sessionId, parts.access)
      },
      onChange: onSessionChange,
    }),
    ...memberRoutes(parts.members, () => {
      onKeyChange()
      onSessionChange()
    }),
    ...secondFactorRoutes({ ...parts.secondFactors, onSessionChange }),
    ...ssoRoutes({ ...parts.sso, onSessionChange }),
    ...brandRoutes(parts.brand),
    ...teammateRoutes({ publicUrl, store, fetchPublic, onPeopleChange, sendsMail, peopleWithSignature }),
    ...importRoutes({
      publicUrl,
      onPeopleChange,
      reader: new TableReader(),
      directories: parts.directories,
      openSecret: parts.vault.open,
    }),
    ...emailRoutes({ publicUrl, lockTeammate, onPeopleChange: onPeopleChange }),
    ...recipientRoutes({ onChange: signatures.onChange }),
    ...liveRoutes(rendering),
    ...installationRoutes(rendering),
    ...personalPageRoutes({ publicUrl }),
    ...invitationRoutes({ publicUrl, sendsMail }),
    ...signatureRoutes({ ...rendering, ...signatures }),
    ...previewRoutes({ ...rendering, draw, sendsMail }),
    ...templateRoutes({ publicUrl }),
    ...campaignRoutes({ ...campaigns, publicUrl, cards, draw, sendsMail }),
    ...smartFieldRoutes(parts.smartFields),
    ...folderRoutes,
    ...assetRoutes({ publicUrl, store, fetchPublic }),
    ...contentRoutes,
    ...contentImportRoutes({ publicUrl, cards, store, fetchPublic }),
    ...eventRoutes({ recorder }),
    ...analyticsRoutes,
    ...integrationRoutes(parts.integrations),
    ...relayRoutes,
    ...tokenRoutes(tokenDeps(parts), outlook.deployments.forget),
    ...directoryRoutes(syncDeps(parts)),
    ...webhookRoutes(parts.webhooks),
    ...billingRoutes({ publicUrl, store }),
    ...feedbackRoutes({ mailsFeedback: sendsMail && operatorEmail !== null }),
    ...apiKeyRoutes({ onChange: onKeyChange, checkActsForOwner }),
    ...auditLogRoutes,
  ]
}

/** All routes, as `signoff routes` prints them. */
export function routeTable(
  parts: Parts,
  operations: OperationDeps,
  processParts: ProcessParts = noProcess,
): readonly Route[] {
  const { config, store, rendering, vault } = parts
  const api = apiRoutes(parts, processParts)
  const { sameViewSeconds, viewsPerMinute } = config
  const { recorder, count, onSessionChange, log } = processParts
  const secondFactors = { ...parts.secondFactors, onSessionChange }
  return [
    ...api,
    ...fileRoutes(store),
    ...iconRoutes,
    ...templateFileRoutes({ publicUrl: config.publicUrl, draw: processParts.draw }),
    ...pageRoutes({
      rendering,
      teammates: {
        publicUrl: config.publicUrl,
        store,
        fetchPublic: parts.fetchPublic,
        onPeopleChange: parts.onPeopleChange,
        peopleWithSignature,
      },
      sendsMail: config.smtpUrl !== null,
    }),
    ...trackingRoutes({
      publicUrl: config.publicUrl,
      keys: vault,
      recorder,
      sameViewSeconds,
      viewsPerMinute,
      count,
      currentContent,
    }),
    ...contactCardRoutes({ keys: vault, photoOf: createPhotos(store) }),
    ...outlookPages(processParts.outlook, { publicUrl: config.publicUrl, rendering, vault, store }),
    ...beaconRoutes(processParts),
    ...signInRoutes({ ...parts.access, onSessionChange }),
    ...ssoSignInRoutes({ ...parts.sso, onSessionChange, log }),
    ...invitationAcceptRoutes(parts.members, onSessionChange),
    ...factorSignInRoutes(secondFactors),
    ...linkRoutes({
      ...secondFactors,
      removeSecondFactors: (tx, accountId, by) => removeSecondFactors(tx, accountId, secondFactors, by),
    }),
    ...signInPageRoutes({
      access: parts.access,
      hasPasskeys: relyingPartyOf(config.publicUrl) !== null,
      inject: processParts.inject,
      onSessionChange,
      hasSso: hasActiveConnections,
      ssoChoicesFor: connectionChoicesFor,
      ssoChoicesIn: connectionChoices,
    }),
    iconRoute,
    ...dashboardRoutes({
      publicUrl: config.publicUrl,
      stateOf: processParts.dashboardState,
      isSetUp: db => isSetUp(db, parts.secondFactors),
      home: homePage((db, client) => signedInName(db, client, parts.access)),
    }),
    ...guideRoutes(config),
    ...referenceRoutes(() => openApi(api)),
    ...mcpRoutes({
      ...processParts,
      onFault: error => log.error({ err: error }, 'a request of the Model Context Protocol failed'),
      routes: api,
      publicUrl: config.publicUrl,
      corsOrigins: config.corsOrigins ?? [],
    }),
    ...scimRoutes({ publicUrl: config.publicUrl, onPeopleChange: parts.onPeopleChange }),
    ...operationRoutes(operations),
  ]
}

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
