export {
  changeIntegration,
  createIntegration,
  testIntegration,
} from './connecting.ts'
export {
  addMembers,
  deleteGoneEntities,
  entitiesOf,
  markEntitiesGone,
  removeFromEntities,
  removeMembers,
  saveEntities,
} from './entities/queries.ts'
export type {
  Capability,
  IntegrationKind,
  IntegrationKinds,
  OpenIntegration,
  SentIntegration,
  TestStep,
} from './kinds.ts'
export {
  type ConnectedIntegration,
  connectedIntegrations,
  findConnected,
  hasChannelOfKinds,
  hasIntegration,
  insertIntegration,
  integrationsOfKinds,
  markDisconnected,
  resealSecret,
  saveSecret,
  sealedSecrets,
} from './queries.ts'
export { integrationRoutes } from './routes.ts'
export {
  connectIntegration,
  disconnectIntegration,
  type IntegrationDeps,
  isManagedByDirectory,
  recordError,
  recordSyncError,
  refuseIfManagedByDirectory,
} from './rules.ts'
export { directorySettings, directorySettingsOf } from './settings.ts'
export {
  bringSyncForward,
  countSyncFailure,
  directoriesOfKinds,
  dueDirectories,
  findDirectoryOfKind,
  findMainDirectory,
  findSyncState,
  forgetCursor,
  isDriving,
  lockSyncState,
  markExpansion,
  type SyncState,
  saveHeldRun,
  savePeopleCount,
  saveSyncOutcome,
  setNextSync,
} from './sync/queries.ts'
