// Which relay of which workspace a message belongs to: the client and the domain of the sender decide. The list is read
// every 2 s; while PostgreSQL is away the last one is used, so that mail flows on.
import { isDeepStrictEqual } from 'node:util'
import { type StoredRelay, storedRelays } from '#features/delivery/relay/index.ts'
import { canonicalDomain } from '#features/workspace/workspaces/index.ts'
import type { Log } from '#kernel/base/log.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Vault } from '#platform/secrets.ts'
import { type ClientProof, isClient, type RelayClient } from './clients/clients.ts'
import { type OpenRelaySecret, readRelaySecret } from './settings/relay-secret.ts'
import {
  type DkimKey,
  type RelaySenders,
  type RelaySettings,
  relaySendersOf,
  relaySettingsOf,
} from './settings/settings.ts'

export interface RelayRoute extends RelaySettings {
  readonly workspaceId: string
  readonly integrationId: string
  readonly ownDomains: readonly string[]
  readonly keepsAddresses: boolean
  readonly dkim: DkimKey | null
}

/** A route that a client may use. */
export interface AdmittedRoute {
  readonly route: RelayRoute
  /** The message must show one of these; null: none is needed. */
  readonly proofs: readonly ClientProof[] | null
  /** A bounce of a client that several relays admit: it is not known whose it is. */
  readonly isShared: boolean
}

export const domainOf = (address: string): string | undefined => {
  const at = address.lastIndexOf('@')
  return at === -1 ? undefined : canonicalDomain(address.slice(at + 1))
}

/** A change must be obeyed within 5 s. */
const refreshMilliseconds = 2_000

export interface RelayRoutingDeps {
  readonly db: Db
  readonly vault: Pick<Vault, 'open'>
  readonly log: Log
}

export class RelayRouting {
  readonly #deps: RelayRoutingDeps
  #stored: readonly StoredRelay[] = []
  #routes: readonly RelayRoute[] = []
  /** Senders of relays that were disconnected, or whose settings cannot be used. */
  #lost: readonly RelaySenders[] = []
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(deps: RelayRoutingDeps) {
    this.#deps = deps
  }

  /** Reads the relays once, and keeps them up to date. */
  async start(): Promise<void> {
    await this.refresh()
    const next = () => {
      if (this.#isStopped) return
      this.#timer = setTimeout(async () => {
        await this.refresh().catch(error =>
          this.#deps.log.warn({ err: error }, 'the relays were not read; the last ones are used'),
        )
        next()
      }, refreshMilliseconds)
    }
    next()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async refresh(): Promise<void> {
    const stored = await storedRelays(this.#deps.db)
    if (isDeepStrictEqual(stored, this.#stored)) return
    const routes = await Promise.all(stored.map(relay => this.#routeOf(relay)))
    this.#stored = stored
    this.#routes = routes.flat()
    this.#lost = stored
      .filter((_, index) => routes[index]?.length === 0)
      .map(({ settings, own_domains }) => relaySendersOf(settings, own_domains))
  }

  /** True if a relay that cannot be used now would pass this sender on: its mail must wait, and not bounce. */
  hasLost(client: RelayClient, sender: string): boolean {
    const domain = domainOf(sender)
    return this.#lost.some(
      ({ clients, domains }) =>
        (sender === '' || (domain !== undefined && domains.has(domain))) &&
        clients.some(rule => isClient(rule, client)),
    )
  }

  /** The relays that this client may send through. One without domains passes nothing, so it must not count here. */
  of(client: RelayClient): readonly AdmittedRoute[] {
    return this.#routes.flatMap(route => {
      if (route.domains.size === 0) return []
      const rules = route.clients.filter(rule => isClient(rule, client))
      if (rules.length === 0) return []
      const proofs = rules.flatMap(({ proof }) => proof ?? [])
      return [{ route, proofs: proofs.length === rules.length ? proofs : null, isShared: false }]
    })
  }

  /** True if a client that is unknown by its address can still show a certificate. */
  get knowsCertificates(): boolean {
    return this.#routes.some(({ clients }) => clients.some(({ certificateName }) => certificateName !== null))
  }

  async #routeOf({ secret, ...relay }: StoredRelay): Promise<RelayRoute[]> {
    if (relay.is_gone) return []
    const { dkim = null, header_secrets = {} } = secret ? await this.#opened(secret, relay.id) : {}
    const settings = relaySettingsOf(relay.settings, relay.own_domains, header_secrets)
    if (!settings) return []
    return [
      {
        ...settings,
        workspaceId: relay.workspace_id,
        integrationId: relay.id,
        ownDomains: relay.own_domains,
        keepsAddresses: relay.keeps_addresses,
        dkim,
      },
    ]
  }

  /**
   * Opens the secret of a relay. If that fails, mail flows on without a signature of DKIM; that of clients with secret
   * headers waits.
   */
  async #opened(sealed: Buffer, integrationId: string): Promise<OpenRelaySecret> {
    try {
      return readRelaySecret(await this.#deps.vault.open(sealed, integrationId))
    } catch (error) {
      this.#deps.log.error({ err: error, integrationId }, 'the secret of a relay cannot be opened')
      return {}
    }
  }
}

/** True if it does not matter which of these routes a message takes. */
export function hasOneHop(admitted: readonly AdmittedRoute[]): boolean {
  const targets = admitted.map(({ route }) => [route.nextHop, route.isHopTrusted])
  return targets.every(target => isDeepStrictEqual(target, targets[0]))
}

/**
 * The only route whose domains the sender is in. Bounces have no sender: where not all routes of the client are alike,
 * their message decides. `none` and `several` are refused.
 */
export function chooseRoute(
  admitted: readonly AdmittedRoute[],
  sender: string,
): AdmittedRoute | 'none' | 'several' | 'by_message' {
  const domain = domainOf(sender)
  const matching =
    sender === ''
      ? admitted
      : admitted.filter(({ route }) => domain !== undefined && route.domains.has(domain))
  const [first, ...others] = matching
  if (!first) return 'none'
  if (others.length === 0) return first
  if (sender !== '') return 'several'
  const isAlike = hasOneHop(matching) && others.every(({ proofs }) => isDeepStrictEqual(proofs, first.proofs))
  return isAlike ? { ...first, isShared: true } : 'by_message'
}
