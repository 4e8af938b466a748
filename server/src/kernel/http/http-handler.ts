// One request of a route: reads it, runs its handler under the conditions in its headers (Idempotency-Key, If-Match),
// and answers.
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '#kernel/api/auth.ts'
import type { BodyBudget, Reservation } from '#kernel/api/body.ts'
import type { RawFile } from '#kernel/api/file-in-body.ts'
import { unknownParametersOf, withIgnored } from '#kernel/api/ignored.ts'
import { pieceBytes } from '#kernel/api/large-pages.ts'
import { type AccountCaller, type Answer, isOfAccount, isWrite, type Route } from '#kernel/api/routes.ts'
import { type Caller, credentialIdOf } from '#kernel/api/scopes.ts'
import type { SessionCookie } from '#kernel/api/session-cookies.ts'
import { bodyReader, lowerUuid, queryReader, uuid } from '#kernel/api/validation.ts'
import { apiError, type Detail, validationError } from '#kernel/base/errors.ts'
import type { KeyedQueue } from '#kernel/base/queues.ts'
import { yieldToEventLoop } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import type { BrowserCookie, MarkedBrowser } from './browser-cookies.ts'
import { memoryCallerOf } from './http-body.ts'
import { clientOf, hashRequest, hasVersion } from './http-request.ts'
import {
  comparesVersions,
  ifUnchanged,
  runOnce,
  type StoredBy,
  takesIdempotencyKey,
} from './preconditions.ts'
import type { WorkspaceShares } from './workspace-shares.ts'

/** Reserves memory that the handler of a request needs beside its body. */
export type Reserve = (request: FastifyRequest, reply: FastifyReply, bytes: number) => Promise<Reservation>

export interface HandlerOptions {
  readonly db: Db
  /** The database for requests that read. */
  readonly shares: WorkspaceShares
  readonly slowRequests: KeyedQueue
  readonly reserve: Reserve
  readonly cookie: SessionCookie
  readonly browsers: BrowserCookie
  /** Bytes of answers that clients have not read yet. */
  readonly answers: BodyBudget
  /** While the process stops, each answer asks the client to open a new connection. */
  readonly isClosing: () => boolean
}

/** Larger bodies take more than a millisecond to parse and check. */
const largeBytes = 32 * 1024

