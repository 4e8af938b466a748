// The path of requests that mails cause all day long (pixels and links), which are public and have no body: no hooks,
// and the answer is written without Fastify, headers and body in one write. Failures go to the usual error handler.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '#kernel/api/routes.ts'
import type { HandlerOptions } from './http-handler.ts'
import { clientOf } from './http-request.ts'

export interface HotPathOptions extends Pick<HandlerOptions, 'db' | 'isClosing'> {
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly onAnswer: (route: Route, request: FastifyRequest, status: number, began: number) => void
}

export function createHotPath(
  route: Route,
  { db, isClosing, headers: always, onAnswer }: HotPathOptions,
): (request: FastifyRequest, reply: FastifyReply) => void {
  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const began = performance.now()
    const params = request.params as Record<string, string>
    const client = clientOf(request)
    try {
      const call = { db, isAnswerInTransaction: false, by: null, client, params, query: {}, body: undefined }
      const { status, headers, body } = await route.handle(call)
      if (body instanceof Readable)
        throw new Error(`${route.path}: a frequent route must not answer a stream`)
      reply.raw.writeHead(status, {
        'x-request-id': request.id,
        ...always,
        ...headers,
        'content-length': Buffer.byteLength(body),
        ...(isClosing() && { connection: 'close' }),
      })
      // Node sends a text together with the headers; a Buffer would be a second write.
      if (typeof body === 'string') reply.raw.end(body)
      else reply.raw.end(body.toString('latin1'), 'latin1')
      onAnswer(route, request, status, began)
    } catch (error) {
      reply.raw.once('close', () => onAnswer(route, request, reply.raw.statusCode, began))
      reply.send(error)
    }
  }
  return (request, reply) => void serve(request, reply)
}
