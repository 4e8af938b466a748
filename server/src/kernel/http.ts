// Serves the route table: request ids, authentication, limits, validation, errors, logs and numbers, the same for every route.
import { createHash, randomUUID, webcrypto } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify'
import { type Authenticator, authorize, type Credential, createRateLimit } from './auth.ts'
import { announcedLength, createBudgets, drain, type Reservation, readBody } from './body.ts'
import type { Db } from './db.ts'
import { ApiError, apiError } from './errors.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { ifUnchanged, onceOnly } from './preconditions.ts'
import { type Answer, type Client, isWrite, type Route } from './routes.ts'
import type { Caller } from './scopes.ts'
import { asId, bodyReader, queryReader, uuid } from './validation.ts'

export interface HttpOptions {
  readonly routes: readonly Route[]
  readonly db: Db
  readonly log: Log
  readonly metrics: Metrics
  readonly authenticator: Authenticator
  /** Requests per second and key; null is no limit. */
  readonly rateLimit: number | null
  readonly trustedProxies: readonly string[]
  /** While stopping, each answer asks the client to come back on a new connection. */
  readonly isClosing: () => boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  /** For a request to arrive in whole: no client holds a connection by dripping. */
  readonly requestTimeout: number
}

declare module 'fastify' {
  interface FastifyRequest {
    credential: Credential | null
    /** Room for its body. */
    reservation: Reservation | null
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
  const { routes, db, metrics, log, isClosing } = options
  const app = Fastify({
    ...(options.tls && { https: options.tls }),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: megabyte,
    requestIdHeader: false,
    genReqId: request => {
      const sent = request.headers['x-request-id']
      return typeof sent === 'string' && saneRequestId.test(sent) ? sent : randomUUID()
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // what was on its way when we began to stop is answered as ever
    requestTimeout: options.requestTimeout,
    http: { connectionsCheckingInterval: Math.min(10_000, options.requestTimeout) },
    // A long parameter is just one that names nothing.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
  }) as unknown as FastifyInstance

  app.decorateRequest('credential', null)
  app.decorateRequest('reservation', null)
  app.removeAllContentTypeParsers()
  const budgets = createBudgets()
  metrics.gauge('signoff_request_body_bytes', 'Bytes of request bodies in memory.', () =>
    Object.values(budgets).reduce((sum, budget) => sum + budget.used, 0),
  )
  const always = {
    'x-content-type-options': 'nosniff',
    ...(options.tls && { 'strict-transport-security': 'max-age=31536000' }),
  }
  app.addContentTypeParser('*', async (request: FastifyRequest, stream: IncomingMessage) => {
    const { route } = request.routeOptions.config
    const announced = announcedLength(stream)
    if (announced === 0) return undefined
    const [type = ''] = (request.headers['content-type'] ?? '').split(';')
    const accepted = route?.accepts ?? json
    const isAccepted = accepted.includes(type.trim().toLowerCase())
    if (!isAccepted && announced !== undefined) throw notAccepted(accepted)
    const limit = route?.bodyLimit ?? megabyte
    if ((announced ?? limit) > unreservedBytes && (announced ?? 0) <= limit) {
      const budget = limit > megabyte ? budgets.files : budgets.small
      const caller = request.credential?.apiKeyId ?? addressOf(request)
      request.reservation = await budget.reserve(caller, announced ?? limit)
    }
    const bytes = await readBody(stream, limit)
    request.reservation?.shrinkTo(bytes.length)
    if (bytes.length === 0) return undefined
    if (!isAccepted) throw notAccepted(accepted)
    return bytes
  })

  const limit = options.rateLimit === null ? null : createRateLimit(options.rateLimit)
  async function admit(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const credential = await options.authenticator.authenticate(
      request.headers.authorization,
      addressOf(request),
    )
    request.credential = credential
    if (limit) reply.headers(await limit(credential.apiKeyId))
    authorize(route, credential)
  }
  const begin =
    (route?: Route): onRequestHookHandler =>
    (request, reply, done) => {
      const began = performance.now()
      // After the answer, or when the client has gone without one.
      reply.raw.once('close', () => {
        request.reservation?.release()
        noted(route, request, reply.raw.statusCode, began)
      })
      reply.headers(always)
      reply.header('x-request-id', request.id)
      if (isApi(request)) reply.header('cache-control', 'no-store')
      if (route?.cors) reply.headers(anyOrigin)
      if (!route?.body) ignoreBody(request)
      if (!route || route.access === 'public') done()
      else admit(route, request, reply).then(() => done(), done)
    }
  const beginNowhere = begin()
  app.addHook('onRequest', function (request, reply, done) {
    if (request.is404) beginNowhere.call(this, request, reply, done)
    else done()
  })
  app.setErrorHandler(answerError)
  const byPath = Map.groupBy(routes, route => route.path)
  const paths = [...byPath].map(([path, group]) => ({
    pattern: patternOf(path),
    allow: allowed(group).join(', '),
  }))
  const nothingThere = (request: FastifyRequest): ApiError => {
    const known = paths.find(({ pattern }) => pattern.test(targetOf(request)))
    return known
      ? apiError('method_not_allowed', { headers: { Allow: known.allow } })
      : apiError('route_not_found')
  }
  app.setNotFoundHandler(async request => {
    throw nothingThere(request)
  })
  for (const [path, group] of byPath) {
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    const read = group.find(route => route.method === 'GET')
    for (const route of group) {
      const way = route.isFrequent
        ? { handler: shortcutOf(route) }
        : { onRequest: begin(route), handler: handlerOf(route, read, options) }
      const bodyLimit = route.bodyLimit ?? megabyte
      app.route({ method: route.method, url, config: { route }, bodyLimit, ...way })
    }
    const shared = group.filter(route => route.cors)
    if (shared.length > 0) {
      const headers = { ...preflight, 'access-control-allow-methods': allowed(shared).join(', ') }
      app.options(url, { onRequest: beginNowhere }, async (_request, reply) =>
        reply.code(204).headers(headers).send(),
      )
    }
  }
  return app

  function noted(
    route: Route | undefined,
    { method, id: request_id }: FastifyRequest,
    status: number,
    began: number,
  ): void {
    const milliseconds = performance.now() - began
    const path = route?.path ?? 'unknown'
    metrics.observe(method, path, status, milliseconds / 1000)
    // The route, not the address: addresses can carry what is nobody's business.
    const level = route?.isFrequent ? 'debug' : 'info'
    if (log.isLevelEnabled(level))
      log[level](
        { request_id, method, route: path, status, ms: Math.round(milliseconds * 100) / 100 },
        'request',
      )
  }

  /**
   * For what mails ask for all day long, which is public and takes no body: no hooks, and answers are written without
   * Fastify. Whatever fails is answered as everywhere.
   */
  function shortcutOf(route: Route) {
    async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const began = performance.now()
      const params = request.params as Record<string, string>
      try {
        const { status, headers, body } = await route.handle({
          db,
          joined: false,
          by: null,
          client: clientOf(request),
          params,
          query: {},
          body: undefined,
        })
        if (body instanceof Readable) throw new Error(`${route.path} answers too much to be frequent`)
        reply.raw.writeHead(status, {
          'x-request-id': request.id,
          ...always,
          ...headers,
          'content-length': Buffer.byteLength(body),
          ...(isClosing() && { connection: 'close' }),
        })
        // Bytes as text leave together with the headers; as they are, they would be a second piece to write.
        if (typeof body === 'string') reply.raw.end(body)
        else reply.raw.end(body.toString('latin1'), 'latin1')
        noted(route, request, status, began)
      } catch (error) {
        reply.raw.once('close', () => noted(route, request, reply.raw.statusCode, began))
        reply.send(error)
      }
    }
    return (request: FastifyRequest, reply: FastifyReply): void => void serve(request, reply)
  }

