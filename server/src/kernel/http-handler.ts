// One request of a route: reads it, does its work under the conditions that its headers set, and answers.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credential } from './auth.ts'
import type { BodyBudget, Reservation } from './body.ts'
import type { Db } from './db.ts'
import { apiError } from './errors.ts'
import { addressOf, clientOf, hashRequest, hasVersion } from './http-request.ts'
import { pieceBytes } from './large-pages.ts'
import { ifUnchanged, onceOnly } from './preconditions.ts'
import { type Answer, isWrite, type Route } from './routes.ts'
import type { Caller } from './scopes.ts'
import { yieldToEventLoop } from './time-slice.ts'
import { bodyReader, lowerUuid, queryReader, uuid } from './validation.ts'
import type { WorkspaceShares } from './workspace-shares.ts'

/** Room for bytes that the work on a request holds beside its body. */
export type Reserve = (request: FastifyRequest, reply: FastifyReply, bytes: number) => Promise<Reservation>

export interface HandlerOptions {
  readonly db: Db
  readonly reserve: Reserve
  /** While stopping, each answer asks the client to come back on a new connection. */
  readonly isClosing: () => boolean
}

export interface SharingOptions extends HandlerOptions {
  readonly shares: WorkspaceShares
  /** Bytes of answers that were not taken yet. */
  readonly answers: BodyBudget
}

/** What takes more than a millisecond to parse and check. */
const largeBytes = 32 * 1024

/** Answers so small that their number is bounded by that of the connections. */
const largeAnswerBytes = 64 * 1024

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** `read` is the GET of the same path, which tells the version for If-Match. */
export function createHandler(
  route: Route,
  read: Route | undefined,
  { db: pool, shares, answers, reserve, isClosing }: SharingOptions,
): Handler {
  const readQuery = route.query ? queryReader(route.query) : () => ({})
  const parseBody = route.body ? bodyReader(route.body) : () => undefined
  const reads = !isWrite(route)

  return async (request, reply) => {
    const params = paramsOf(route, request.params as Record<string, string>)
    const query = readQuery(request.query)
    const bytes = request.body as Buffer | undefined
    if (bytes && bytes.length > largeBytes) await yieldToEventLoop()
    const body = parseBody(bytes)
    const by = request.credential === null ? null : callerOf(request.credential, request.id)
    const db = by && reads ? shares(by.workspaceId) : pool
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
    const room = roomFor(answer.body)
    // What was written is answered in any case.
    if (reads && room > largeAnswerBytes) await holdRoom(answers, room, request, answer.body)
    if (isClosing()) reply.header('connection', 'close')
    return send(route, request, reply, answer)

    /** What it reserves is given back when it ends. */
    async function prepare(): Promise<unknown> {
      const held: Reservation[] = []
      const reserveMore = async (size: number) => {
        const reservation = await reserve(request, reply, size)
        held.push(reservation)
        return reservation
      }
      try {
        return await route.prepare?.({ ...call(db), reserve: reserveMore })
      } finally {
        for (const reservation of held) reservation.release()
      }
    }

    async function underConditions(): Promise<Answer> {
      const { 'idempotency-key': key, 'if-match': match, authorization: secret = '' } = request.headers
      if (by && route.method === 'POST' && isWrite(route) && typeof key === 'string' && key !== '') {
        const requestHash = await hashRequest(`${route.method} ${request.url}\n`, bytes)
        const sealWith = route.secret ? secret.replace(/^bearer +/i, '') : null
        const perform = (on: Db, prepared: unknown) => route.handle(call(on, prepared))
        const work = { prepare: route.prepare ? prepare : null, perform }
        return onceOnly(db, { key, by, requestHash, sealWith }, work)
      }
      const prepared = await prepare()
      const perform = (on: Db) => route.handle(call(on, prepared))
      if (by && read && match !== undefined && (route.method === 'PATCH' || route.method === 'DELETE'))
        return ifUnchanged(db, match, on => read.handle(call(on)), perform)
      return perform(db)
    }
  }
}

/** A stream has a piece in its own hands and one in those of the socket. */
const roomFor = (body: Answer['body']): number => (body instanceof Readable ? 2 * pieceBytes : body.length)

/** Until the client has taken the answer, or has gone. */
async function holdRoom(
  answers: BodyBudget,
  bytes: number,
  request: FastifyRequest,
  body: Answer['body'],
): Promise<void> {
  const caller = request.credential?.apiKeyId ?? addressOf(request)
  try {
    const room = await answers.reserve(caller, bytes)
    if (request.isAnswered) room.release()
    else request.answerRoom = room
  } catch (error) {
    if (body instanceof Readable) body.destroy()
    throw error
  }
}

/** Ids in lower case; 404 for one that cannot exist. Public routes look at their parameters themselves. */
function paramsOf({ access, words }: Route, sent: Readonly<Record<string, string>>): Record<string, string> {
  if (access === 'public') return sent
  const params = Object.entries(sent)
  if (!params.every(([name, value]) => words?.[name]?.includes(value) ?? uuid.test(value)))
    throw apiError('not_found')
  return Object.fromEntries(params.map(([name, value]) => [name, lowerUuid(value)]))
}

function send(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Answer,
): FastifyReply {
  if (route.answers[304] === undefined || !hasVersion(request.headers['if-none-match'], headers.etag))
    return reply.code(status).headers(headers).send(bodyFor(request, body))
  const { 'content-length': _, 'content-encoding': __, ...rest } = headers
  if (body instanceof Readable) body.destroy()
  return reply.code(304).headers(rest).send()
}

/** Fastify would read a whole stream to answer HEAD with nothing of it; of an empty one it leaves our Content-Length. */
function bodyFor({ method }: FastifyRequest, body: Answer['body']): Answer['body'] {
  if (method !== 'HEAD' || !(body instanceof Readable)) return body
  body.destroy()
  return Readable.from([])
}

const callerOf = (credential: Credential, requestId: string): Caller => ({
  workspaceId: credential.workspaceId,
  memberId: credential.memberId,
  actorId: credential.actorId,
  memberEmail: credential.memberEmail,
  directoryId: null,
  apiKeyId: credential.apiKeyId,
  role: credential.role,
  scopes: credential.scopes,
  expiresAt: credential.expiresAt,
  requestId,
})
