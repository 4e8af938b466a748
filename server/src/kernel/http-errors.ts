// Every failure as the contract's envelope, also of what is not even HTTP.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyError } from 'fastify'
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

/** What is not HTTP, or did not arrive in time. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const known =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? apiError('request_timeout')
      : apiError('malformed_json', { message: `The request is not valid HTTP: ${error.message}` })
  const body = JSON.stringify(known.envelope())
  const headers = [
    `HTTP/1.1 ${known.status} ${reasons[known.status]}`,
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ]
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
  // A client that does not close the connection has had the time to read the answer.
  setTimeout(() => socket.destroy(), 1_000).unref()
}
