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
export {
  bannersChanged,
  emailsChanged,
  everythingChanged,
  type InstallationDeps,
  installationJobs,
  peopleChanged,
  signatureChanged,
  signatureGoing,
} from './jobs.ts'
export { type QuotaGrant, takeQuota } from './queries.ts'
export { installationRoutes } from './routes.ts'
