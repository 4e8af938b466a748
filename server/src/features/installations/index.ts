export {
  type ChannelName,
  type Connection,
  channelNames,
  type Outcome,
  type Parcel,
  type PushChannel,
  type PushChannels,
} from './channel.ts'
export { type CopyState, noteCopied, type ToCopy, toCopy } from './copied.ts'
export type { Place } from './desired.ts'
export {
  bannersChanged,
  everythingChanged,
  type InstallationDeps,
  installationJobs,
  peopleChanged,
  signatureChanged,
} from './jobs.ts'
export { type QuotaGrant, takeQuota } from './queries.ts'
export { installationRoutes } from './routes.ts'
