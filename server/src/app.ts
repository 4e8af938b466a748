// The service as one list: which features there are, and what they need.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openApi } from '#api/openapi.ts'
import { type Operations, operationRoutes } from '#api/operations.ts'
import { referenceRoutes } from '#api/reference.ts'
import { analyticsRoutes, enqueueFold } from '#features/analytics/index.ts'
import { apiKeyRoutes, findCredential } from '#features/api-keys/index.ts'
import { assetRoutes, fileRoutes } from '#features/assets/index.ts'
import { auditLogRoutes } from '#features/audit-log/index.ts'
import { billingRoutes } from '#features/billing/index.ts'
import { enqueueMails } from '#features/campaign-mails/index.ts'
import { type CampaignDeps, campaignRoutes, pauseCampaignsOnlyFor } from '#features/campaigns/index.ts'
import { contentRoutes } from '#features/content/index.ts'
import { emailRoutes, type OnPeopleChange } from '#features/emails/index.ts'
import { beaconRoutes, createRecorder, type EventRecorder, eventRoutes } from '#features/events/index.ts'
import { feedbackRoutes } from '#features/feedback/index.ts'
import { folderRoutes } from '#features/folders/index.ts'
import { iconRoutes } from '#features/icons/index.ts'
import {
  enqueueReconcileBanners,
  enqueueReconcileEmails,
  enqueueReconcileReachedBy,
  enqueueReconcileSignature,
  enqueueReconcileWorkspace,
  installationRoutes,
  enqueueReconcileTeammates as queuePeople,
} from '#features/installations/index.ts'
import { integrationRoutes } from '#features/integrations/index.ts'
import { currentContent, liveRoutes } from '#features/live-signatures/index.ts'
import { invitationRoutes, pageRoutes, personalPageRoutes } from '#features/personal-pages/index.ts'
import { lockMembership, recipientRoutes, refreshTeammates } from '#features/recipients/index.ts'
import { type OnSignatureChange, signatureRoutes } from '#features/signatures/index.ts'
import { smartFieldRoutes } from '#features/smart-fields/index.ts'
import { lockTeammate, teammateRoutes } from '#features/teammates/index.ts'
import { createTracking, type TrackingDeps, trackingRoutes } from '#features/tracking/index.ts'
import { hasPersonalPage, workspaceRoutes } from '#features/workspaces/index.ts'
import { BearerAuthenticator } from '#kernel/bearer-keys.ts'
import type { Pool } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { buildHttp } from '#kernel/http.ts'
import type { Log } from '#kernel/log.ts'
import { createMetrics, type Metrics } from '#kernel/metrics.ts'
import type { Route } from '#kernel/routes.ts'
import { createPublicFetch } from '#platform/public-fetch.ts'
import { createThreadedScreenshots, type Screenshots } from '#platform/screenshots/index.ts'
import { createVault } from '#platform/secrets.ts'
import { createStore } from '#platform/storage/index.ts'
import type { Config } from './config.ts'

/** What routes reach beyond the database. */
interface Reach {
  readonly keysChanged: () => void
  readonly draw: Screenshots['draw']
  readonly now: () => Date
  readonly recorder: Omit<EventRecorder, 'close'>
  readonly count: TrackingDeps['count']
}
const absent = () => Promise.reject(apiError('unavailable'))

/** For whoever only reads the table. */
const nowhere: Reach = {
  keysChanged: () => undefined,
  draw: () => Promise.reject(apiError('preview_unavailable')),
  now: () => new Date(),
  recorder: { submit: absent, record: absent, recordWithin: absent },
  count: () => undefined,
}

/** Membership first, then what follows from it for mailboxes. */
export const peopleChanged: OnPeopleChange = async (tx, workspaceId, teammateIds, newEmailIds) => {
  await refreshTeammates(tx, workspaceId, teammateIds, newEmailIds)
  if (teammateIds.length > 0) await tx.query(queuePeople(workspaceId, teammateIds))
}

export const changed: OnSignatureChange = async (tx, { workspaceId, signatureId, emailIds, isGoing }) => {
  if (isGoing) await enqueueReconcileReachedBy(tx, workspaceId, signatureId)
  else if (emailIds) await tx.query(enqueueReconcileEmails(workspaceId, emailIds))
  else await tx.query(enqueueReconcileSignature(workspaceId, signatureId))
}

/** What campaigns tell the rest. Without a mail server nobody is mailed. */
export const campaignSettings = (
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  now = () => new Date(),
): CampaignDeps => ({
  now,
  onBannersChange: enqueueReconcileBanners,
  async onLive(tx, workspaceId, campaignId) {
    if (smtpUrl !== null) await tx.query(enqueueMails(workspaceId, campaignId))
  },
})

/** How signatures are drawn for mailboxes. */
export const drawingOf = (settings: Config) => ({
  publicUrl: settings.publicUrl,
  tracking: createTracking({ publicUrl: settings.publicUrl, keys: createVault(settings) }),
})

