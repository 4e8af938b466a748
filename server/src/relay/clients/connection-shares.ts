// Who may hold the connections of the relay. One client must not keep the others out: a network has at most half of them,
// and once half are in use, one that is in no transaction gives way to each new one.
import ipaddr from 'ipaddr.js'

export interface ShareLimits {
  readonly connections: number
  /** Connections of one network, until they show a certificate. */
  readonly unknownPerNetwork: number
}

export interface SharedConnection {
  /** Between MAIL and the answer to the message. */
  readonly isBusy: () => boolean
  /** Says goodbye: the sender connects again when it has mail. */
  readonly giveWay: () => void
}

interface Holder extends SharedConnection {
  readonly network: string
  isUnknown: boolean
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

export class ConnectionShares {
  readonly #limits: ShareLimits
  /** By session, the oldest first. */
  readonly #holders = new Map<object, Holder>()

  constructor(limits: ShareLimits) {
    this.#limits = limits
  }

  /** Number of connections that one network, or the open transactions of one workspace, can have. */
  get share(): number {
    return this.#limits.connections / 2
  }

  /** False when there are too many; the connection is not counted then. */
  enter(session: object, address: string, isUnknown: boolean, connection: SharedConnection): boolean {
    const network = networkOf(address)
    if (this.#holders.size >= this.share) this.#makeRoom()
    const ofNetwork = [...this.#holders.values()].filter(holder => holder.network === network)
    const unknownCount = ofNetwork.filter(holder => holder.isUnknown).length
    if (this.#holders.size >= this.#limits.connections || ofNetwork.length >= this.share) return false
    if (isUnknown && unknownCount >= this.#limits.unknownPerNetwork) return false
    this.#holders.set(session, { ...connection, network, isUnknown })
    return true
  }

  /** The client has shown a certificate. */
  identify(session: object): void {
    const holder = this.#holders.get(session)
    if (holder) holder.isUnknown = false
  }

  leave(session: object): void {
    this.#holders.delete(session)
  }

  /** The oldest idle connection of the network that has the most of them gives way. */
  #makeRoom(): void {
    const idle = [...this.#holders].filter(([, { isBusy }]) => !isBusy())
    const byNetwork = Map.groupBy(idle, ([, { network }]) => network)
    const [oldest] = [...byNetwork.values()].sort((a, b) => b.length - a.length)[0] ?? []
    if (!oldest) return
    const [session, holder] = oldest
    this.#holders.delete(session)
    holder.giveWay()
  }
}
