export { bannersChanged } from './banners/jobs.ts'
export {
  type ChannelName,
  type Connection,
  channelNames,
  failed,
  type Outcome,
  type Parcel,
  type PushChannel,
  type PushChannels,
  personalPage,
} from './channel.ts'
export { type InstallationDeps, installationJobs, signatureGoing } from './jobs.ts'
export { type CopyState, noteCopied, type ToCopy, toCopy } from './personal-page-copies.ts'
export {
  emailsChanged,
  everythingChanged,
  peopleChanged,
  signatureChanged,
} from './reconcile/enqueue.ts'
export { type QuotaGrant, takeQuota } from './reconcile/queries.ts'
export { installationRoutes } from './routes.ts'
