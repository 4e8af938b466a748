// How the relay, and the test of an integration, reach next hops.
import type { Config } from '#config.ts'
import { createAddressCheck, createHostCheck } from '#platform/public-fetch.ts'
import type { HopAccess } from '../settings/kind.ts'

export function hopAccessOf(config: Config): HopAccess {
  const { publicUrl, relayName, relayTlsCert, relayTlsKey, tlsCert, tlsKey, relayClientCa } = config
  const cert = relayTlsCert ?? tlsCert
  const key = relayTlsKey ?? tlsKey
  return {
    name: relayName ?? new URL(publicUrl).hostname,
    certificate: cert && key ? { cert, key } : null,
    ca: relayClientCa ? [relayClientCa] : null,
    canReach: createAddressCheck(config.privateTargets ?? []),
    canReachHost: createHostCheck(config.privateTargets ?? []),
  }
}
