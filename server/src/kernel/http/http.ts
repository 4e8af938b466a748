// Serves the route table: request ids, authentication, limits, validation, errors, logs and metrics, alike for every
// route.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type onRequestHookHandler } from 'fastify'
import type { Authenticator } from '#kernel/api/auth.ts'
import type { Metrics } from '#kernel/api/metrics.ts'
import type { Route } from '#kernel/api/routes.ts'
import { SessionCookie } from '#kernel/api/session-cookies.ts'
import { minute } from '#kernel/base/durations.ts'
import type { Log } from '#kernel/base/log.ts'
import type { Pool } from '#kernel/db/db.ts'
import { BrowserCookie } from './browser-cookies.ts'
import { preflightOfAnyOrigin, preflightOfApi } from './cors.ts'
import {
  bodyLimitOf,
  createBodyParser,
  defaultBodyLimit,
  meteredAnswers,
  meteredBudgets,
  waitForRoom,
} from './http-body.ts'
import {
  allowedMethods,
  createBrokenRequestHandler,
  createErrorHandler,
  type ErrorFormat,
  type ErrorHandler,
  unknownAddress,
} from './http-errors.ts'
import { createHandler, type HandlerOptions } from './http-handler.ts'
import { createHotPath, type HotPathOptions } from './http-hot-path.ts'
import { isApiPath, spellPaths } from './http-request.ts'
import { createStart, observer, type Start } from './http-start.ts'
import { createSlowRequests, createWorkspaceShares } from './workspace-shares.ts'

export interface HttpOptions {
  readonly routes: readonly Route[]
  readonly db: Pool
  readonly log: Log
  readonly metrics: Metrics
  /** Asked in this order; the first that finds its kind of credential decides. */
  readonly authenticators: readonly Authenticator[]
  /** Requests per second and `Identity.countedBy`; null is no limit. */
  readonly rateLimit: number | null
  /** Origins whose pages can call the API from a browser, such as `https://app.example.com`. */
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  /** For cookies: their name and flags, and the origin whose pages can write by them. */
  readonly publicUrl: string
  /** For addresses whose errors have the form of another standard. */
  readonly errorFormats?: readonly ErrorFormat[]
  /** The path whose next step is found in any case, as its standard's clients expect. */
  readonly anyCaseUnder?: string
  /** Answers a browser that opens an address which is not there. */
  readonly unknownPage?: Route['errorPage']
  /** While the process stops, each answer asks the client to open a new connection. */
  readonly isClosing: () => boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  /** Milliseconds in which a request must have arrived completely: no client holds a connection by sending slowly. */
  readonly requestTimeout: number
  /**
   * Milliseconds in which a client must read some of its answer: no client holds memory and a connection by not
   * reading.
   */
  readonly answerTimeout: number
  /** Milliseconds for one statement of a request that reads. */
  readonly queryTimeout: number
}

const saneRequestId = /^[\w.:-]{1,128}$/

/** The headers of every answer. */
const headersOf = ({ tls, publicUrl }: HttpOptions): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  ...((tls || publicUrl.startsWith('https:')) && { 'strict-transport-security': 'max-age=31536000' }),
})

export function buildHttp(options: HttpOptions): FastifyInstance {
  const { routes, db, metrics } = options
  const headers = headersOf(options)
  const answerError = createErrorHandler({ ...options, headers })
  const app = createServer(options, headers, answerError)
  app.server.on('request', disconnectSilentClients(options.answerTimeout))
  app.decorateRequest('identity', null)
  app.decorateRequest('account', null)
  app.decorateRequest('reservation', null)
  app.decorateRequest('answerRoom', null)
  app.decorateRequest('isAnswered', false)
  app.removeAllContentTypeParsers()
  const budgets = meteredBudgets(metrics)
  app.addContentTypeParser('*', createBodyParser(budgets))
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(async request => {
    throw unknownAddress(routes, request)
  })
  const cookie = new SessionCookie(options.publicUrl)
  const start = createStart({ ...options, headers, cookie })
  const startUnknown = start()
  app.addHook('onRequest', function (request, reply, done) {
    if (request.is404) startUnknown.call(this, request, reply, done)
    else done()
  })
  const handlerOptions: HandlerOptions = {
    ...options,
    cookie,
    browsers: new BrowserCookie(options.publicUrl),
    shares: createWorkspaceShares({ pool: db, queryMilliseconds: options.queryTimeout }),
    slowRequests: createSlowRequests(),
    answers: meteredAnswers(metrics),
    reserve: (request, reply, bytes) => waitForRoom(budgets.files, request, reply.raw, bytes),
  }
  const hotPath: HotPathOptions = { ...options, headers, onAnswer: observer(options) }
  for (const [path, group] of Map.groupBy(routes, route => route.path)) {
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    addRoutes(app, url, group, { start, handlerOptions, hotPath, routes })
    addPreflight(app, url, group, { onRequest: startUnknown, origins: options.corsOrigins })
  }
  return app
}

