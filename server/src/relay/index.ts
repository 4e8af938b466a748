// The SMTP relay: `startRelay` runs it, in `signoff relay` and inside `serve`. docs/internals/relay.md has the reasons.

export { type ConnectorTarget, connectorSetup, connectorTargets } from './connector-setup.ts'
export { hopAccessOf } from './hop-access.ts'
export { type HopAccess, relayKind } from './kind.ts'
export { type RelayProcess, type RelayProcessDeps, startRelay } from './process.ts'