  async function answerError(
    error: FastifyError | Error,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    if (!request.raw.readableEnded) await drain(request.raw)
    // Fastify wants a content type from the method QUERY before it looks for a route.
    const isQuery = 'code' in error && error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'
    const known = isQuery ? nothingThere(request) : understood(error)
    if (known.status >= 500) {
      // Those who look at mails while PostgreSQL is away are many, and there is nothing to tell of each.
      const isCommon = known.code === 'unavailable' && request.routeOptions.config.route?.isFrequent
      const what = { request_id: request.id, route: request.routeOptions.url, err: error }
      log[isCommon ? 'debug' : 'error'](what, 'failed')
    }
    reply.headers(always)
    reply.header('x-request-id', request.id)
    if (isApi(request)) reply.header('cache-control', 'no-store')
    if (options.isClosing()) reply.header('connection', 'close')
    return reply.code(known.status).headers(known.headers).send(known.envelope())
  }
}

const notAccepted = (accepted: readonly string[]): ApiError =>
  apiError('unsupported_media_type', {
    message: `Send the body as ${accepted.map(type => `\`Content-Type: ${type}\``).join(' or ')}.`,
  })

const anyOrigin = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
/** What a browser asks before it sends a page's request to another origin. */
const preflight = {
  ...anyOrigin,
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '86400',
}

const allowed = (group: readonly Route[]): string[] =>
  group.flatMap(route => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))

/** What is asked for. Proxies may be asked for whole addresses, and some ask us like that too. */
const targetOf = ({ url }: FastifyRequest): string => url.replace(/^https?:\/\/[^/?]*/i, '')

const isApi = (request: FastifyRequest): boolean =>
  (request.routeOptions.config.route?.path ?? targetOf(request)).startsWith('/v1')

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?(\\?.*)?$`)

/** A body where none is taken is ignored, whatever it is: nobody parses it, and it is read to nowhere. */
function ignoreBody({ headers, raw }: FastifyRequest): void {
  delete headers['content-type']
  delete headers['transfer-encoding']
  if (headers['content-length'] !== undefined) headers['content-length'] = '0'
  raw.resume()
}

/** Fastify's own errors that a client can cause, in our words. Anything else is our fault. */
const frameworkErrors: Readonly<Record<string, ConstructorParameters<typeof ApiError>[0]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_BAD_URL: 'route_not_found',
}