interface RouteParts {
  readonly start: Start
  readonly handlerOptions: HandlerOptions
  readonly hotPath: HotPathOptions
  /** All routes. */
  readonly routes: readonly Route[]
}

/** The routes of one path. */
function addRoutes(
  app: FastifyInstance,
  url: string,
  group: readonly Route[],
  { start, handlerOptions, hotPath, routes }: RouteParts,
): void {
  for (const route of group) {
    const read = routes.find(
      ({ method, path }) => method === 'GET' && path === (route.versionAt ?? route.path),
    )
    const handling = route.isFrequent
      ? { handler: createHotPath(route, hotPath) }
      : { onRequest: start(route), handler: createHandler(route, read, handlerOptions) }
    app.route({ method: route.method, url, config: { route }, bodyLimit: bodyLimitOf(route), ...handling })
  }
}

interface PreflightOptions {
  readonly onRequest: onRequestHookHandler
  readonly origins: readonly string[]
}

/**
 * Answers the question that a browser asks before it sends a page's request to another origin. The hook adds the
 * allowed origin; without it the browser does not send the request.
 */
function addPreflight(
  app: FastifyInstance,
  url: string,
  group: readonly Route[],
  { onRequest, origins }: PreflightOptions,
): void {
  const shared = group.filter(route => route.cors)
  const isForOrigins = origins.length > 0 && isApiPath(url)
  if (shared.length === 0 && !isForOrigins) return
  const hasIdentity = shared.some(({ cors }) => cors === 'with identity')
  const headers =
    shared.length > 0
      ? preflightOfAnyOrigin(allowedMethods(shared), hasIdentity)
      : preflightOfApi(allowedMethods(group))
  app.options(url, { onRequest }, async (_request, reply) => reply.code(204).headers(headers).send())
}

function createServer(
  options: HttpOptions,
  headers: Readonly<Record<string, string>>,
  answerError: ErrorHandler,
): FastifyInstance {
  const { requestTimeout, anyCaseUnder, routes } = options
  const spell = anyCaseUnder === undefined ? null : spellPaths(anyCaseUnder, routes)
  const timeouts = {
    // Node takes the smaller of the two for the headers alone.
    headersTimeout: Math.min(minute, requestTimeout),
    connectionsCheckingInterval: Math.min(10_000, requestTimeout),
  }
  return Fastify({
    ...(options.tls ? { https: { ...options.tls, ...timeouts } } : { http: timeouts }),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: defaultBodyLimit,
    requestIdHeader: false,
    genReqId: request => {
      const sent = request.headers['x-request-id']
      return typeof sent === 'string' && saneRequestId.test(sent) ? sent : randomUUID()
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // requests that are on their way when the process begins to stop are answered as usual
    requestTimeout,
    ...(spell && { rewriteUrl: ({ url = '' }: IncomingMessage) => spell(url) }),
    // A parameter that is too long names nothing: 404.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: createBrokenRequestHandler(headers),
  }) as unknown as FastifyInstance
}

/**
 * Node emits `timeout` when neither side has sent anything for so many milliseconds; bytes that the client has read
 * count. A socket with nothing to send waits for our answer, and stays open.
 */
function disconnectSilentClients(
  milliseconds: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  const onSilence = (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy()
  }
  return (_request, response) => void response.setTimeout(milliseconds).on('timeout', onSilence)
}
