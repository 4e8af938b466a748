// The API as data: features list their routes, http.ts serves them, openapi.ts documents them, `signoff routes` prints
// them.
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { ClosedObject } from '#kernel/base/closed.ts'
import { apiError, type Detail, type RouteError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { AccountIdentity } from './auth.ts'
import type { ReserveMemory } from './body.ts'
import { type IgnoredInput, ignoredProperty } from './ignored.ts'
import type { StreamedList } from './large-pages.ts'
import type { ListResult } from './pagination.ts'
import type { Caller, Role, Scope } from './scopes.ts'

/** The parameter names in a path like `/v1/folders/{id}`. */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never

/** The client of a request. Of it, only sessions store anything: the name of the browser, and the network. */
export interface RequestClient {
  readonly method: string
  readonly address: string
  readonly userAgent: string
  readonly requestId?: string
  /** The query as it was sent, with its question mark. */
  readonly search?: string
  /**
   * The id of the browser, from its cookie. A browser without one gets a new id, which the answer sets. Only for routes of
   * people: see `browser-cookies.ts`.
   */
  readonly markBrowser?: () => string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The person on whose behalf an account route runs. */
export interface AccountCaller extends Omit<AccountIdentity, 'countedBy'> {
  readonly requestId: string
  readonly client: RequestClient
}

interface Call<Path extends string, Query, Body> {
  readonly db: Db
  readonly isAnswerInTransaction: boolean
  readonly by: Caller
  readonly params: Readonly<Record<ParamsOf<Path>, string>>
  readonly query: Query
  readonly body: Body
  readonly isAbandoned?: () => boolean
}

export interface Answer {
  readonly status: number
  /** A stream is read as fast as the client reads the answer. */
  readonly body: string | Buffer | Readable
  readonly headers: Readonly<Record<string, string>> & { readonly 'set-cookie'?: never }
  /** Set-Cookie headers: see `withCookie`. They are not stored with the answer to an Idempotency-Key. */
  readonly cookies?: readonly string[]
  /** Inputs of the request that had no effect. The HTTP layer writes them into the body, beside `data`. */
  readonly ignored?: readonly IgnoredInput[]
}

export interface BodyShape<Schema extends TSchema = TSchema> {
  readonly schema: Schema
  /** Most bodies are `{"folder": {…}}`. Unless the wrapper is required, the inner object alone is accepted too. */
  readonly wrapper?: { readonly name: string; readonly required: boolean }
  /**
   * Problems that the schema cannot express. The body need not match the schema: the problems of both are answered
   * together.
   */
  readonly problems?: (body: object) => readonly Detail[]
  /**
   * Problems that only the database knows. Called when the body has other problems, so that one answer names all;
   * otherwise the handler finds them itself.
   */
  readonly storedProblems?: (db: Db, workspaceId: string, body: object) => Promise<readonly Detail[]>
  /**
   * The property whose items the handler checks one by one: an item with a character that PostgreSQL cannot store does
   * not refuse the body.
   */
  readonly items?: string
  /** The property that holds a file in base64. The handler gets a Base64File, not a text. */
  readonly file?: string
  /**
   * Content types of a body that is the file itself; `accepts` of the route lists them too. The handler gets a RawFile
   * in the property `file`.
   */
  readonly rawTypes?: readonly string[]
}

export interface Route {
  /**
   * `signatures.publish`: the operation in openapi.json, the SDK and MCP. Null outside the API (files, pages, pixels).
   */
  readonly name: string | null
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * As OpenAPI writes it: `/v1/folders/{id}`. Parameters are UUIDs, except in public routes, which check them
   * themselves.
   */
  readonly path: string
  /** For parameters that are not UUIDs: the allowed words. */
  readonly words?: Readonly<Record<string, readonly string[]>>
  /** Parameters that take the key of a smart field, such as `profile_picture`, as well as its UUID. */
  readonly keys?: readonly string[]
  /**
   * `session`: a person who is signed in, without a workspace. `pending session`: the second factor can still be missing.
   * `anonymous`: no credential; requests of pages of other origins are refused. `public`: no credential, no check.
   */
  readonly access: Scope | 'any key' | 'session' | 'pending session' | 'anonymous' | 'public'
  /** An anonymous route that pages of other origins send to, such as an identity provider. */
  readonly crossOrigin?: boolean
  /**
   * An account route for sessions of single sign-on too. It must neither show nor change anything of the account outside
   * of the workspace that has signed the person in.
   */
  readonly admitsSso?: boolean
  /**
   * Members are admitted without the role that `access` needs; the rules of the feature let them read or change only
   * their own data.
   */
  readonly own?: boolean
  /** Members with this role are admitted, although it does not include `access`. */
  readonly alsoAdmits?: Role
  /** Members below this role are refused, although their role includes `access`. */
  readonly leastRole?: Role
  readonly summary: string
  readonly description?: string
  readonly query?: TObject
  readonly body?: BodyShape
  readonly bodyLimit?: number
  /**
   * Requested all day long by mail clients. It is public, has neither query nor body, and is served by the hot path.
   * Its requests are logged at debug level, because they would hide all others.
   */
  readonly isFrequent?: boolean
  /** Content types of the body, where JSON is not the only one. */
  readonly accepts?: readonly string[]
  /** Pages of any origin may call it from a browser, without credentials. */
  readonly cors?: boolean | 'with identity'
  /**
   * Codes that its feature answers, besides those of every route of its kind and those that follow from its schemas:
   * see `errorCodesOf`.
   */
  readonly errors?: readonly RouteError[]
  /** It writes a record of its own, or nothing that lasts: the audit log gets no entry. */
  readonly unaudited?: boolean
  /**
   * The path of the GET whose ETag is the version for If-Match, where that is not the route's own path. Null: the path is
   * a list, whose version is a token in the body, and If-Match has no effect.
   */
  readonly versionAt?: string | null
  /** The answer holds a secret that is shown once: a stored answer is encrypted. */
  readonly secret?: boolean
  /**
   * True if a request reads so much of its workspace that only a few at once are allowed: see `createSlowRequests`. The
   * body matches its schema.
   */
  isSlow?(body: unknown): boolean
  /** The body of each status; null is empty. With 304, an answer without an ETag gets a hash of its body. */
  readonly answers: Readonly<Record<number, TSchema | null>>
  /** For a page: an error that the handler does not answer itself, such as a fault of the service. */
  readonly errorPage?: (code: string, sent: RequestClient['headers']) => Pick<Answer, 'body' | 'headers'>
  /**
   * Slow work before `handle` that holds no database connection: fetching, drawing, writing files. With an
   * Idempotency-Key it is done once, by one process. `handle` gets its result as `prepared`.
   */
  readonly prepare?: (call: AnyCall & ReserveMemory) => Promise<unknown>
  readonly handle: (call: AnyCall) => Promise<Answer>
}

/** True if the caller of a route is a person without a workspace: see `accountRoute`. */
export const isOfAccount = (access: Route['access']): access is 'session' | 'pending session' =>
  access === 'session' || access === 'pending session'

/** True if a route needs an API key, or a session of a member. */
export const isOfWorkspace = (access: Route['access']): access is Scope | 'any key' =>
  !isOfAccount(access) && access !== 'anonymous' && access !== 'public'

/** A POST can also be a query that changes nothing: its scope ends with `:read`. */
export const isWrite = ({ method, access }: Pick<Route, 'method' | 'access'>): boolean =>
  method !== 'GET' && !access.endsWith(':read')

interface AnyCall {
  readonly db: Db
  /** `db` is the transaction that also stores the answer: everything that must be committed with it must use `db`. */
  readonly isAnswerInTransaction: boolean
  readonly by: Caller | null
  /** For routes of people; `by` is null then. */
  readonly account?: AccountCaller | null
  readonly client: RequestClient
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
  /** True when the client has closed the connection: work that changes nothing can stop. */
  readonly isAbandoned?: () => boolean
  readonly prepared?: unknown
}

type Definition<Path extends string, Query extends TObject, Body extends TSchema, Prepared> = Omit<
  Route,
  'name' | 'handle' | 'path' | 'query' | 'body' | 'access' | 'prepare' | 'isSlow'
> & {
  readonly name: string
  readonly path: Path
  readonly access: Scope | 'any key'
  readonly query?: Query
  readonly body?: BodyShape<Body>
  isSlow?(body: Static<Body>): boolean
  readonly prepare?: (call: Call<Path, Static<Query>, Static<Body>> & ReserveMemory) => Promise<Prepared>
  readonly handle: (
    call: Call<Path, Static<Query>, Static<Body>> & { readonly prepared: Prepared },
  ) => Promise<Answer>
}

/** The answer to a GET has an ETag, unless it is a table, which is streamed. */
const isVersioned = ({ method, answers }: Pick<Route, 'method' | 'answers'>): boolean =>
  method === 'GET' && answers[200] !== Csv

export function route<
  Path extends string,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  Prepared = undefined,
>(definition: Definition<Path, Query, Body, Prepared>): Route {
  type TypedCall = Call<Path, Static<Query>, Static<Body>> & { readonly prepared: Prepared }
  const checked = <T extends AnyCall>(call: T): T & TypedCall => {
    if (call.by === null) throw apiError('missing_api_key')
    return call as T & TypedCall
  }
  const { prepare, handle, ...rest } = definition
  return {
    ...rest,
    ...(isVersioned(rest) && { answers: { ...rest.answers, 304: null } }),
    ...(prepare && { prepare: async (call: AnyCall & ReserveMemory) => prepare(checked(call)) }),
    handle: async call => handle(checked(call)),
  }
}

type Common = Omit<Route, 'name' | 'handle' | 'path' | 'query' | 'body' | 'access' | 'prepare'>

interface PersonCall<Path extends string, Query, Body> extends Omit<Call<Path, Query, Body>, 'by'> {
  readonly client: RequestClient
}

type AccountDefinition<Path extends string, Query extends TObject, Body extends TSchema> = Common & {
  readonly name: string
  readonly path: Path
  readonly access?: 'session' | 'pending session'
  readonly query?: Query
  readonly body?: BodyShape<Body>
  readonly handle: (
    call: PersonCall<Path, Static<Query>, Static<Body>> & { readonly by: AccountCaller },
  ) => Promise<Answer>
}

/** A route of a person who is signed in. It belongs to no workspace. */
export function accountRoute<
  Path extends string,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
>({ handle, access = 'session', ...rest }: AccountDefinition<Path, Query, Body>): Route {
  type TypedCall = PersonCall<Path, Static<Query>, Static<Body>>
  return {
    ...rest,
    access,
    ...(isVersioned(rest) && { answers: { ...rest.answers, 304: null } }),
    async handle({ account, ...call }) {
      if (!account) throw apiError('missing_session')
      return handle({ ...(call as unknown as TypedCall), by: account })
    },
  }
}

type AnonymousDefinition<Path extends string, Query extends TObject, Body extends TSchema> = Common & {
  readonly name: string
  readonly path: Path
  readonly query?: Query
  readonly body?: BodyShape<Body>
  readonly handle: (call: PersonCall<Path, Static<Query>, Static<Body>>) => Promise<Answer>
}

/** A route without a credential, such as a sign-in. Pages of other origins cannot write by it. */
export const anonymousRoute = <
  Path extends string,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
>({
  handle,
  ...rest
}: AnonymousDefinition<Path, Query, Body>): Route => ({
  ...rest,
  access: 'anonymous',
  handle: async call => handle(call as unknown as PersonCall<Path, Static<Query>, Static<Body>>),
})

export const publicRoute = (
  path: string,
  summary: string,
  answers: Route['answers'],
  handle: (call: Pick<AnyCall, 'db' | 'params' | 'client'>) => Promise<Answer>,
): Route => ({ name: null, method: 'GET', path, access: 'public', summary, answers, handle })

/** `{"folder": {…}}`, or the inner object alone. */
export const maybeWrappedBody = <S extends TSchema>(
  name: string,
  schema: S,
  more: Pick<BodyShape, 'file' | 'rawTypes' | 'problems' | 'storedProblems'> = {},
): BodyShape<S> => ({ schema, wrapper: { name, required: false }, ...more })

/** `{"teammate": {…}}` and nothing else. */
export const wrappedBody = <S extends TSchema>(
  name: string,
  schema: S,
  more: Pick<BodyShape, 'problems' | 'storedProblems'> = {},
): BodyShape<S> => ({ schema, wrapper: { name, required: true }, ...more })

export const plainBody = <S extends TSchema>(
  schema: S,
  more: Pick<BodyShape, 'problems' | 'items'> = {},
): BodyShape<S> => ({
  schema,
  ...more,
})

/** A picture instead of JSON. */
export const Png = Type.Unsafe<never>({ type: 'string', contentMediaType: 'image/png' })

/** A table instead of JSON. */
export const Csv = Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' })

/** `siblings` stand beside `data`. */
export const dataOf = (schema: TSchema, siblings: TProperties = {}): TSchema =>
  ClosedObject({ data: schema, ...siblings, ...ignoredProperty })

const json = 'application/json; charset=utf-8'

function single(status: number, data: object, headers: Record<string, string>, version: object): Answer {
  const body = JSON.stringify({ data })
  const tagged = version === data ? body : JSON.stringify(version)
  return {
    status,
    body,
    headers: { 'content-type': json, etag: `"${hash('sha1', tagged, 'base64url')}"`, ...headers },
  }
}

/** The ETag is made from `version`, where that is not all of the data. */
export const ok = (data: object, version = data): Answer => single(200, data, {}, version)
/** With more beside `data`, which the ETag leaves out: it is that of the resource. */
export function okWith(data: object, siblings: object): Answer {
  const { body, ...answer } = ok(data)
  return { ...answer, body: `${String(body).slice(0, -1)},${JSON.stringify(siblings).slice(1)}` }
}
export const created = (data: object, location: string, version = data): Answer =>
  single(201, data, { location }, version)

export const jsonText = (body: string, status = 200): Answer => ({
  status,
  body,
  headers: { 'content-type': json },
})
/** A page of a list. */
export function list(page: ListResult | StreamedList): Answer {
  const rest = `,"pagination":${JSON.stringify(page.pagination)}}`
  if ('data' in page) return jsonText(`{"data":${page.data}${rest}`)
  // Object mode would read 16 pieces ahead.
  const body = Readable.from(enclosed('{"data":', page.pieces, rest), { objectMode: false })
  return { status: 200, body, headers: { 'content-type': json } }
}

async function* enclosed(
  before: string,
  pieces: AsyncIterable<string>,
  after: string,
): AsyncGenerator<string> {
  yield before
  yield* pieces
  yield after
}

export const csv = (body: Readable, filename: string): Answer => ({
  status: 200,
  body,
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${filename}"`,
  },
})

export const accepted = (data: object): Answer => jsonText(JSON.stringify({ data }), 202)
export const noContent = (): Answer => ({ status: 204, body: '', headers: {} })
