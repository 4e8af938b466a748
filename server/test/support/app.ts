// The real app on its own database. Every response is checked against the schema of its route.

import { randomUUID } from 'node:crypto'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type pg from 'pg'
import { inject } from 'vitest'
import { errorCodesOf } from '#api/openapi/error-codes.ts'
import { sendsVersion } from '#api/openapi/headers.ts'
import { buildApp } from '#app.ts'
import { type Config, readConfig } from '#config.ts'
import { setSessionWorkspace, startSession } from '#features/access/access/index.ts'
import { ScimFailure } from '#features/people/scim/schemas.ts'
import {
  findAccountByEmail,
  findMember,
  insertMember,
  markVerified,
} from '#features/workspace/accounts/index.ts'
import { createWorkspace } from '#features/workspace/workspaces/index.ts'
import type { Route } from '#kernel/api/routes.ts'
import { type Caller, operator, type Role } from '#kernel/api/scopes.ts'
import { createLog, type Log } from '#kernel/base/log.ts'
import { openPool, type Pool } from '#kernel/db/db.ts'
import { buildParts, type Outside, type Parts } from '#parts.ts'
import type { Store } from '#platform/storage/index.ts'
import { afterFile } from './after-file.ts'
import { linkBrowser } from './browser/browser.ts'
import { copyDatabase, dropDatabase } from './postgres/databases.ts'
import { routeTo, templateDatabase, withDatabase } from './postgres/postgres.ts'
import { runsOnCluster } from './postgres/test-cluster.ts'
import { emptyFolder } from './processes/process.ts'

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read the bodies of all routes
  readonly body: any
}

export interface RequestOptions {
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Sent unchanged, instead of `body`. */
  readonly payload?: string | Buffer
}

export interface TestWorkspace {
  readonly id: string
  readonly key: string
  readonly by: Caller
}

export interface SignInOptions {
  /** `owner` unless given: a workspace has one owner, who has an account. */
  readonly role?: Role
  /** The workspace; the app's own unless given. */
  readonly workspace?: Pick<TestWorkspace, 'id'>
  /** The address of the account; a new one unless given, except for the owner. */
  readonly email?: string
}

interface Requests {
  call(method: string, path: string, sent?: RequestOptions): Promise<Answer>
  get(path: string, sent?: RequestOptions): Promise<Answer>
  post(path: string, body?: unknown, sent?: RequestOptions): Promise<Answer>
  patch(path: string, body?: unknown, sent?: RequestOptions): Promise<Answer>
}

/** Requests of a page of the service. */
interface BrowserRequests extends Requests {
  delete(path: string, sent?: RequestOptions): Promise<Answer>
}

/** A browser in which a person is signed in. */
export interface SignedIn extends BrowserRequests {
  readonly accountId: string
  readonly memberId: string
  readonly email: string
  /** As browsers send it: `signoff=…`. */
  readonly cookie: string
}

export interface TestApp extends TestWorkspace, Requests {
  readonly db: Pool
  readonly http: FastifyInstance
  readonly connection: pg.ClientConfig
  readonly routes: readonly Route[]
  readonly other: TestWorkspace
  readonly config: Config
  readonly parts: Parts
  readonly store: Store
  readonly now: () => Date
  /** Builds the dashboard, unless a test of this run has done it. */
  startDashboard(): Promise<void>
  /** The current metrics; /metrics returns values that are up to a second old. */
  metrics(): Promise<string>
  del(path: string, sent?: RequestOptions): Promise<Answer>
  workspace(name: string): Promise<TestWorkspace>
  /** Creates an account, unless the address has one, a member and a session. */
  signIn(options?: SignInOptions): Promise<SignedIn>
  /** Requests of a browser that holds this cookie. */
  browser(cookie: string): BrowserRequests
}

const ajv = new Ajv({ strictSchema: false, allowUnionTypes: true })
addFormats.default(ajv)

const envelope = ajv.compile({
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message'],
      additionalProperties: false,
      properties: {
        type: { type: 'string' },
        code: { type: 'string' },
        message: { type: 'string', minLength: 1 },
      },
    },
    details: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        additionalProperties: false,
        properties: {
          field: { type: 'string', minLength: 1 },
          code: { type: 'string' },
          message: { type: 'string' },
          allowed: { type: 'array' },
          missing: { type: 'array' },
        },
      },
    },
    remediation: { type: 'object', required: ['action', 'dashboard_url', 'message'] },
  },
})

