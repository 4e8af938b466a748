// Every failure as the contract's envelope, also for bytes that are not HTTP.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { drain, isDrainable } from '#kernel/api/body.ts'
import type { Route } from '#kernel/api/routes.ts'
import { ApiError, apiError } from '#kernel/base/errors.ts'
import type { Log } from '#kernel/base/log.ts'
import { isUncached, targetOf } from './http-request.ts'

/** Fastify's own errors that a client can cause, with our codes. Any other error is a fault of ours. */
const frameworkErrors: Readonly<Record<string, ConstructorParameters<typeof ApiError>[0]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_BAD_URL: 'route_not_found',
}

function asApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error
  const code = 'code' in error ? frameworkErrors[error.code] : undefined
  return new ApiError(code ?? 'internal_error')
}

export const notAccepted = (accepted: readonly string[]): ApiError =>
  apiError('unsupported_media_type', {
    message: `Send the body as ${accepted.map(type => `\`Content-Type: ${type}\``).join(' or ')}.`,
  })

export type ErrorHandler = (
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

/** Errors of another form than the contract's, for all addresses under a path. */
export interface ErrorFormat {
  /** Without a slash at its end. */
  readonly path: string
  readonly contentType: string
  readonly format: (error: ApiError) => { readonly status: number; readonly body: object }
}

const isUnder = (path: string, target: string): boolean =>
  target.startsWith(path) && /^(?:[/?]|$)/.test(target.slice(path.length))

export interface ErrorHandlerOptions {
  readonly errorFormats?: readonly ErrorFormat[]
  readonly routes: readonly Route[]
  readonly log: Log
  readonly isClosing: () => boolean
  /** Answers a browser that opens an address which is not there. */
  readonly unknownPage?: Route['errorPage']
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
}

export const createErrorHandler =
  ({
    routes,
    log,
    isClosing,
    unknownPage,
    headers: always,
    errorFormats = [],
  }: ErrorHandlerOptions): ErrorHandler =>
  async (error, request, reply) => {
    const isDrained = isDrainable(request.raw)
    if (isDrained) await drain(request.raw)
    // Fastify demands a content type for the method QUERY before it looks for a route.
    const isQuery = 'code' in error && error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'
    const answer = isQuery ? unknownAddress(routes, request) : asApiError(error)
    const isLate = isAnswerImpossible(request, reply)
    if (answer.status >= 500) logFailure(log, error, answer, request, isLate)
    if (isLate || reply.raw.headersSent) return abandon(reply)
    reply.headers(always)
    reply.header('x-request-id', request.id)
    if (isUncached(request)) reply.header('cache-control', 'no-store')
    if (isClosing() || !isDrained) reply.header('connection', 'close')
    reply.headers(answer.headers)
    const other = errorFormats.find(({ path }) => isUnder(path, targetOf(request)))
    const { status, body } = other?.format(answer) ?? { status: answer.status, body: answer.envelope() }
    reply.code(status).header('content-type', other?.contentType ?? 'application/json; charset=utf-8')
    if (!isDrained) return sendThenDrain(request, reply, JSON.stringify(body))
    if (other) return reply.send(JSON.stringify(body))
    const errorPage =
      request.routeOptions.config?.route?.errorPage ??
      (isLostBrowser(request, answer) ? unknownPage : undefined)
    const page = errorPage?.(answer.code, request.headers)
    return page ? reply.headers(page.headers).send(page.body) : reply.send(JSON.stringify(body))
  }

/** Programs get the error as JSON: all of the API, and clients that do not ask for HTML. */
const isLostBrowser = ({ method, url, headers }: FastifyRequest, { code }: ApiError): boolean =>
  code === 'route_not_found' &&
  (method === 'GET' || method === 'HEAD') &&
  !/^\/(?:v1|auth)(?:[/?]|$)/.test(url) &&
  (headers.accept?.includes('text/html') ?? false)

function logFailure(
  log: Log,
  error: Error,
  { code }: ApiError,
  request: FastifyRequest,
  isLate: boolean,
): void {
  const isUnavailable = code === 'unavailable'
  const request_id = request.id
  const { url: route, config } = request.routeOptions
  // While PostgreSQL is away, each opened mail causes one of these failures, and all say the same.
  if (isLate || (isUnavailable && config.route?.isFrequent))
    log.debug({ request_id, route, err: error }, 'failed')
  // Without a cause the service has refused the request because of its load: there is no fault to find by a stack.
  else if (isUnavailable && error.cause === undefined)
    log.warn({ request_id, route, reason: error.message }, 'refused')
  else log.error({ request_id, route, err: error }, 'failed')
}

/**
 * For a body of unknown or excessive length: a client that reads while it sends gets the answer at once, any other
 * client after the part that is drained. The response ends, and with it the connection, when the drain ends.
 */
function sendThenDrain(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  async function* pieces(): AsyncGenerator<string> {
    yield text
    await drain(request.raw)
  }
  return reply
    .header('content-length', Buffer.byteLength(text))
    .send(Readable.from(pieces(), { objectMode: false }))
}

/** Closes the connection of an answer that has begun, so that the client sees that it is incomplete. */
function abandon(reply: FastifyReply): FastifyReply {
  reply.hijack()
  if (reply.raw.headersSent && !reply.raw.writableEnded) reply.raw.destroy()
  return reply
}

/** True if no answer can arrive: the client has closed the connection, or already has an answer. */
const isAnswerImpossible = ({ socket }: FastifyRequest, { raw }: FastifyReply): boolean =>
  raw.destroyed || raw.writableEnded || socket.destroyed || socket.writableEnded

/** 405 where the path exists with other methods only, else 404. */
export function unknownAddress(routes: readonly Route[], request: FastifyRequest): ApiError {
  const target = targetOf(request)
  const match = routes.find(({ path }) => patternOf(path).test(target))
  if (!match) return apiError('route_not_found')
  const allowed = allowedMethods(routes.filter(route => route.path === match.path))
  // The router refused the parameter, such as one with a line break.
  if (allowed.includes(request.method)) return apiError('route_not_found')
  return apiError('method_not_allowed', { headers: { Allow: allowed.join(', ') } })
}

export const allowedMethods = (group: readonly Route[]): string[] =>
  group.flatMap(route => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))

const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const cached = patterns.get(path)
  if (cached) return cached
  const pattern = new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?(\\?.*)?$`)
  patterns.set(path, pattern)
  return pattern
}