function understood(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error
  const code = 'code' in error ? frameworkErrors[error.code] : undefined
  return new ApiError(code ?? 'internal_error')
}

function handlerOf(route: Route, read: Route | undefined, { db, isClosing }: HttpOptions) {
  const readQuery = route.query ? queryReader(route.query) : () => ({})
  const parseBody = route.body ? bodyReader(route.body) : () => undefined

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const sent = request.params as Record<string, string>
    const isPublic = route.access === 'public'
    if (!isPublic && !Object.entries(sent).every(([name, value]) => fits(route, name, value)))
      throw apiError('not_found')
    const params = isPublic
      ? sent
      : Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, asId(value)]))
    const query = readQuery(request.query)
    const bytes = request.body as Buffer | undefined
    const body = parseBody(bytes)
    const by = request.credential === null ? null : caller(request.credential, request.id)
    const call = (on: Db, prepared?: unknown) => ({
      db: on,
      joined: on !== db,
      by,
      client: clientOf(request),
      params,
      query,
      body,
      prepared,
    })
    const answer = await underConditions()
    if (isClosing()) reply.header('connection', 'close')
    if (route.answers[304] !== undefined && isKnown(request.headers['if-none-match'], answer.headers.etag)) {
      const { 'content-length': _, ...headers } = answer.headers
      if (answer.body instanceof Readable) answer.body.destroy()
      return reply.code(304).headers(headers).send()
    }
    return reply.code(answer.status).headers(answer.headers).send(bodyFor(request, answer))

    async function underConditions(): Promise<Answer> {
      const { 'idempotency-key': key, 'if-match': match, authorization: secret = '' } = request.headers
      const { prepare } = route
      if (by && route.method === 'POST' && isWrite(route) && typeof key === 'string' && key !== '') {
        const requestHash = await hashOf(`${route.method} ${request.url}\n`, bytes)
        const sealWith = route.secret ? secret.replace(/^bearer +/i, '') : null
        return onceOnly(
          db,
          { key, by, requestHash, sealWith },
          {
            prepare: prepare ? () => prepare(call(db)) : null,
            perform: (on, prepared) => route.handle(call(on, prepared)),
          },
        )
      }
      const prepared = await prepare?.(call(db))
      const perform = (on: Db) => route.handle(call(on, prepared))
      if (by && read && match !== undefined && (route.method === 'PATCH' || route.method === 'DELETE')) {
        return ifUnchanged(db, match, on => read.handle(call(on)), perform)
      }
      return perform(db)
    }
  }
}

/** Of what is asked for. Large bodies are hashed by another thread. */
async function hashOf(what: string, bytes: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  if (bytes.length <= megabyte) return createHash('sha256').update(what).update(bytes).digest()
  const ofBody = await webcrypto.subtle.digest(
    'SHA-256',
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length),
  )
  return createHash('sha256').update(what).update(new Uint8Array(ofBody)).digest()
}

/** Fastify would read a whole stream to answer HEAD with nothing of it; of an empty one it leaves our Content-Length. */
function bodyFor({ method }: FastifyRequest, { body }: Answer): Answer['body'] {
  if (method !== 'HEAD' || !(body instanceof Readable)) return body
  body.destroy()
  return Readable.from([])
}

const fits = ({ words }: Route, name: string, value: string): boolean =>
  words?.[name]?.includes(value) ?? uuid.test(value)

/** Whether the client has this version already. */
const isKnown = (ifNoneMatch: string | undefined, etag: string | undefined): boolean =>
  (ifNoneMatch ?? '').split(',').some(sent => [etag, '*'].includes(sent.trim().replace(/^W\//, '')))

/** Some proxies add the port, some a word in the place of an address. IPv4 over an IPv6 socket is IPv4. */
function addressOf({ ip, socket }: FastifyRequest): string {
  const own = socket.remoteAddress ?? ''
  const known = ip === own ? own : (toldBy(ip) ?? own)
  return known.startsWith('::ffff:') ? known.slice(7) : known
}

function toldBy(proxy: string): string | null {
  const [, address = proxy] = /^\[(.+)\](?::\d+)?$/.exec(proxy) ?? /^([\d.]+):\d+$/.exec(proxy) ?? []
  return isIP(address) ? address : null
}

const clientOf = (request: FastifyRequest): Client => ({
  method: request.method,
  address: addressOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  headers: request.headers,
})

const caller = (credential: Credential, requestId: string): Caller => ({
  workspaceId: credential.workspaceId,
  memberId: credential.memberId,
  memberEmail: credential.memberEmail,
  apiKeyId: credential.apiKeyId,
  role: credential.role,
  scopes: credential.scopes,
  expiresAt: credential.expiresAt,
  requestId,
})

/** What is not even HTTP still gets the envelope. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const known =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? apiError('request_timeout')
      : apiError('malformed_json', { message: `The request is not valid HTTP: ${error.message}` })
  const body = JSON.stringify(known.envelope())
  const headers = [
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}`,
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ]
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
  // Whoever does not close it has had the time to read the answer.
  setTimeout(() => socket.destroy(), 1_000).unref()
}
