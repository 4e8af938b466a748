// What the next hops announce, for the answer to EHLO: it is needed before it is known which hop a message goes to.
import { LRUCache } from 'lru-cache'
import { type HopAccess, hopOptionsOf } from './kind.ts'
import type { RelayRoute } from './routing.ts'
import { type HopTimeouts, NextHop } from './smtp/next-hop.ts'
import type { HopFeatures } from './smtp/parameters.ts'

const none: HopFeatures = new Map()
/** A sender must not wait long for the greeting: without an answer of the hop nothing special is announced. */
const waitMilliseconds = 3_000
const keptMilliseconds = 5 * 60_000
/** A hop that is away is asked again soon. */
const failedMilliseconds = 10_000

const commonFeatures = (one: HopFeatures, other: HopFeatures): HopFeatures =>
  new Map([...one].filter(([name]) => other.has(name)))

export class HopCapabilities {
  readonly #access: HopAccess
  readonly #timeouts: HopTimeouts
  readonly #kept = new LRUCache<string, Promise<HopFeatures | null>>({ max: 1_000, ttl: keptMilliseconds })

  constructor(access: HopAccess, timeouts: HopTimeouts) {
    this.#access = access
    this.#timeouts = timeouts
  }

  /** What all next hops of these routes announce. Those that do not answer in time take nothing away from the others. */
  async of(routes: readonly RelayRoute[]): Promise<HopFeatures> {
    if (routes.length === 0) return none
    const timeout = Promise.withResolvers<null>()
    const timer = setTimeout(() => timeout.resolve(null), waitMilliseconds)
    const asked = routes.slice(0, 20).map(route => Promise.race([this.#featuresOf(route), timeout.promise]))
    const answers = await Promise.all(asked).finally(() => clearTimeout(timer))
    const [first = none, ...others] = answers.filter(features => features !== null)
    return others.reduce(commonFeatures, first)
  }

  /** After a hop refused what it had announced. */
  forget(): void {
    this.#kept.clear()
  }

  /** Null: the hop does not answer. */
  #featuresOf(route: RelayRoute): Promise<HopFeatures | null> {
    const key = JSON.stringify([route.nextHop, route.isHopTrusted])
    const kept = this.#kept.get(key)
    if (kept) return kept
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
