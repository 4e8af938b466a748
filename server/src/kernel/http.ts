// Serves the route table: request ids, authentication, limits, validation, errors, logs and numbers, the same for every route.
import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify'
import { type Authenticator, authorize, type Credential, createRateLimit } from './auth.ts'
import {
  announcedLength,
  type BodyBudget,
  type Budgets,
  createAnswerBudget,
  createBudgets,
  drain,
  type Reservation,
  readBody,
} from './body.ts'
import { networkOf } from './client-network.ts'
import type { Pool } from './db.ts'
import { type ApiError, apiError } from './errors.ts'
import { asApiError, createBrokenRequestHandler, isAnswerImpossible, notAccepted } from './http-errors.ts'
import { createHandler, type Reserve } from './http-handler.ts'
import { createHotPath } from './http-hot-path.ts'
import { addressOf, isApi, targetOf } from './http-request.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Route } from './routes.ts'
import { createWorkspaceShares } from './workspace-shares.ts'

export interface HttpOptions {
  readonly routes: readonly Route[]
  readonly db: Pool
  readonly log: Log
  readonly metrics: Metrics
  readonly authenticator: Authenticator
  /** Requests per second and key; null is no limit. */
  readonly rateLimit: number | null
  readonly trustedProxies: readonly string[]
  /** While stopping, each answer asks the client to come back on a new connection. */
  readonly isClosing: () => boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  /** For a request to arrive in whole, in milliseconds: no client holds a connection by dripping. */
  readonly requestTimeout: number
  /** For a client to take something of its answer, in milliseconds: none holds memory and a connection by not reading. */
  readonly answerTimeout: number
  /** For one statement of a request that reads, in milliseconds. */
  readonly queryTimeout: number
}

