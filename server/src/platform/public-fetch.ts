// Requests to addresses that others chose. They reach the public internet (and the private networks that the operator
// names), never what only this machine can see: every hop is checked, and so is the address that is connected to.
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'

export interface PublicRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** How many redirects are followed. */
  readonly redirects: number
  /** `none`: the answer is judged by its status, and what it holds is not read. */
  readonly maxBytes: number | 'none'
  /** For everything: names, redirects, the answer. */
  readonly milliseconds: number
}

/** A problem is told in words that go after "the address …", and never says what is behind a private address. */
export type PublicAnswer =
  | {
      readonly ok: true
      readonly status: number
      readonly url: string
      readonly bytes: Buffer
      readonly retryAfter: string | undefined
    }
  | { readonly ok: false; readonly problem: string; readonly tooLarge?: true }

export type PublicFetch = (url: string, request: PublicRequest) => Promise<PublicAnswer>

export type Resolve = (name: string) => Promise<readonly string[]>

export interface PublicFetchSettings {
  readonly privateTargets: readonly string[] | null
  /** The system's own, but for tests. */
  readonly resolve?: Resolve
}

const notPublic = 'is not an address on the public internet'

class Refused extends Error {}

type MayReach = (address: string) => boolean

/** The IPv4 address inside an IPv6 one that a gateway would turn into it (RFC 6052: `64:ff9b::/96`). */
const translated = ipaddr.parseCIDR('64:ff9b::/96')
/** All of IPv6 that has been given out for the public. */
const global = ipaddr.parseCIDR('2000::/3')

function reduced(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const address = ipaddr.process(text) // `::ffff:10.0.0.1` becomes 10.0.0.1
  if (address.kind() === 'ipv6' && address.match(translated))
    return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}

/** Public by their look, but answered by the machine's own host (Azure). */
const hostAgents = new Set(['168.63.129.16'])

/** Whether an IP address is one that anybody on the internet could reach, or one that the operator allows. */
export function reachable(privateTargets: readonly string[]): MayReach {
  const exceptions = privateTargets.map(text => {
    const [address = '', bits] = text.split('/')
    const parsed = ipaddr.parse(address)
    const all = parsed.kind() === 'ipv4' ? 32 : 128
    return { address: parsed, bits: bits === undefined ? all : Number(bits) }
  })
  return text => {
    if (!ipaddr.isValid(text)) return false
    const address = reduced(text)
    if (exceptions.some(one => one.address.kind() === address.kind() && address.match(one.address, one.bits)))
      return true
    if (hostAgents.has(address.toString())) return false
    return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(global))
  }
}

const resolveBySystem: Resolve = async name =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/** Answers only if every address of the name may be reached, so that what is connected to has been checked. */
const checkedLookup =
  (resolve: Resolve, mayReach: MayReach): LookupFunction =>
  (name, options, done) => {
    const answer = async () => {
      const found = (await resolve(name)).map(address => ({ address, family: isIP(address) }))
      const [first] = found
      if (!first || !found.every(({ address }) => mayReach(address))) throw new Refused()
      return { found, first }
    }
    answer().then(
      ({ found, first }) => (options.all ? done(null, found) : done(null, first.address, first.family)),
      error => done(error, []),
    )
  }

function checkedConnector(connect: buildConnector.connector, mayReach: MayReach): buildConnector.connector {
  return (options, done) => {
    // No look-up is made for a literal address.
    if (isIP(options.hostname) !== 0 && !mayReach(options.hostname)) return done(new Refused(), null)
    connect(options, (...result) => {
      const [error, socket] = result
      if (error === null && !mayReach(socket.remoteAddress ?? '')) {
        socket.destroy()
        done(new Refused(), null)
      } else done(...result)
    })
  }
}

function checkedUrl(text: string, mayReach: MayReach): URL | string {
  if (!URL.canParse(text)) return 'is not a web address'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
  const host = url.hostname.replace(/^\[|\]$/g, '') // URL has brought 0x7f.1 and the like into plain form
  if (isIP(host) !== 0 && !mayReach(host)) return notPublic
  return url
}

