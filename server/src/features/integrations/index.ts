export {
  type ConnectedIntegration,
  connectedIntegrations,
  hasIntegration,
  insertEntities,
  insertIntegration,
  integrationsOfKinds,
  markDisconnected,
  recordError,
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
  refuseIfManagedByDirectory,
} from './rules.ts'
