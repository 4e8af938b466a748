// What the next hops announce, for the answer to EHLO: it is needed before it is known which hop a message goes to.
import { LRUCache } from 'lru-cache'
import { day, minute } from '#kernel/base/durations.ts'
import type { RelayRoute } from '../routing.ts'
import { type HopAccess, hopOptionsOf } from './hop-access.ts'
import { type HopTimeouts, NextHop } from './next-hop.ts'
import type { HopFeatures } from './parameters.ts'

const none: HopFeatures = new Map()
/** A sender must not wait long for the greeting: without an answer of the hop nothing special is announced. */
const waitMilliseconds = 3_000
const keptMilliseconds = 5 * minute
/** A hop that is away is asked again soon. */
const failedMilliseconds = 10_000

/** Time in which a relay limits the features that a client is offered, after its last mail for the relay. */
const usedMilliseconds = day

const allFeatures = (features: HopFeatures, other: HopFeatures): HopFeatures =>
  new Map([...features, ...other])
const commonFeatures = (features: HopFeatures, other: HopFeatures): HopFeatures =>
  new Map([...features].filter(([name]) => other.has(name)))

export class HopCapabilities {
  readonly #access: HopAccess
  readonly #timeouts: HopTimeouts
  readonly #kept = new LRUCache<string, Promise<HopFeatures | null>>({ max: 1_000, ttl: keptMilliseconds })
  /** By the address of the client and the relay. */
  readonly #used = new LRUCache<string, true>({
    max: 20_000,
    ttl: usedMilliseconds,
    ttlResolution: minute, // otherwise the cache sets a timer in every millisecond in which it is read
  })

  constructor(access: HopAccess, timeouts: HopTimeouts) {
    this.#access = access
    this.#timeouts = timeouts
  }

  /** Mail of this client has come for this relay. */
  note(address: string, { integrationId }: RelayRoute): void {
    this.#used.set(`${address} ${integrationId}`, true)
  }

  /**
   * Features of the next hops of the relays that this client has sent mail for. Other relays do not count: every
   * workspace can name any client, and its hop would take 8BITMIME away from the mail of another one. Before the first
   * mail, what any of the hops has: a parameter that the hop of a message lacks is answered with 451, and after that it
   * is known. Hops that do not answer in time take nothing away from the others.
   */
  async of(address: string, routes: readonly RelayRoute[]): Promise<HopFeatures> {
    const used = routes.filter(({ integrationId }) => this.#used.has(`${address} ${integrationId}`))
    const asked = used.length > 0 ? used : routes
    if (asked.length === 0) return none
    const timeout = Promise.withResolvers<null>()
    const timer = setTimeout(() => timeout.resolve(null), waitMilliseconds)
    const answers = await Promise.all(
      asked.slice(0, 20).map(route => Promise.race([this.#featuresOf(route), timeout.promise])),
    ).finally(() => clearTimeout(timer))
    const [first = none, ...others] = answers.filter(features => features !== null)
    return others.reduce(used.length > 0 ? commonFeatures : allFeatures, first)
  }

  /** After a hop refused what it had announced. */
  forget(): void {
    this.#kept.clear()
  }

  /** Null: the hop does not answer. */
  #featuresOf(route: RelayRoute): Promise<HopFeatures | null> {
    const key = JSON.stringify([route.nextHop, route.isHopTrusted])
    const cached = this.#kept.get(key)
    if (cached) return cached
    const options = { ...hopOptionsOf(this.#access, route), timeouts: this.#timeouts }
    const asked = NextHop.open(route.nextHop, options).then(
      hop => {
        hop.quit()
        return hop.features
      },
      () => {
        this.#kept.set(key, Promise.resolve(null), { ttl: failedMilliseconds })
        return null
      },
    )
    this.#kept.set(key, asked)
    return asked
  }
}