const scimEnvelope = ajv.compile(ScimFailure)

const validators = new WeakMap<object, ValidateFunction>()
const validatorsByText = new Map<string, ValidateFunction>()

/** Every app has schema objects of its own, with the same text: compiling one takes 10 ms of CPU time. */
function validatorOf(schema: object): ValidateFunction {
  const ready = validators.get(schema)
  if (ready) return ready
  const text = JSON.stringify(schema)
  const validate = validatorsByText.get(text) ?? ajv.compile(schema)
  validatorsByText.set(text, validate)
  validators.set(schema, validate)
  return validate
}

const announcedCodes = new WeakMap<Route, ReadonlySet<string>>()

/** True if the codes of an error, and of its details, are among those that the document lists for the route. */
function isAnnounced(route: Route | undefined, text: string): boolean {
  if (!route) return true
  const { error, details = [] } = JSON.parse(text)
  const codes = announcedCodes.get(route) ?? new Set<string>(errorCodesOf(route))
  announcedCodes.set(route, codes)
  return [error, ...details].every(({ code }) => codes.has(code))
}

function mismatchOf(route: Route | undefined, status: number, text: string, isScim: boolean): string | null {
  if (status >= 400 && isScim) return scimEnvelope(JSON.parse(text)) ? null : `not an error of SCIM: ${text}`
  // Routes for HTML pages declare their own error responses.
  if (status >= 400 && route?.answers[status] === undefined && !isAnnounced(route, text))
    return `${route?.method} ${route?.path} does not announce the error ${text}`
  if (status >= 400 && route?.answers[status] === undefined)
    return envelope(JSON.parse(text)) ? null : `not the error envelope: ${ajv.errorsText(envelope.errors)}`
  if (!route) return null
  const schema = route.answers[status]
  if (schema === undefined) return `${route.method} ${route.path} does not announce ${status}`
  if (schema === null) return text === '' ? null : 'a body where none belongs'
  if (!text.startsWith('{')) return null
  const validate = validatorOf(schema)
  return validate(JSON.parse(text))
    ? null
    : `${route.method} ${route.path}: ${ajv.errorsText(validate.errors)} in ${text}`
}

/** Checks that the answer has an ETag exactly where the document lists one. Null: it is as listed. */
function versionMismatchOf(route: Route | undefined, status: number, hasVersion: boolean): string | null {
  if (!route?.name || status >= 400 || hasVersion === sendsVersion(route, status)) return null
  return `${route.method} ${route.path} answers ${status} ${hasVersion ? 'with' : 'without'} an ETag`
}

/** A new migrated database, or a copy of another one, dropped after the test file. */
export async function freshDatabase(template = templateDatabase): Promise<pg.ClientConfig> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await copyDatabase(template, name)
  afterFile(() => dropDatabase(name))
  return withDatabase(inject('postgres'), name)
}

export interface TestOptions extends Partial<Outside> {
  readonly env?: Record<string, string>
  readonly log?: Log
  /** The database of another app, to share it. */
  readonly connection?: pg.ClientConfig
  /** Workspaces that are in the database already. */
  readonly workspaces?: Readonly<Record<'own' | 'other', TestWorkspace>>
  /** The app reads as in a cluster; so in one by `npm run test:citus` unless given. */
  readonly isDistributed?: boolean
  /** The app can take screenshots, with the browser that is unpacked once for all tests. */
  readonly draws?: boolean
}

async function createTestWorkspace(db: Pool, name: string): Promise<TestWorkspace> {
  const { id, key } = await createWorkspace(db, {
    name,
    ownerName: 'Owner',
    ownerEmail: name === 'Own' ? 'owner@example.com' : `owner.${randomUUID()}@example.com`,
  })
  return { id, key, by: operator(id) }
}

export async function createTestWorkspaces(db: Pool): Promise<NonNullable<TestOptions['workspaces']>> {
  return { own: await createTestWorkspace(db, 'Own'), other: await createTestWorkspace(db, 'Other') }
}