/** What is wrong with an address as such, in words that go after "the address …"; undefined when it may be asked. */
export function problemOf(
  text: string,
  { privateTargets }: Pick<PublicFetchSettings, 'privateTargets'>,
): string | undefined {
  const url = checkedUrl(text, reachable(privateTargets ?? []))
  return typeof url === 'string' ? url : undefined
}

const sizeOf = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MB` : `${Math.floor(bytes / 1024)} KB`

const redirections = new Set([301, 302, 303, 307, 308])

interface Hop {
  readonly status: number
  readonly location: string | undefined
  readonly retryAfter: string | undefined
  readonly bytes: Buffer
}

const tooLarge = Symbol('too large')
type Send = (url: URL, signal: AbortSignal) => Promise<Hop | typeof tooLarge>

/** A new agent for each request: no connection, and no check, is shared with another. */
async function withAgent<T>(
  settings: Required<PublicFetchSettings>,
  mayReach: MayReach,
  request: PublicRequest,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  // Loaded when first needed: most processes fetch nothing.
  const { Agent, buildConnector, request: ask } = await import('undici')
  const connector = buildConnector({
    lookup: checkedLookup(settings.resolve, mayReach),
    timeout: request.milliseconds,
  } as buildConnector.BuildOptions)
  const agent = new Agent({ connect: checkedConnector(connector, mayReach) })
  try {
    return await work(async (url, signal) => {
      const { method = 'GET', body = null } = request
      // Neither cookies nor credentials, and nothing packed: what is counted is what there is.
      const headers = { 'user-agent': 'Signoff', 'accept-encoding': 'identity', ...request.headers }
      const answer = await ask(url, { dispatcher: agent, method, headers, body, signal })
      const { statusCode: status } = answer
      const location = redirections.has(status) ? answer.headers.location : undefined
      const chunks: Buffer[] = []
      let size = 0
      if (request.maxBytes === 'none') answer.body.on('error', () => undefined).destroy()
      else if (location === undefined) {
        for await (const chunk of answer.body) {
          size += chunk.length
          if (size > request.maxBytes) return tooLarge
          chunks.push(chunk)
        }
      }
      const retryAfter = answer.headers['retry-after']
      return {
        status,
        location: String(location ?? '') || undefined,
        retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
        bytes: Buffer.concat(chunks),
      }
    })
  } finally {
    await agent.destroy()
  }
}

export function createPublicFetch({
  privateTargets,
  resolve = resolveBySystem,
}: PublicFetchSettings): PublicFetch {
  const mayReach = reachable(privateTargets ?? [])
  const settings = { privateTargets, resolve }

  const follow = (start: string, request: PublicRequest, signal: AbortSignal): Promise<PublicAnswer> =>
    withAgent(settings, mayReach, request, async send => {
      let at = start
      for (let hop = 0; hop <= request.redirects; hop++) {
        const url = checkedUrl(at, mayReach)
        if (typeof url === 'string')
          return { ok: false, problem: hop === 0 ? url : `leads on to one that ${url}` }
        const answer = await send(url, signal)
        if (answer === tooLarge) {
          return { ok: false, problem: `gives more than ${sizeOf(Number(request.maxBytes))}`, tooLarge: true }
        }
        const { status, location, bytes, retryAfter } = answer
        if (location === undefined) return { ok: true, status, url: url.href, bytes, retryAfter }
        at = URL.canParse(location, url.href) ? new URL(location, url).href : location
      }
      return { ok: false, problem: `redirects more than ${request.redirects} times` }
    })

  return async (url, request) => {
    const signal = AbortSignal.timeout(request.milliseconds)
    try {
      return await follow(url, request, signal)
    } catch (error) {
      if (signal.aborted) {
        return { ok: false, problem: `gave no full answer within ${request.milliseconds / 1000} seconds` }
      }
      // Whether a name is unknown or private is nobody's business.
      if (isRefusal(error)) return { ok: false, problem: notPublic }
      return { ok: false, problem: 'cannot be reached' }
    }
  }
}

/** Node gathers the failures of several addresses into one error. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Refused ||
  (error instanceof Error && /^(ENOTFOUND|EAI_)/.test((error as { code?: string }).code ?? '')) ||
  (error instanceof AggregateError && error.errors.some(isRefusal))
