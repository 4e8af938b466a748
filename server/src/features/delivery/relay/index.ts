export { relayJobs } from './jobs.ts'
export {
  claimedSenders,
  hasRelayMessages,
  insertRelayMessages,
  lockRelayClaims,
  type RelayedMessage,
  type StoredRelay,
  senderAt,
  storedRelays,
} from './queries.ts'
export { relayRoutes } from './routes.ts'
export { type RelayedMail, type RelayOutcome, relayedMails } from './schemas.ts'
