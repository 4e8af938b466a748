// Connections of clients that are not known by their addresses, until they show a certificate. They are limited, so that
// scanners cannot keep mail servers out; and limited per network, so that one network cannot keep out certificates.
import ipaddr from 'ipaddr.js'

export interface UnknownLimits {
  readonly inAll: number
  readonly perNetwork: number
}

/** The /24 or /48 of an address: what one person gets from a provider. */
function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  return address
    .toByteArray()
    .slice(0, address.kind() === 'ipv4' ? 3 : 6)
    .join('.')
}

export class UnknownClients {
  readonly #limits: UnknownLimits
  readonly #networks = new Map<object, string>()
  readonly #counts = new Map<string, number>()

  constructor(limits: UnknownLimits) {
    this.#limits = limits
  }

  /** False when there are too many; the connection is not counted then. */
  enter(connection: object, address: string): boolean {
    const network = networkOf(address)
    const count = this.#counts.get(network) ?? 0
    if (this.#networks.size >= this.#limits.inAll || count >= this.#limits.perNetwork) return false
    this.#networks.set(connection, network)
    this.#counts.set(network, count + 1)
    return true
  }

  /** The connection has ended, or its client is known now. */
  leave(connection: object): void {
    const network = this.#networks.get(connection)
    if (network === undefined) return
    this.#networks.delete(connection)
    const count = (this.#counts.get(network) ?? 0) - 1
    if (count > 0) this.#counts.set(network, count)
    else this.#counts.delete(network)
  }
}
