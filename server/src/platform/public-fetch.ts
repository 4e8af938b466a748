// Sends requests to addresses that users entered (protection against SSRF). They reach the public internet and the
// private networks that the operator allows, never anything that only this machine can see. Every redirect is checked,
// and so is the IP address of every connection.
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { ApiError } from '#kernel/base/errors.ts'
import { isLocalhost, isPublicName } from '#kernel/base/host-names.ts'

export interface PublicRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The maximum number of redirects. */
  readonly redirects: number
  /** `none`: only the status of the answer is used, its body is not read. */
  readonly maxBytes: number | 'none'
  /** The timeout for everything together: DNS, redirects, the answer. */
  readonly milliseconds: number
  /**
   * Runs before the body of the last answer is read, for example to reserve memory. An ApiError that it throws is thrown
   * on. `announcedBytes` is the Content-Length.
   */
  readonly beforeBody?: (announcedBytes: number | undefined) => Promise<unknown>
}

/** `problem` is a phrase that follows "the address …". It never reveals what is behind a private address. */
export type PublicAnswer =
  | {
      readonly ok: true
      readonly status: number
      readonly url: string
      readonly bytes: Buffer
      readonly retryAfter: string | undefined
    }
  | {
      readonly ok: false
      readonly problem: string
      /** The same for code. */
      readonly reason?: 'redirect' | 'timeout' | 'unreachable' | 'not_public' | 'too_large'
      readonly tooLarge?: true
      /** Another attempt can succeed. */
      readonly isTemporary?: true
    }

export type PublicFetch = (url: string, request: PublicRequest) => Promise<PublicAnswer>

export type Resolve = (name: string) => Promise<readonly string[]>

export interface PublicFetchDeps {
  readonly privateTargets: readonly string[] | null
  /** For tests; the default is the DNS of the system. */
  readonly resolve?: Resolve
  /**
   * The number of requests after which a connection is closed; between them it stays open for seconds. 0: each request
   * has a connection of its own.
   */
  readonly keptRequests?: number
}

/** The same for unknown and for private names: the answer must not reveal which names a private DNS has. */
const hostNotFound = 'names a host that was not found on the public internet'
const notPublic = 'is not an address on the public internet'

class Refused extends Error {}

type CanReach = (address: string) => boolean

/** IPv6 addresses that a NAT64 gateway translates to the IPv4 address inside them (RFC 6052). */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')
/** The part of IPv6 that is allocated for public use. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

function canonical(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const address = ipaddr.process(text) // `::ffff:10.0.0.1` becomes 10.0.0.1
  if (address.kind() === 'ipv6' && address.match(nat64))
    return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}

/** Addresses that look public, but are answered by the host of the virtual machine (Azure). */
const hostAgents = new Set(['168.63.129.16'])

/** Returns a function that tells whether an IP address is public, or allowed by the operator. */
export function createAddressCheck(privateTargets: readonly string[]): CanReach {
  const exceptions = privateTargets.map(text => {
    const [address = '', bits] = text.split('/')
    const parsed = ipaddr.parse(address)
    const allBits = parsed.kind() === 'ipv4' ? 32 : 128
    return { address: parsed, bits: bits === undefined ? allBits : Number(bits) }
  })
  return text => {
    if (!ipaddr.isValid(text)) return false
    const address = canonical(text)
    if (
      exceptions.some(
        range => range.address.kind() === address.kind() && address.match(range.address, range.bits),
      )
    )
      return true
    if (hostAgents.has(address.toString())) return false
    return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(globalUnicast))
  }
}

/**
 * Returns a function that tells whether a host can be reached, as far as that is known without DNS: a private network
 * that the operator allows can have any names.
 */
export function createHostCheck(privateTargets: readonly string[]): CanReach {
  const canReach = createAddressCheck(privateTargets)
  return host => {
    if (isIP(host) !== 0) return canReach(host)
    if (isLocalhost(host)) return canReach('127.0.0.1') || canReach('::1')
    return privateTargets.length > 0 || isPublicName(host)
  }
}

const resolveBySystem: Resolve = async name =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/** Fails unless all addresses of the name are allowed, so the connection uses a checked address. */
const checkedLookup =
  (resolve: Resolve, canReach: CanReach): LookupFunction =>
  (name, options, done) => {
    const resolveChecked = async () => {
      const addresses = (await resolve(name)).map(address => ({ address, family: isIP(address) }))
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => canReach(address))) throw new Refused()
      return { addresses, first }
    }
    resolveChecked().then(
      ({ addresses, first }) =>
        options.all ? done(null, addresses) : done(null, first.address, first.family),
      error => done(error, []),
    )
  }

const checkedConnector =
  (connect: buildConnector.connector, canReach: CanReach): buildConnector.connector =>
  (options, done) => {
    // For a literal IP address the lookup is not called.
    if (isIP(options.hostname) !== 0 && !canReach(options.hostname)) return done(new Refused(), null)
    connect(options, (...result) => {
      const [error, socket] = result
      if (error === null && !canReach(socket.remoteAddress ?? '')) {
        socket.destroy()
        done(new Refused(), null)
      } else done(...result)
    })
  }

function checkedUrl(text: string, canReachHost: CanReach): URL | string {
  // `URL` leaves out tabs and line breaks, so that the address would look different from the one that is used.
  if (/[\t\n\r]/.test(text) || !URL.canParse(text)) return 'is not a web address'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
  const host = url.hostname.replace(/^\[|\]$/g, '') // `URL` has already normalized forms such as 0x7f.1
  return canReachHost(host) ? url : notPublic
}