declare module 'fastify' {
  interface FastifyRequest {
    credential: Credential | null
    /** Room for its body. */
    reservation: Reservation | null
    /** Room for its answer. */
    answerRoom: Reservation | null
    /** Or its client has gone without an answer. */
    isAnswered: boolean
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

const saneRequestId = /^[\w.:-]{1,128}$/
const megabyte = 1024 * 1024
const json = ['application/json']
/** Bodies so small that their number is bounded by that of the connections. */
const unreservedBytes = 16 * 1024

export function buildHttp(options: HttpOptions): FastifyInstance {
  const answerError = createErrorHandler(options)
  const app = createServer(options, answerError)
  app.server.on('request', disconnector(options.answerTimeout))
  app.decorateRequest('credential', null)
  app.decorateRequest('reservation', null)
  app.decorateRequest('answerRoom', null)
  app.decorateRequest('isAnswered', false)
  app.removeAllContentTypeParsers()
  const budgets = watchedBudgets(options.metrics)
  app.addContentTypeParser('*', createBodyParser(budgets))
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(async request => {
    throw unknownAddress(options.routes, request)
  })
  const reserve: Reserve = (request, reply, bytes) => roomFor(budgets.files, request, reply.raw, bytes)
  const begin = createBeginning(options)
  const sharing = {
    ...options,
    shares: createWorkspaceShares({ pool: options.db, queryMilliseconds: options.queryTimeout }),
    answers: watchedAnswers(options.metrics),
    reserve,
  }
  const beginUnknown = begin()
  app.addHook('onRequest', function (request, reply, done) {
    if (request.is404) beginUnknown.call(this, request, reply, done)
    else done()
  })
  for (const [path, group] of Map.groupBy(options.routes, route => route.path)) {
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    const read = group.find(route => route.method === 'GET')
    for (const route of group) {
      const way = route.isFrequent
        ? {
            handler: createHotPath(route, {
              ...options,
              headers: headersOf(options),
              onAnswer: observer(options),
            }),
          }
        : { onRequest: begin(route), handler: createHandler(route, read, sharing) }
      app.route({ method: route.method, url, config: { route }, bodyLimit: bodyLimitOf(route), ...way })
    }
    const shared = group.filter(route => route.cors)
    if (shared.length > 0) {
      const headers = { ...preflight, 'access-control-allow-methods': allowed(shared).join(', ') }
      app.options(url, { onRequest: beginUnknown }, async (_request, reply) =>
        reply.code(204).headers(headers).send(),
      )
    }
  }
  return app
}

function createServer(options: HttpOptions, answerError: ErrorHandler): FastifyInstance {
  const { requestTimeout } = options
  const timeouts = {
    // Node takes the smaller of the two for the headers alone.
    headersTimeout: Math.min(60_000, requestTimeout),
    connectionsCheckingInterval: Math.min(10_000, requestTimeout),
  }
  return Fastify({
    ...(options.tls ? { https: { ...options.tls, ...timeouts } } : { http: timeouts }),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: megabyte,
    requestIdHeader: false,
    genReqId: request => {
      const sent = request.headers['x-request-id']
      return typeof sent === 'string' && saneRequestId.test(sent) ? sent : randomUUID()
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // what was on its way when we began to stop is answered as ever
    requestTimeout,
    // A long parameter is just one that names nothing.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: createBrokenRequestHandler(headersOf(options)),
  }) as unknown as FastifyInstance
}

/**
 * The socket tells when neither side has sent anything for so long; bytes that the client has taken count. A socket with
 * nothing to send waits for our answer, and stays.
 */
function disconnector(milliseconds: number): (request: IncomingMessage, response: ServerResponse) => void {
  const onSilence = (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy()
  }
  return (_request, response) => void response.setTimeout(milliseconds).on('timeout', onSilence)
}

/** On every answer. */
const headersOf = ({ tls }: HttpOptions): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  ...(tls && { 'strict-transport-security': 'max-age=31536000' }),
})

const bodyLimitOf = (route: Route | undefined): number => route?.bodyLimit ?? megabyte

function watchedBudgets(metrics: Metrics): Budgets {
  const budgets = createBudgets()
  metrics.gauge('signoff_request_body_bytes', 'Bytes of request bodies in memory.', () =>
    Object.values(budgets).reduce((sum, budget) => sum + budget.used, 0),
  )
  return budgets
}

function watchedAnswers(metrics: Metrics): BodyBudget {
  const answers = createAnswerBudget()
  const help = 'Bytes of large answers that clients have not taken yet.'
  metrics.gauge('signoff_answer_bytes', help, () => answers.used)
  return answers
}

/** The bytes of a body; undefined when it is empty. Its type is judged before it is read, and there must be room for it. */
const createBodyParser =
  (budgets: Budgets) =>
  async (request: FastifyRequest, stream: IncomingMessage): Promise<Buffer | undefined> => {
    const { route } = request.routeOptions.config
    const announced = announcedLength(stream)
    if (announced === 0) return undefined
    const [type = ''] = (request.headers['content-type'] ?? '').split(';')
    const accepted = route?.accepts ?? json
    const isAccepted = accepted.includes(type.trim().toLowerCase())
    if (!isAccepted && announced !== undefined) throw notAccepted(accepted)
    const limit = bodyLimitOf(route)
    if ((announced ?? limit) > unreservedBytes && (announced ?? 0) <= limit) {
      const withKey = limit > megabyte ? budgets.files : budgets.small
      const budget = request.credential ? withKey : budgets.anonymous
      const reservation = await roomFor(budget, request, stream, announced ?? limit)
      request.reservation = reservation
      // It may have closed before we listened, or while the answer was on its way to us.
      if (stream.destroyed || request.isAnswered) reservation.release()
    }
    const bytes = await readBody(stream, limit)
    request.reservation?.shrinkTo(bytes.length)
    if (bytes.length === 0) return undefined
    if (!isAccepted) throw notAccepted(accepted)
    return bytes
  }

/** Waits for room, until `connection` closes. */
async function roomFor(
  budget: BodyBudget,
  request: FastifyRequest,
  connection: EventEmitter,
  bytes: number,
): Promise<Reservation> {
  const left = new AbortController()
  const onClose = () => left.abort()
  connection.once('close', onClose)
  try {
    const caller = request.credential?.apiKeyId ?? networkOf(addressOf(request))
    return await budget.reserve(caller, bytes, left.signal)
  } finally {
    connection.off('close', onClose)
  }
}

/** What happens to every request before its body is read. */
function createBeginning(options: HttpOptions): (route?: Route) => onRequestHookHandler {
  const limit = options.rateLimit === null ? null : createRateLimit(options.rateLimit)
  const always = headersOf(options)
  const observe = observer(options)
  async function admit(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { authorization } = request.headers
    const credential = await options.authenticator.authenticate(authorization, networkOf(addressOf(request)))
    request.credential = credential
    if (limit) reply.headers(await limit(credential.apiKeyId))
    authorize(route, credential)
  }
  return route => (request, reply, done) => {
    const began = performance.now()
    // After the answer, or when the client has gone without one.
    reply.raw.once('close', () => {
      request.isAnswered = true
      request.reservation?.release()
      request.answerRoom?.release()
      observe(route, request, reply.raw.statusCode, began)
    })
    reply.headers(always)
    reply.header('x-request-id', request.id)
    if (isApi(request)) reply.header('cache-control', 'no-store')
    if (route?.cors) reply.headers(anyOrigin)
    if (!route?.body) ignoreBody(request)
    if (!route || route.access === 'public') done()
    else admit(route, request, reply).then(() => done(), done)
  }
}

/** A body where none is taken is ignored, whatever it is: it is not parsed, and read to nowhere. */
function ignoreBody({ headers, raw }: FastifyRequest): void {
  delete headers['content-type']
  delete headers['transfer-encoding']
  if (headers['content-length'] !== undefined) headers['content-length'] = '0'
  raw.resume()
}

type Observe = (route: Route | undefined, request: FastifyRequest, status: number, began: number) => void

const observer =
  ({ metrics, log }: HttpOptions): Observe =>
  (route, { method, id: request_id }, status, began) => {
    const milliseconds = performance.now() - began
    const path = route?.path ?? 'unknown'
    metrics.observe(method, path, status, milliseconds / 1000)
    // The route, not the address: addresses can carry secrets.
    const level = route?.isFrequent ? 'debug' : 'info'
    if (!log.isLevelEnabled(level)) return
    const ms = Math.round(milliseconds * 100) / 100
    log[level]({ request_id, method, route: path, status, ms }, 'request')
  }

type ErrorHandler = (
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

function createErrorHandler(options: HttpOptions): ErrorHandler {
  const { log, isClosing, routes } = options
  const always = headersOf(options)
  return async (error, request, reply) => {
    if (!request.raw.readableEnded) await drain(request.raw)
    // Fastify wants a content type from the method QUERY before it looks for a route.
    const isQuery = 'code' in error && error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'
    const known = isQuery ? unknownAddress(routes, request) : asApiError(error)
    const isLate = isAnswerImpossible(request, reply)
    if (known.status >= 500) {
      // Mails are read by many while PostgreSQL is away, and each of these failures says the same.
      const isCommon = known.code === 'unavailable' && request.routeOptions.config.route?.isFrequent
      const what = { request_id: request.id, route: request.routeOptions.url, err: error }
      log[isCommon || isLate ? 'debug' : 'error'](what, 'failed')
    }
    if (isLate || reply.raw.headersSent) return abandon(reply)
    reply.headers(always)
    reply.header('x-request-id', request.id)
    if (isApi(request)) reply.header('cache-control', 'no-store')
    if (isClosing()) reply.header('connection', 'close')
    return reply.code(known.status).headers(known.headers).send(known.envelope())
  }
}

/** Of an answer that has begun, the client sees that it is not whole. */
function abandon(reply: FastifyReply): FastifyReply {
  reply.hijack()
  if (reply.raw.headersSent && !reply.raw.writableEnded) reply.raw.destroy()
  return reply
}

/** 405 where the path is known with another method, else 404. */
function unknownAddress(routes: readonly Route[], request: FastifyRequest): ApiError {
  const target = targetOf(request)
  const known = routes.find(({ path }) => patternOf(path).test(target))
  if (!known) return apiError('route_not_found')
  const group = routes.filter(route => route.path === known.path)
  return apiError('method_not_allowed', { headers: { Allow: allowed(group).join(', ') } })
}

const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const made = new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?(\\?.*)?$`)
  patterns.set(path, made)
  return made
}

const allowed = (group: readonly Route[]): string[] =>
  group.flatMap(route => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))

const anyOrigin = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
/** What a browser asks before it sends a page's request to another origin. */
const preflight = {
  ...anyOrigin,
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '86400',
}