/** Everything under /v1 that wants a key. */
export function apiRoutes(
  settings: Config,
  { keysChanged, draw, now, recorder }: Reach = nowhere,
): readonly Route[] {
  const { publicUrl, smtpUrl, operatorEmail } = settings
  const sendsMail = smtpUrl !== null
  const drawing = drawingOf(settings)
  const campaigns = campaignSettings(settings, now)
  const mailsFeedback = sendsMail && operatorEmail !== null
  return [
    ...workspaceRoutes,
    ...teammateRoutes({ publicUrl, peopleChanged }),
    ...emailRoutes({ publicUrl, lockTeammate, peopleChanged }),
    ...recipientRoutes({ changed }),
    ...liveRoutes(drawing),
    ...installationRoutes(drawing),
    ...personalPageRoutes({ publicUrl }),
    ...invitationRoutes({ publicUrl, sendsMail }),
    ...signatureRoutes({
      publicUrl,
      draw,
      sendsMail,
      onChange: changed,
      variantsSupported: hasPersonalPage,
      holdRecipients: (tx, workspaceId) => lockMembership(tx, workspaceId, 'alone'),
      goes: (tx, by, signatureId) => pauseCampaignsOnlyFor(tx, by, signatureId, campaigns),
    }),
    ...campaignRoutes({ ...campaigns, publicUrl, draw, sendsMail }),
    ...smartFieldRoutes({ changed: (tx, workspaceId) => tx.query(enqueueReconcileWorkspace(workspaceId)) }),
    ...folderRoutes,
    ...assetRoutes({ publicUrl, store: createStore(settings), fetchPublic: createPublicFetch(settings) }),
    ...contentRoutes({ publicUrl, draw }),
    ...eventRoutes({ recorder }),
    ...analyticsRoutes,
    ...integrationRoutes,
    ...billingRoutes,
    ...feedbackRoutes({ mailsFeedback }),
    ...apiKeyRoutes(keysChanged),
    ...auditLogRoutes,
  ]
}

/** The whole table, as `signoff routes` prints it. */
export function routeTable(
  settings: Config,
  operations: Operations,
  reach: Reach = nowhere,
): readonly Route[] {
  const api = apiRoutes(settings, reach)
  const { sameViewSeconds, viewsPerMinute } = settings
  const { recorder, count } = reach
  const keys = createVault(settings)
  return [
    ...api,
    ...fileRoutes(createStore(settings)),
    ...iconRoutes,
    ...pageRoutes(drawingOf(settings)),
    ...trackingRoutes({ keys, recorder, sameViewSeconds, viewsPerMinute, count, currentContent }),
    ...beaconRoutes(reach),
    ...referenceRoutes(() => openApi(api)),
    ...operationRoutes(operations),
  ]
}

export interface AppDeps {
  readonly config: Config
  readonly db: Pool
  readonly log: Log
  /** The clock that campaigns go by. */
  readonly now?: () => Date
}

export interface App {
  readonly http: FastifyInstance
  readonly routes: readonly Route[]
  readonly metrics: Metrics
  /** From now on /readyz says yes. */
  open(): void
  /** From now on /readyz says no, and each answer closes its connection. */
  retire(): void
}

export function buildApp({ config, db, log, now = nowhere.now }: AppDeps): App {
  const metrics = createMetrics(db)
  const bearerKeys = new BearerAuthenticator(hash => findCredential(db, hash))
  let state: 'starting' | 'open' | 'retired' = 'starting'
  const operations = { db, metrics, isOpen: () => state === 'open' }
  const { tlsCert: cert, tlsKey: key } = config
  const pictures = createThreadedScreenshots({
    chromium: config.chromium,
    folder: join(config.dataDir, 'cache'),
    publicUrl: config.publicUrl,
    log,
    async load(path) {
      const { statusCode, rawPayload, headers } = await http.inject(path)
      return statusCode === 200 ? { body: rawPayload, contentType: String(headers['content-type']) } : null
    },
  })
  const { dataDir, spoolLimitMb } = config
  const recorded = () => {
    // Whoever folds looks by itself too, once a minute.
    db.query(enqueueFold()).catch(error => log.debug({ err: error }, 'nobody was told to fold'))
  }
  const recorder = createRecorder({ db, log, metrics, dataDir, spoolLimitMb, recorded })
  const routes = routeTable(config, operations, {
    keysChanged: () => bearerKeys.forget(),
    draw: pictures.draw,
    now,
    recorder,
    count: metrics.counter('signoff_tracking_total', 'Views and clicks, by outcome.', 'kind', 'outcome'),
  })
  const http = buildHttp({
    routes,
    db,
    log,
    metrics,
    authenticators: [bearerKeys],
    rateLimit: config.rateLimit,
    trustedProxies: config.trustedProxies ?? [],
    isClosing: () => state === 'retired',
    tls: cert && key ? { cert, key } : null,
    requestTimeout: config.requestTimeoutSeconds * 1_000,
    answerTimeout: config.answerTimeoutSeconds * 1_000,
    queryTimeout: config.queryTimeoutSeconds * 1_000,
  })
  http.addHook('onClose', () => pictures.close())
  http.addHook('onClose', () => recorder.close())
  return {
    http,
    routes,
    metrics,
    open() {
      state = 'open'
    },
    retire() {
      state = 'retired'
    },
  }
}