/** Checks an address without a request. Returns a phrase that follows "the address …"; undefined when it is allowed. */
export function addressProblem(
  text: string,
  { privateTargets }: Pick<PublicFetchDeps, 'privateTargets'>,
): string | undefined {
  const url = checkedUrl(text, createHostCheck(privateTargets ?? []))
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

/** Answers with a status of 1xx before the real one. Without a limit, a server could send them all the time. */
const maxInformational = 10

const tooLarge = Symbol('too large')
type Send = (url: URL, signal: AbortSignal) => Promise<Hop | typeof tooLarge>

type CreateAgent = (milliseconds: number) => Promise<Agent>

const agentCreator =
  ({ resolve, keptRequests }: Required<PublicFetchDeps>, canReach: CanReach): CreateAgent =>
  async milliseconds => {
    // Loaded on first use, because most processes fetch nothing.
    const undici = await import('undici')
    const connector = undici.buildConnector({
      lookup: checkedLookup(resolve, canReach),
      timeout: milliseconds,
    } as buildConnector.BuildOptions)
    return new undici.Agent({
      connect: checkedConnector(connector, canReach),
      // Shorter than receivers keep theirs: a request must not meet a connection that is being closed.
      ...(keptRequests > 0 && { maxRequestsPerClient: keptRequests, keepAliveTimeout: 1_000 }),
    })
  }

/** Unless connections are kept, each request has a new agent: requests share no connection and no check. */
async function withAgent<T>(
  createAgent: CreateAgent,
  sharedAgent: Promise<Agent> | null,
  request: PublicRequest,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const { request: sendRequest } = await import('undici')
  const agent = await (sharedAgent ?? createAgent(request.milliseconds))
  try {
    return await work(async (url, signal) => {
      const { method = 'GET', body = null } = request
      // No cookies and no credentials. No compression, so that the size limit counts the real bytes.
      const headers = { 'user-agent': 'Signoff', 'accept-encoding': 'identity', ...request.headers }
      let informational = 0
      const answer = await sendRequest(url, {
        dispatcher: agent,
        method,
        headers,
        body,
        signal,
        onInfo() {
          if (++informational > maxInformational) throw new Error('too many informational answers')
        },
      })
      const { statusCode: status } = answer
      const location = redirections.has(status) ? answer.headers.location : undefined
      const chunks: Buffer[] = []
      let size = 0
      if (request.maxBytes === 'none') discard(answer.body, sharedAgent ? signal : null)
      else if (location === undefined) {
        const length = answer.headers['content-length']
        const announced = length === undefined ? undefined : Number(length)
        // The timeout can end the body while `beforeBody` waits. The loop below throws the error then.
        answer.body.on('error', () => undefined)
        if ((announced ?? 0) > request.maxBytes) return tooLarge
        await request.beforeBody?.(announced)
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
    if (!sharedAgent) await agent.destroy()
  }
}

/** A short body that is read lets the connection be used again. The answer does not wait for it. */
function discard(body: Dispatcher.ResponseData['body'], signal: AbortSignal | null): void {
  if (signal === null) body.on('error', () => undefined).destroy()
  else body.dump({ limit: 16 * 1024, signal }).catch(() => undefined)
}

export function createPublicFetch({
  privateTargets,
  resolve = resolveBySystem,
  keptRequests = 0,
}: PublicFetchDeps): PublicFetch {
  const canReach = createAddressCheck(privateTargets ?? [])
  const createAgent = agentCreator({ privateTargets, resolve, keptRequests }, canReach)
  let sharedAgent: Promise<Agent> | null = null

  const follow = (start: string, request: PublicRequest, signal: AbortSignal): Promise<PublicAnswer> => {
    if (keptRequests > 0) sharedAgent ??= createAgent(request.milliseconds)
    return withAgent(createAgent, sharedAgent, request, async send => {
      let address = start
      for (let hop = 0; hop <= request.redirects; hop++) {
        const url = checkedUrl(address, host => isIP(host) === 0 || canReach(host))
        if (typeof url === 'string')
          return {
            ok: false,
            problem: hop === 0 ? url : `leads on to one that ${url}`,
            reason: 'not_public',
          }
        const answer = await send(url, signal)
        if (answer === tooLarge) {
          const problem = `gives more than ${sizeOf(Number(request.maxBytes))}`
          return { ok: false, problem, reason: 'too_large', tooLarge: true }
        }
        const { status, location, bytes, retryAfter } = answer
        if (location === undefined) return { ok: true, status, url: url.href, bytes, retryAfter }
        address = URL.canParse(location, url.href) ? new URL(location, url).href : location
      }
      return { ok: false, problem: `redirects more than ${request.redirects} times`, reason: 'redirect' }
    })
  }

  return async (url, request) => {
    const signal = AbortSignal.timeout(request.milliseconds)
    try {
      return await follow(url, request, signal)
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (signal.aborted) {
        const problem = `gave no full answer within ${request.milliseconds / 1000} seconds`
        return { ok: false, problem, reason: 'timeout', isTemporary: true }
      }
      if (isRefusal(error)) return { ok: false, problem: hostNotFound, reason: 'not_public' }
      return { ok: false, problem: 'cannot be reached', reason: 'unreachable', isTemporary: true }
    }
  }
}

/** Node combines the failures of several addresses into an AggregateError. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Refused ||
  (error instanceof Error && /^(ENOTFOUND|EAI_)/.test((error as { code?: string }).code ?? '')) ||
  (error instanceof AggregateError && error.errors.some(isRefusal))
