export {
  type ChannelName,
  type Connection,
  type Delivery,
  type DeliveryOutcome,
  deliveryModeOf,
  type FailedDelivery,
  failedDelivery,
  fetchChannels,
  type MailboxToRead,
  type NextStep,
  type PushChannel,
  type PushChannels,
  personalPage,
  type ReadOutcome,
  repairModes,
} from './channel.ts'
export { type DriftCode, driftCodes } from './drift/decide.ts'
export { FetchLog, type NotedFetch } from './fetches/fetch-log.ts'
export { installationJobs } from './jobs.ts'
export {
  type CopyableSignature,
  copyableSignature,
  recordCopy,
} from './personal-page-copies/rules.ts'
export { insertPastInstallations, type PastInstallation } from './queries.ts'
export { type QuotaGrant, takeQuota } from './quotas/queries.ts'
export {
  enqueueReconcileEmails,
  enqueueReconcileSignature,
  enqueueReconcileTeammates,
  enqueueReconcileWorkspace,
} from './reconcile/enqueue.ts'
export { scheduleReconcileReachedBy } from './reconcile/jobs.ts'
export { scheduleReconcileBanners } from './reconcile-banners/jobs.ts'
export { installationRoutes } from './routes.ts'
export { deleteOldTroubles } from './troubles/queries.ts'
export { reportableTroubles, TroubleLog } from './troubles/trouble-log.ts'
