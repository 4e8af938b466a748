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

/** What both have; of two limits the smaller one. */
function commonFeatures(one: HopFeatures, other: HopFeatures): HopFeatures {
  const common = new Map([...one].filter(([name]) => name !== 'SIZE' && other.has(name)))
  const sizes = [one, other].flatMap(features => Number(features.get('SIZE')) || [])
  if (sizes.length > 0) common.set('SIZE', String(Math.min(...sizes)))
  return common
}

export class HopCapabilities {
  readonly #access: HopAccess
  readonly #timeouts: HopTimeouts
  readonly #kept = new LRUCache<string, Promise<HopFeatures>>({ max: 1_000, ttl: keptMilliseconds })

  constructor(access: HopAccess, timeouts: HopTimeouts) {
    this.#access = access
    this.#timeouts = timeouts
  }

  /** What all next hops of these routes announce. */
  async of(routes: readonly RelayRoute[]): Promise<HopFeatures> {
    if (routes.length === 0) return none
    const timeout = Promise.withResolvers<HopFeatures>()
    const timer = setTimeout(() => timeout.resolve(none), waitMilliseconds)
    const all = Promise.all(routes.slice(0, 20).map(route => this.#featuresOf(route)))
    const common = all.then(([first = none, ...others]) => others.reduce(commonFeatures, first))
    return Promise.race([common, timeout.promise]).finally(() => clearTimeout(timer))
  }

  /** After a hop refused what it had announced. */
  forget(): void {
    this.#kept.clear()
  }

  #featuresOf(route: RelayRoute): Promise<HopFeatures> {
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
        this.#kept.set(key, Promise.resolve(none), { ttl: failedMilliseconds })
        return none
      },
    )
    this.#kept.set(key, asked)
    return asked
  }
}