/** Smaller answers need no reservation: the number of connections bounds how many of them there are. */
const largeAnswerBytes = 64 * 1024

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** `read` is the GET whose ETag is the version for If-Match. */
export function createHandler(
  route: Route,
  read: Route | undefined,
  { db: pool, shares, slowRequests, answers, reserve, cookie, browsers, isClosing }: HandlerOptions,
): Handler {
  const readQuery = route.query ? queryReader(route.query) : () => ({})
  const parseBody = route.body ? bodyReader(route.body) : () => noBody
  const isRead = !isWrite(route)
  const isOfPerson = route.access === 'anonymous' || isOfAccount(route.access)
  const unknownIn = unknownParametersOf(new Set(Object.keys(route.query?.properties ?? {})))
  const takesKey = takesIdempotencyKey(route)

  return async (request, reply) => {
    const params = paramsOf(route, request.params as Record<string, string>)
    const query = readQuery(request.query)
    const bytes = request.body as Buffer | undefined
    if (bytes && bytes.length > largeBytes) await yieldToEventLoop()
    const { body, problems } =
      rawBodyOf(route, request, bytes) ?? parseBody(isForm(request) ? formAsJson(bytes) : bytes)
    const by = request.identity === null ? null : callerOf(request.identity, request.id)
    let browser: MarkedBrowser | undefined
    const markBrowser = (): string => {
      browser ??= browsers.browserOf(request.headers.cookie)
      return browser.id
    }
    const client = { ...clientOf(request), ...(isOfPerson && { markBrowser }) }
    const account = request.account && { ...request.account, requestId: request.id, client }
    const db = by && isRead ? shares(by.workspaceId) : pool
    if (problems.length > 0) throw validationError(await allProblems(route, pool, by, body, problems))
    const call = (on: Db, prepared?: unknown) => ({
      db: on,
      isAnswerInTransaction: on !== db,
      by,
      account,
      client,
      params,
      query,
      body,
      isAbandoned: () => request.isAnswered,
      prepared,
    })
    /** Stored answers contain what was ignored, so a replay has the same body. */
    const perform = async (on: Db, prepared: unknown): Promise<Answer> => {
      const answer = await route.handle(call(on, prepared))
      return by === null && account === null ? answer : withIgnored(answer, unknownIn(request.query))
    }
    const answer =
      by && route.isSlow?.(body)
        ? await slowRequests.run(by.workspaceId, async () => {
            refuseIfAbandoned(request)
            return underConditions()
          })
        : await underConditions()
    const bytesHeld = bytesHeldBy(answer.body)
    // A write has committed: its answer is never refused for lack of memory.
    if (isRead && bytesHeld > largeAnswerBytes) await reserveAnswer(answers, bytesHeld, request, answer.body)
    if (isClosing()) reply.header('connection', 'close')
    return send(route, request, reply, answer, browser?.cookie ?? null)

    /** Runs the slow part of the route. Its reservations are released when it ends. */
    async function prepare(): Promise<unknown> {
      const reservations: Reservation[] = []
      const reserveMore = async (size: number) => {
        const reservation = await reserve(request, reply, size)
        reservations.push(reservation)
        return reservation
      }
      try {
        return await route.prepare?.({ ...call(db), reserve: reserveMore })
      } finally {
        for (const reservation of reservations) reservation.release()
      }
    }

    async function underConditions(): Promise<Answer> {
      const { 'idempotency-key': key, 'if-match': match } = request.headers
      const storedBy = takesKey ? storedByOf(by, account) : null
      const isGuarded = (by || account) && read && match !== undefined && comparesVersions(route)
      const performGuarded = (on: Db, prepared: unknown) =>
        isGuarded
          ? ifUnchanged(
              on,
              match,
              tx => read.handle(call(tx)),
              tx => perform(tx, prepared),
            )
          : perform(on, prepared)
      if (storedBy && typeof key === 'string' && key !== '') {
        const requestHash = await hashRequest(`${route.method} ${request.url}\n`, bytes)
        const sealWith = route.secret ? secretOf(request, cookie) : null
        const isolation = isGuarded ? ('repeatable read' as const) : ('read committed' as const)
        const work = { prepare: route.prepare ? prepare : null, perform: performGuarded, isolation }
        return runOnce(db, { key, by: storedBy, requestHash, sealWith }, work)
      }
      return performGuarded(db, await prepare())
    }
  }
}

/** The client has closed the connection while its request waited. */
function refuseIfAbandoned({ isAnswered }: FastifyRequest): void {
  if (isAnswered) throw apiError('unavailable')
}

function storedByOf(by: Caller | null, account: AccountCaller | null): StoredBy | null {
  if (by) return { ownerId: by.workspaceId, credentialId: credentialIdOf(by) }
  return account && { ownerId: account.accountId, credentialId: account.sessionId }
}

/** The credential itself: the API key, or the token in the cookie of the session. An API key wins. */
const secretOf = ({ headers }: FastifyRequest, cookie: SessionCookie): string =>
  headers.authorization
    ? headers.authorization.replace(/^bearer +/i, '')
    : (cookie.tokenIn(headers.cookie) ?? '')

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true

/** For the few routes that accept forms: their fields as an object. */
const formAsJson = (bytes: Buffer | undefined): Buffer | undefined =>
  bytes && Buffer.from(JSON.stringify(Object.fromEntries(new URLSearchParams(bytes.toString()))))

const noBody: { readonly body: undefined; readonly problems: readonly Detail[] } = {
  body: undefined,
  problems: [],
}

/** For a body that is a file. Undefined for JSON. */
function rawBodyOf(
  { body: shape }: Route,
  { headers }: FastifyRequest,
  bytes: Buffer = Buffer.alloc(0),
): { readonly body: object; readonly problems: readonly Detail[] } | undefined {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (!shape?.file || !shape.rawTypes?.includes(type.trim().toLowerCase())) return undefined
  const file: RawFile = { raw: bytes }
  return { body: { [shape.file]: file }, problems: [] }
}

