// Every failure as the contract's envelope, also of what is not even HTTP.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, apiError } from './errors.ts'

/** Fastify's own errors that a client can cause, in our words. Anything else is our fault. */
const frameworkErrors: Readonly<Record<string, ConstructorParameters<typeof ApiError>[0]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_BAD_URL: 'route_not_found',
}

export function asApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error
  const code = 'code' in error ? frameworkErrors[error.code] : undefined
  return new ApiError(code ?? 'internal_error')
}

export const notAccepted = (accepted: readonly string[]): ApiError =>
  apiError('unsupported_media_type', {
    message: `Send the body as ${accepted.map(type => `\`Content-Type: ${type}\``).join(' or ')}.`,
  })

// (Importing node:http for its list would load 7 MB of what it has besides.)
const reasons: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout' }

/** Node keeps the response that a socket is at work on here. */
type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null }

const hasBegun = (socket: HttpSocket): boolean => socket._httpMessage?.headersSent ?? false

/** Answers what is not HTTP, or did not arrive in time. `always`: the headers of every answer. */
export function createBrokenRequestHandler(
  always: Readonly<Record<string, string>>,
): (error: Error & { code?: string }, socket: Socket) => void {
  // The bytes that follow a broken request are broken too.
  const answered = new WeakSet<Socket>()
  return (error, socket) => {
    if (answered.has(socket)) return
    // An answer in the middle of another one would be read as a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun(socket)) return void socket.destroy()
    answered.add(socket)
    socket.end(brokenRequestAnswer(error, always))
    // A client that does not close the connection has had the time to read the answer.
    setTimeout(() => socket.destroy(), 1_000).unref()
  }
}

function brokenRequestAnswer(
  error: Error & { code?: string },
  always: Readonly<Record<string, string>>,
): string {
  const known =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? apiError('request_timeout')
      : apiError('malformed_json', { message: `The request is not valid HTTP: ${error.message}` })
  const body = JSON.stringify(known.envelope())
  const headers = {
    ...always,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${known.status} ${reasons[known.status]}\r\n${lines.join('')}\r\n${body}`
}

/** Whether no answer can arrive: the client has gone, or has had one. */
export const isAnswerImpossible = ({ socket }: FastifyRequest, { raw }: FastifyReply): boolean =>
  raw.destroyed || raw.writableEnded || socket.destroyed || socket.writableEnded
