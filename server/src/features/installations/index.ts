export { bannersChanged } from './banners/jobs.ts'
export {
  emailsChanged,
  everythingChanged,
  peopleChanged,
  signatureChanged,
} from './changes.ts'
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
export { type CopyState, noteCopied, type ToCopy, toCopy } from './copied.ts'
export { type InstallationDeps, installationJobs, signatureGoing } from './jobs.ts'
export { type QuotaGrant, takeQuota } from './queries.ts'
export { installationRoutes } from './routes.ts'
