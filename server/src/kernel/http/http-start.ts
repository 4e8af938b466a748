// What happens to every request before its body is read: headers of the answer, authentication, rate limit, access.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import {
  type Authenticator,
  authenticate,
  authenticateAccount,
  authorize,
  authorizeAccount,
  createRateLimit,
} from '#kernel/api/auth.ts'
import type { Metrics } from '#kernel/api/metrics.ts'
import { isOfAccount, type Route } from '#kernel/api/routes.ts'
import type { SessionCookie } from '#kernel/api/session-cookies.ts'
import type { Log } from '#kernel/base/log.ts'
import { networkOf } from '#kernel/base/rate-limits.ts'
import { anyOrigin, createCors } from './cors.ts'
import { ignoreBody } from './http-body.ts'
import { addressOf, isApi, isUncached } from './http-request.ts'
import { innerCaller } from './inner-requests.ts'
import { createSameOriginCheck } from './same-origin.ts'

export interface ObserverOptions {
  readonly log: Log
  readonly metrics: Metrics
}

export interface StartOptions extends ObserverOptions {
  readonly authenticators: readonly Authenticator[]
  readonly rateLimit: number | null
  /** Origins whose pages can call the API. */
  readonly corsOrigins: readonly string[]
  readonly publicUrl: string
  readonly cookie: SessionCookie
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
}

/** The hook for a route; without a route, for addresses that no route has. */
export type Start = (route?: Route) => onRequestHookHandler

export function createStart(options: StartOptions): Start {
  const { authenticators, headers: always } = options
  const limit = options.rateLimit === null ? null : createRateLimit(options.rateLimit)
  const cors = createCors(options.corsOrigins)
  const observe = observer(options)
  const checkOrigin = createSameOriginCheck(options.publicUrl)
  async function admit(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const inner = innerCaller()
    if (inner) {
      // The request that causes it was counted.
      request.identity = { ...inner, countedBy: '' }
      return authorize(route, inner)
    }
    const { headers } = request
    const source = { headers, clientNetwork: networkOf(addressOf(request)) }
    if (isOfAccount(route.access)) {
      const account = await authenticateAccount(authenticators, source)
      request.account = account
      if (limit) reply.headers(await limit(account.countedBy))
      checkWrite(request, true)
      return authorizeAccount(route, account)
    }
    const identity = await authenticate(authenticators, source)
    request.identity = identity
    if (limit) reply.headers(await limit(identity.countedBy))
    if (identity.sessionId !== null) checkWrite(request, true)
    authorize(route, identity)
  }
  /** A page of another origin can make a browser send a cookie, but cannot read the answer: only writes are checked. */
  function checkWrite({ method, headers }: FastifyRequest, hasCookie: boolean): void {
    if (method !== 'GET' && method !== 'HEAD') checkOrigin(headers, hasCookie)
  }
  function admitAnonymous(route: Route, request: FastifyRequest): Error | undefined {
    const hasCookie = options.cookie.tokenIn(request.headers.cookie) !== undefined
    try {
      if (!route.crossOrigin) checkWrite(request, hasCookie)
    } catch (error) {
      return error as Error
    }
  }
  return route => (request, reply, done) => {
    const began = performance.now()
    // After the answer, or when the client has closed the connection without one.
    reply.raw.once('close', () => {
      request.isAnswered = true
      request.reservation?.release()
      request.answerRoom?.release()
      observe(route, request, reply.raw.statusCode, began)
    })
    reply.headers(always)
    reply.header('x-request-id', request.id)
    if (isUncached(request)) reply.header('cache-control', 'no-store')
    if (isApi(request)) reply.headers(cors?.(request) ?? {})
    if (route?.cors) reply.headers(anyOrigin)
    if (!route?.body) ignoreBody(request)
    if (!route || route.access === 'public') done()
    else if (route.access === 'anonymous') done(admitAnonymous(route, request))
    else admit(route, request, reply).then(() => done(), done)
  }
}

export type Observe = (
  route: Route | undefined,
  request: FastifyRequest,
  status: number,
  began: number,
) => void

/** Counts an answered request in the metrics and writes it to the log. */
export const observer =
  ({ metrics, log }: ObserverOptions): Observe =>
  (route, { method, id: request_id }, status, began) => {
    const milliseconds = performance.now() - began
    const path = route?.path ?? 'unknown'
    metrics.observe(method, path, status, milliseconds / 1000)
    // The path of the route, not of the request: the latter can hold secrets.
    const level = route?.isFrequent ? 'debug' : 'info'
    if (!log.isLevelEnabled(level)) return
    const ms = Math.round(milliseconds * 100) / 100
    log[level]({ request_id, method, route: path, status, ms }, 'request')
  }
