// Decides which requests for pixels and links come from people. The steps are a list; the first step that applies
// decides.
import { BlockList } from 'node:net'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { roomFor } from '#kernel/base/caches.ts'
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

/** A request for a pixel or a link. Only its country is stored. */
export interface TrackedRequest {
  readonly kind: TrackedKind
  readonly token: string
  readonly method: string
  readonly userAgent: string
  /** The class of the user agent. */
  readonly client: ClientClass
  readonly ip: string
  /** The client says that it prefetches: no person has requested this yet. */
  readonly isPrefetch: boolean
  /** The request comes from a page of this service, which shows a person their own signature. */
  readonly isSameOrigin: boolean
  readonly isTracking: boolean
}

type ClientClass = 'scanner' | 'prefetch' | 'proxy' | 'bot' | 'person'

interface Step {
  readonly outcome: Exclude<Decision, 'counted'>
  readonly applies: (request: TrackedRequest) => boolean
}

/** The ones after `duplicate` are decided in rules.ts, which looks up the token and records the event. */
const trackingOutcomes = [
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
/** Each is counted in /metrics. */
export type TrackingOutcome = (typeof trackingOutcomes)[number]
export type Decision = Exclude<TrackingOutcome, 'bad_token' | 'no_target' | 'lost'>

export const createSteps = (
  isDuplicate: (request: TrackedRequest) => boolean,
  isRepeated: IsRepeated,
): readonly Step[] => [
  { outcome: 'off', applies: request => !request.isTracking },
  { outcome: 'own', applies: request => request.isSameOrigin },
  { outcome: 'repeated', applies: isRepeated },
  { outcome: 'head', applies: request => request.method === 'HEAD' },
  { outcome: 'scanner', applies: request => request.client === 'scanner' || isScannerNetwork(request.ip) },
  { outcome: 'prefetch', applies: request => request.isPrefetch || request.client === 'prefetch' },
  { outcome: 'bot', applies: request => request.client === 'bot' },
  { outcome: 'duplicate', applies: request => request.kind === 'view' && isDuplicate(request) },
]

export const decide = (steps: readonly Step[], request: TrackedRequest): Decision =>
  steps.find(step => step.applies(request))?.outcome ?? 'counted'

/** True if the IP address is the visitor's, so that it gives the country. A proxy hides it. */
export const revealsCountry = (request: TrackedRequest): boolean => request.client !== 'proxy'

const includesClient = (clients: readonly KnownClient[], kind: TrackedKind, userAgent: string): boolean =>
  clients.some(client => (client.only ?? kind) === kind && client.userAgent.test(userAgent))

function classify(kind: TrackedKind, userAgent: string): ClientClass {
  // An image proxy has no reason to follow a link: then it is a scanner.
  if (includesClient(imageProxies, kind, userAgent)) return kind === 'view' ? 'proxy' : 'scanner'
  if (includesClient(prefetchers, kind, userAgent)) return 'prefetch'
  if (includesClient(scanners, kind, userAgent)) return 'scanner'
  if (includesClient(mailClients, kind, userAgent)) return 'person'
  return isbot(userAgent) ? 'bot' : 'person'
}

// A few thousand user agents cover nearly all requests.
const classes = {
  view: new LRUCache<string, ClientClass>(roomFor(5_000)),
  click: new LRUCache<string, ClientClass>(roomFor(5_000)),
}
/** Longer user agents are cut. Real ones have 100 to 300 characters. */
const maxLength = 1_000

export function classifyClient(kind: TrackedKind, userAgent: string): ClientClass {
  let clientClass = classes[kind].get(userAgent)
  if (clientClass === undefined) {
    // Copied, because V8 keeps the complete string in memory for a slice of it.
    const short =
      userAgent.length > maxLength ? Buffer.from(userAgent.slice(0, maxLength)).toString() : userAgent
    clientClass = classify(kind, short)
    classes[kind].set(short, clientClass)
  }
  return clientClass
}

const networks = new BlockList()
/**
 * The first numbers of the IPv4 networks. Few addresses begin with one of them; for all others the lookup of 1 µs is
 * saved.
 */
const firstNumbers = new Set<string>()
const firstNumberOf = (ipv4: string): string => ipv4.slice(0, ipv4.indexOf('.'))
for (const network of scannerNetworks.flatMap(vendor => vendor.networks)) {
  const [address = '', bits = ''] = network.split('/')
  const isV6 = address.includes(':')
  networks.addSubnet(address, Number(bits), isV6 ? 'ipv6' : 'ipv4')
  if (!isV6) firstNumbers.add(firstNumberOf(address))
}
const isScannerNetwork = (ip: string): boolean =>
  ip.includes(':')
    ? networks.check(ip, 'ipv6')
    : firstNumbers.has(firstNumberOf(ip)) && networks.check(ip, 'ipv4')