export async function testApp(options: TestOptions = {}): Promise<TestApp> {
  const connection = options.connection ?? (await freshDatabase())
  const pool = openPool({ ...routeTo(connection), size: 10, onError: () => undefined })
  const db = { ...pool, isDistributed: options.isDistributed ?? runsOnCluster }
  const config = readConfig({ SIGNOFF_DATA_DIR: await emptyFolder(), ...options.env })
  if (options.draws) await linkBrowser(config.dataDir)
  const log = options.log ?? createLog('silent')
  const parts = buildParts(config, options)
  const { http, routes, metrics, open, startDashboard } = buildApp({ parts, db, log })
  open()
  const mismatches = new Map<string, string>()
  http.addHook('onSend', async (request, reply, payload) => {
    const isStreamed = typeof payload === 'object' && payload !== null && 'pipe' in payload
    const { route } = request.routeOptions.config
    // The page for a browser at an address that is not there.
    const isUnknownPage = !route && String(reply.getHeader('content-type')).startsWith('text/html')
    if (isStreamed || isUnknownPage) return
    const text = typeof payload === 'string' ? payload : ''
    const mismatch =
      mismatchOf(route, reply.statusCode, text, request.url.startsWith('/scim/v2')) ??
      versionMismatchOf(route, reply.statusCode, reply.hasHeader('etag'))
    if (mismatch) mismatches.set(request.id, mismatch)
  })
  afterFile(async () => {
    // A test can leave a request or a transaction that does not end by itself.
    http.server.closeAllConnections()
    await http.close()
    await db.end(5_000)
  })

  const { own: ownWorkspace, other } = options.workspaces ?? (await createTestWorkspaces(db))

  async function call(method: string, path: string, sent: RequestOptions = {}): Promise<Answer> {
    const key = sent.key === undefined ? ownWorkspace.key : sent.key
    const payload = sent.payload ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const headers = {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...sent.headers,
    }
    const request = { method, url: path, headers, ...(payload !== undefined && { payload }) } as InjectOptions
    const response = await http.inject(request)
    const mismatch = mismatches.get(String(response.headers['x-request-id']))
    if (mismatch) throw new Error(mismatch)
    const text = response.body
    const isJson = /^application\/(scim\+)?json/.test(String(response.headers['content-type']))
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text,
      bytes: response.rawPayload,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }

  const browser = (cookie: string): BrowserRequests => {
    const { origin } = new URL(config.publicUrl)
    const own = { cookie, origin, 'sec-fetch-site': 'same-origin' }
    const send = (method: string, path: string, sent: RequestOptions = {}) =>
      call(method, path, { key: null, ...sent, headers: { ...own, ...sent.headers } })
    return {
      call: send,
      get: (path, sent) => send('GET', path, sent),
      post: (path, body, sent) => send('POST', path, { body, ...sent }),
      patch: (path, body, sent) => send('PATCH', path, { body, ...sent }),
      delete: (path, sent) => send('DELETE', path, sent),
    }
  }
  const client = { method: 'POST', address: '127.0.0.1', userAgent: 'test', requestId: 'test', headers: {} }
  async function signIn(options: SignInOptions = {}): Promise<SignedIn> {
    const { role = 'owner', workspace = ownWorkspace } = options
    const owner = role === 'owner' ? await findMember(db, workspace.id) : undefined
    const email = options.email ?? owner?.email ?? `person.${randomUUID()}@example.com`
    const existing = await findMember(db, workspace.id, email)
    const memberId =
      existing?.id ??
      (await db.transaction(tx => insertMember(tx, workspace.id, { name: role, email, role })))
    const account = await findAccountByEmail(db, email)
    if (!account) throw new Error(`no account has the address ${email}`)
    await db.query(markVerified(account.id))
    const how = { method: 'operator', hasSecondFactor: true } as const
    const started = await db.transaction(tx => startSession(tx, account, how, client, parts.access))
    await db.query(setSessionWorkspace(started.sessionId, workspace.id))
    const cookie = started.cookie.slice(0, started.cookie.indexOf(';'))
    return { accountId: account.id, memberId, email, cookie, ...browser(cookie) }
  }

  return {
    ...ownWorkspace,
    signIn,
    browser,
    db,
    http,
    connection,
    routes,
    other,
    config,
    parts,
    store: parts.store,
    now: parts.now,
    startDashboard,
    metrics: () => metrics.text(),
    call,
    get: (path, sent) => call('GET', path, sent),
    post: (path, body, sent) => call('POST', path, { body, ...sent }),
    patch: (path, body, sent) => call('PATCH', path, { body, ...sent }),
    del: (path, sent) => call('DELETE', path, sent),
    workspace: name => createTestWorkspace(db, name),
  }
}

/** The fields in the details of an error response, with their codes. */
export const fieldErrors = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    (answer.body.details ?? []).map((problem: { field: string; code: string }) => [
      problem.field,
      problem.code,
    ]),
  )
