export { enqueueReconcileBanners } from './banners/jobs.ts'
export {
  type ChannelName,
  type Connection,
  channelNames,
  type Delivery,
  type DeliveryOutcome,
  failedDelivery,
  type PushChannel,
  type PushChannels,
  personalPage,
} from './channel.ts'
export { enqueueReconcileReachedBy, type InstallationDeps, installationJobs } from './jobs.ts'
export {
  type CopyableSignature,
  type CopyState,
  copyableSignature,
  recordCopy,
} from './personal-page-copies.ts'
export {
  enqueueReconcileEmails,
  enqueueReconcileSignature,
  enqueueReconcileTeammates,
  enqueueReconcileWorkspace,
} from './reconcile/enqueue.ts'
export { type QuotaGrant, takeQuota } from './reconcile/queries.ts'
export { installationRoutes } from './routes.ts'