/** The problems of a body, also those that only the database knows. A field that is named already is not named again. */
async function allProblems(
  { body: shape }: Route,
  db: Db,
  by: Caller | null,
  body: object | undefined,
  problems: readonly Detail[],
): Promise<readonly Detail[]> {
  if (!shape?.storedProblems || !by || !body) return problems
  const fields = new Set(problems.map(({ field }) => field))
  const stored = await shape.storedProblems(db, by.workspaceId, body)
  return [...problems, ...stored.filter(({ field }) => !fields.has(field))]
}

/** A stream holds one piece itself, and the socket holds another. */
const bytesHeldBy = (body: Answer['body']): number =>
  body instanceof Readable ? 2 * pieceBytes : body.length

/** Held until the client has read the answer, or has closed the connection. */
async function reserveAnswer(
  answers: BodyBudget,
  bytes: number,
  request: FastifyRequest,
  body: Answer['body'],
): Promise<void> {
  try {
    const reservation = await answers.reserve(memoryCallerOf(request), bytes)
    if (request.isAnswered) reservation.release()
    else request.answerRoom = reservation
  } catch (error) {
    if (body instanceof Readable) body.destroy()
    throw error
  }
}

/** As smart fields make their keys from labels. */
const fieldKey = /^[\p{L}\p{N}_]{1,100}$/u

/** Ids in lower case; 404 for an id that cannot exist. Public routes check their parameters themselves. */
function paramsOf(
  { access, words, keys }: Route,
  sent: Readonly<Record<string, string>>,
): Record<string, string> {
  if (access === 'public' || access === 'anonymous') return sent
  const params = Object.entries(sent)
  const isPossible = ([name, value]: readonly [string, string]): boolean =>
    words?.[name]?.includes(value) ??
    (uuid.test(value) || (keys?.includes(name) === true && fieldKey.test(value)))
  if (!params.every(isPossible)) throw apiError('not_found')
  return Object.fromEntries(params.map(([name, value]) => [name, lowerUuid(value)]))
}

function send(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, cookies: answered = [] }: Answer,
  browserCookie: string | null,
): FastifyReply {
  const etag = headers.etag ?? versionOf(route, status, body)
  const cookies = [answered, browserCookie ?? []].flat()
  const tagged: Record<string, string | string[]> = {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    ...(etag !== undefined && { etag }),
    ...varyOf(reply, headers),
  }
  const isConditional = status === 200 && route.answers[304] !== undefined
  if (!isConditional || !hasVersion(request.headers['if-none-match'], etag))
    return reply.code(status).headers(tagged).send(bodyFor(request, body))
  const { 'content-length': _, 'content-encoding': __, 'content-type': ___, ...rest } = tagged
  if (body instanceof Readable) body.destroy()
  return reply.code(304).headers(rest).send()
}

/** The header Vary, with every reason for which the answer varies. */
const varyOf = (reply: FastifyReply, { vary }: Answer['headers']): Answer['headers'] =>
  vary !== undefined && reply.hasHeader('vary') ? { vary: `${reply.getHeader('vary')}, ${vary}` } : {}

/** The hash of the body. Streamed answers have none: their bytes are not known before they are sent. */
const versionOf = (route: Route, status: number, body: Answer['body']): string | undefined =>
  route.answers[304] !== undefined && status === 200 && !(body instanceof Readable)
    ? `"${hash('sha1', body, 'base64url')}"`
    : undefined

/**
 * For HEAD, Fastify would read a stream to its end and send none of it. With an empty stream it keeps our
 * Content-Length.
 */
function bodyFor({ method }: FastifyRequest, body: Answer['body']): Answer['body'] {
  if (method !== 'HEAD' || !(body instanceof Readable)) return body
  body.destroy()
  return Readable.from([])
}

const callerOf = (identity: Identity, requestId: string): Caller => ({
  workspaceId: identity.workspaceId,
  memberId: identity.memberId,
  actorId: identity.actorId,
  memberEmail: identity.memberEmail,
  apiKeyId: identity.apiKeyId,
  accountId: identity.accountId,
  sessionId: identity.sessionId,
  directoryId: identity.directoryId,
  role: identity.role,
  memberAccess: identity.memberAccess,
  scopes: identity.scopes,
  expiresAt: identity.expiresAt,
  requestId,
  via: identity.via,
})
