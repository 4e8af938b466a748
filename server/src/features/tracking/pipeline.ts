// Which requests for pixels and links are people, as a list of named steps: the first that applies decides.
import { BlockList } from 'node:net'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import {
  imageProxies,
  type KnownClient,
  mailClients,
  prefetchers,
  scannerNetworks,
  scanners,
} from './known-clients.ts'
import type { IsRepeated } from './repeated-requests.ts'

export type TrackedKind = 'view' | 'click'

/** One request. Nothing of it is kept but the country. */
export interface TrackedRequest {
  readonly kind: TrackedKind
  readonly token: string
  readonly method: string
  readonly userAgent: string
  /** Who that user agent is. */
  readonly client: ClientClass
  readonly ip: string
  /** The client says that nobody has asked for it yet. */
  readonly isPrefetch: boolean
  /** It comes from a page of this service: somebody looks at their own signature. */
  readonly isSameOrigin: boolean
  readonly isTracking: boolean
}

type ClientClass = 'scanner' | 'prefetch' | 'proxy' | 'bot' | 'person'

interface Step {
  readonly outcome: Exclude<Decision, 'counted'>
  readonly applies: (visit: TrackedRequest) => boolean
}

/** Those after `duplicate` are decided by whoever looks up what was asked for. */
export const decisions = [
  'counted',
  'off',
  'own',
  'repeated',
  'head',
  'scanner',
  'prefetch',
  'bot',
  'duplicate',
  'bad_token',
  'no_target',
  'lost',
] as const
type Decided = (typeof decisions)[number]
export type Decision = Exclude<Decided, 'bad_token' | 'no_target' | 'lost'>
/** Counted in /metrics, each. */
export type TrackingOutcome = Decided

/** Steps in their order. */
export const stepsWith = (
  isAgain: (visit: TrackedRequest) => boolean,
  isRepeated: IsRepeated,
): readonly Step[] => [
  { outcome: 'off', applies: visit => !visit.isTracking },
  { outcome: 'own', applies: visit => visit.isSameOrigin },
  { outcome: 'repeated', applies: isRepeated },
  { outcome: 'head', applies: visit => visit.method === 'HEAD' },
  { outcome: 'scanner', applies: visit => visit.client === 'scanner' || isScannerNetwork(visit.ip) },
  { outcome: 'prefetch', applies: visit => visit.isPrefetch || visit.client === 'prefetch' },
  { outcome: 'bot', applies: visit => visit.client === 'bot' },
  { outcome: 'duplicate', applies: visit => visit.kind === 'view' && isAgain(visit) },
]

export const decide = (steps: readonly Step[], visit: TrackedRequest): Decision =>
  steps.find(step => step.applies(visit))?.outcome ?? 'counted'

/** Whether the address asked for it itself, so that it tells a country. */
export const revealsCountry = (visit: TrackedRequest): boolean => visit.client !== 'proxy'

const names = (clients: readonly KnownClient[], kind: TrackedKind, userAgent: string): boolean =>
  clients.some(client => (client.only ?? kind) === kind && client.userAgent.test(userAgent))

function classify(kind: TrackedKind, userAgent: string): ClientClass {
  // Nobody clicks in the place of a reader.
  if (names(imageProxies, kind, userAgent)) return kind === 'view' ? 'proxy' : 'scanner'
  if (names(prefetchers, kind, userAgent)) return 'prefetch'
  if (names(scanners, kind, userAgent)) return 'scanner'
  if (names(mailClients, kind, userAgent)) return 'person'
  return isbot(userAgent) ? 'bot' : 'person'
}

// A few thousand cover nearly every request.
const known = {
  view: new LRUCache<string, ClientClass>({ max: 5_000 }),
  click: new LRUCache<string, ClientClass>({ max: 5_000 }),
}
/** Real ones have 100 to 300 characters. */
const enough = 1_000

export function classifyClient(kind: TrackedKind, userAgent: string): ClientClass {
  let name = known[kind].get(userAgent)
  if (name === undefined) {
    // A piece of a text keeps all of it, unless it is copied.
    const short = userAgent.length > enough ? Buffer.from(userAgent.slice(0, enough)).toString() : userAgent
    name = classify(kind, short)
    known[kind].set(short, name)
  }
  return name
}

const networks = new BlockList()
/** Few addresses begin with the same number as one of them; the others need not be looked up, which takes 1 µs. */
const beginnings = new Set<string>()
const beginningOf = (ipv4: string): string => ipv4.slice(0, ipv4.indexOf('.'))
for (const network of scannerNetworks.flatMap(one => one.networks)) {
  const [address = '', bits = ''] = network.split('/')
  const isV6 = address.includes(':')
  networks.addSubnet(address, Number(bits), isV6 ? 'ipv6' : 'ipv4')
  if (!isV6) beginnings.add(beginningOf(address))
}
const isScannerNetwork = (ip: string): boolean =>
  ip.includes(':')
    ? networks.check(ip, 'ipv6')
    : beginnings.has(beginningOf(ip)) && networks.check(ip, 'ipv4')