// (Importing node:http for its list would load 7 MB of other code.)
const reasons: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout' }

/** Node keeps the response that it is writing to a socket in this property. */
type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null }

const hasBegun = (socket: HttpSocket): boolean => socket._httpMessage?.headersSent ?? false

/** Answers bytes that are not HTTP, or a request that did not arrive in time. `always`: the headers of every answer. */
export function createBrokenRequestHandler(
  always: Readonly<Record<string, string>>,
): (error: Error & { code?: string }, socket: Socket) => void {
  // Node reports the bytes that follow a broken request as broken too.
  const answered = new WeakSet<Socket>()
  return (error, socket) => {
    if (answered.has(socket)) return
    // The client would read an answer in the middle of another one as a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun(socket)) return void socket.destroy()
    answered.add(socket)
    socket.end(brokenRequestAnswer(error, always))
    // A client that does not close the connection gets a second to read the answer.
    setTimeout(() => socket.destroy(), 1_000).unref()
  }
}

function brokenRequestAnswer(
  error: Error & { code?: string },
  always: Readonly<Record<string, string>>,
): string {
  const answer =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? apiError('request_timeout')
      : apiError('malformed_json', { message: `The request is not valid HTTP: ${error.message}` })
  const body = JSON.stringify(answer.envelope())
  const headers = {
    ...always,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${answer.status} ${reasons[answer.status]}\r\n${lines.join('')}\r\n${body}`
}
