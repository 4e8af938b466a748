export {
  type ConnectedSystem,
  connectedSystems,
  disconnect,
  hasIntegration,
  insertEntities,
  insertIntegration,
  isDirectoryDriven,
  recordTrouble,
  resealSecret,
  saveSecret,
  sealedSecrets,
  systemsOfKinds,
} from './queries.ts'
export { integrationRoutes } from './routes.ts'
export { refuseIfDirectoryDriven } from './rules.ts'
