// The SMTP relay: `startRelay` runs it, in `signoff relay` and inside `serve`. docs/internals/relay.md has the reasons.

export { type HopAccess, hopAccessOf } from './next-hop/hop-access.ts'
export { type RelayProcess, type RelayProcessDeps, startRelay } from './process.ts'
export { type ConnectorTarget, connectorSetup, connectorTargets } from './settings/connector-setup.ts'
export { relayKind } from './settings/kind.ts'
