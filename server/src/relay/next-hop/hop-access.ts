// How the relay, and the test of an integration, reach next hops.
import type { Config } from '#config.ts'
import { createAddressCheck, createHostCheck } from '#platform/public-fetch.ts'
import type { RelaySettings } from '../settings/settings.ts'
import type { ClientCertificate } from './hop-socket.ts'

/** Settings by which the relay of this installation reaches next hops. */
export interface HopAccess {
  readonly name: string
  readonly certificate: ClientCertificate | null
  readonly ca: readonly Buffer[] | null
  /** True if the relay may connect to this IP address when an API client has named it. */
  readonly canReach: (address: string) => boolean
  /** The same for an IP address or a name, as far as that is known without DNS. */
  readonly canReachHost: (host: string) => boolean
}

export const hopOptionsOf = (
  { name, certificate, ca, canReach }: HopAccess,
  { isHopTrusted }: Pick<RelaySettings, 'isHopTrusted'>,
) => ({
  name,
  certificate,
  ...(ca && { ca }),
  canReach: isHopTrusted ? () => true : canReach,
})

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
