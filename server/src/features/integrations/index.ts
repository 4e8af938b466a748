export {
  type ConnectedIntegration,
  connectedIntegrations,
  hasIntegration,
  insertEntities,
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
  refuseIfManagedByDirectory,
} from './rules.ts'
