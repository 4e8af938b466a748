// What a request says about itself (target, client, version), and what the server attaches to it while it is served.
import { createHash, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { AccountIdentity, Identity } from '#kernel/api/auth.ts'
import type { Reservation } from '#kernel/api/body.ts'
import type { RequestClient, Route } from '#kernel/api/routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for public routes, and until the request is authenticated. */
    identity: Identity | null
    /** For routes of people who are signed in. */
    account: AccountIdentity | null
    /** Memory for the request's body. */
    reservation: Reservation | null
    /** Memory for the answer. */
    answerRoom: Reservation | null
    /** True once the request is answered, or the client has closed the connection without an answer. */
    isAnswered: boolean
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

/**
 * Path and query. Some clients send a whole URL as the target, as they would to a proxy: scheme and host are removed.
 */
export const targetOf = ({ url }: FastifyRequest): string => url.replace(/^https?:\/\/[^/?]*/i, '')

/**
 * Spells the first step of a path under `base` as the routes do: `/scim/v2/users` is `/scim/v2/Users`. The rest of the
 * path, such as an id, stays as it is.
 */
export function spellPaths(base: string, routes: readonly Route[]): (url: string) => string {
  const stepOf = (target: string): string => /^[^/?]*/.exec(target.slice(base.length + 1))?.[0] ?? ''
  const isUnderBase = (target: string): boolean => target.startsWith(`${base}/`)
  const steps = routes.filter(({ path }) => isUnderBase(path)).map(({ path }) => stepOf(path))
  const spellings = new Map(steps.map(step => [step.toLowerCase(), step]))
  return url => {
    if (!isUnderBase(url)) return url
    const step = stepOf(url)
    const spelling = spellings.get(step.toLowerCase()) ?? step
    return `${base}/${spelling}${url.slice(base.length + 1 + step.length)}`
  }
}

/**
 * True if a path is for programs with an API key: their answers are not cached, and pages of allowed origins can call
 * them.
 */
export const isApiPath = (path: string): boolean => path.startsWith('/v1') || /^\/(mcp|scim)\b/.test(path)

export const isApi = (request: FastifyRequest): boolean =>
  isApiPath(request.routeOptions.config.route?.path ?? targetOf(request))

/** Answers that no cache is allowed to keep: those of the API, and those of sign-in. */
export const isUncached = (request: FastifyRequest): boolean =>
  isApi(request) || /^\/auth\b/.test(request.routeOptions.config.route?.path ?? targetOf(request))

/** Some proxies add the port, some send a word instead of an address. IPv4 over an IPv6 socket is IPv4. */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const peer = socket.remoteAddress ?? ''
  const address = ip === peer ? peer : (addressFromProxy(ip) ?? peer)
  return address.startsWith('::ffff:') ? address.slice(7) : address
}

function addressFromProxy(text: string): string | null {
  const [, address = text] = /^\[(.+)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? []
  return isIP(address) ? address : null
}

export const clientOf = (request: FastifyRequest): RequestClient => ({
  method: request.method,
  address: addressOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  requestId: request.id,
  search: /\?.*/.exec(request.url)?.[0] ?? '',
  headers: request.headers,
})

/** True if the client has this version already. */
export const hasVersion = (ifNoneMatch: string | undefined, etag: string | undefined): boolean =>
  (ifNoneMatch ?? '').split(',').some(sent => [etag, '*'].includes(sent.trim().replace(/^W\//, '')))

const largeBytes = 1024 * 1024

/** `target` is method and path. Large bodies are hashed by another thread. */
export async function hashRequest(target: string, bytes: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  if (bytes.length <= largeBytes) return createHash('sha256').update(target).update(bytes).digest()
  const body = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const bodyHash = await webcrypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>)
  return createHash('sha256').update(target).update(new Uint8Array(bodyHash)).digest()
}
