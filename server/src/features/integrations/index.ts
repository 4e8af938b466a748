export {
  type ConnectedSystem,
  connectedSystems,
  disconnect,
  hasIntegration,
  insertEntities,
  insertIntegration,
  recordTrouble,
  resealSecret,
  saveSecret,
  sealedSecrets,
  systemsOfKinds,
} from './queries.ts'
export { integrationRoutes } from './routes.ts'
export {
  connectIntegration,
  disconnectIntegration,
  type IntegrationDeps,
  isManagedByDirectory,
  refuseIfManagedByDirectory,
} from './rules.ts'
