// The Model Context Protocol at /mcp: AI agents use the routes of the API as tools, within the rights of their key.
import { createMcp, type DocumentPage, type RouteRequest, type ToolCaller } from '@signoff/mcp'
import { Type } from 'typebox'
import { isAuthorized } from '#kernel/api/auth.ts'
import { type Answer, plainBody, type Route } from '#kernel/api/routes.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError } from '#kernel/base/errors.ts'
import { actAs } from '#kernel/http/inner-requests.ts'
import { guideName, listDocs, readDoc, renamedGuides } from './guides/files.ts'
import { memoize } from './memoize.ts'
import { createOriginCheck } from './origin-check.ts'

interface InjectedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Record<string, string>
  /** The address of the client that the request is made for. */
  readonly remoteAddress?: string
  readonly payload?: string
}

interface InjectedAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly rawPayload: Buffer
}

export interface McpDeps {
  /** The routes of the API. */
  readonly routes: readonly Route[]
  readonly publicUrl: string
  readonly corsOrigins: readonly string[]
  /** Serves a request in this process, without a network. */
  readonly inject: (request: InjectedRequest) => Promise<InjectedAnswer>
  readonly onFault: (error: unknown) => void
}

const Message = Type.Object(
  {},
  { additionalProperties: true, examples: [{ jsonrpc: '2.0', id: 1, method: 'ping' }] },
)
const Reply = Type.Object({ jsonrpc: Type.String() }, { additionalProperties: true })

/** Throws when a tool names a route that does not exist. */
export function mcpRoutes(deps: McpDeps): readonly Route[] {
  const byName = new Map(deps.routes.map(route => [route.name, route]))
  const documents = memoize(() => readDocuments(deps.publicUrl))
  const serve = createMcp({ routes: deps.routes, documents, onError: deps.onFault })
  const checkOrigin = createOriginCheck(deps)
  return [
    {
      name: null,
      method: 'POST',
      path: '/mcp',
      access: 'any key',
      summary: 'The Model Context Protocol, for AI agents',
      // The routes that tools call check their parameters.
      body: plainBody(Message, { items: 'params' }),
      errors: ['origin_not_allowed', 'invalid', 'invalid_type', 'too_many'],
      // The routes that tools call are in the audit log.
      unaudited: true,
      answers: { 200: Reply, 202: null, 400: Reply, 404: Reply },
      // Not in `handle`: with an Idempotency-Key that would hold a database connection while a tool needs another one.
      async prepare({ by, client: { headers }, body }): Promise<Answer> {
        if (by === null) throw apiError('missing_api_key')
        checkOrigin(headers)
        const reply = await serve({ message: body as object, headers }, callerOf(by, byName, deps.inject))
        const type = reply.body === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }
        return { ...reply, headers: type }
      },
      handle: async ({ prepared }) => prepared as Answer,
    },
  ]
}

/** The tools act as the key, and the audit log says that it was through this protocol. */
function callerOf(
  by: Caller,
  byName: ReadonlyMap<string | null, Route>,
  inject: McpDeps['inject'],
): ToolCaller {
  return {
    allows(name) {
      const route = byName.get(name)
      return route !== undefined && isAuthorized(route, by)
    },
    async send(request) {
      const injected = injectedRequest(request, by.requestId)
      const { statusCode, headers, rawPayload } = await actAs({ ...by, via: 'mcp' }, () => inject(injected))
      const retryAfter = headers['retry-after']
      return {
        status: statusCode,
        bytes: rawPayload,
        ...(retryAfter !== undefined && { retryAfter: String(retryAfter) }),
      }
    },
  }
}

const injectedRequest = (
  { method, target, body }: RouteRequest,
  requestId: string | null,
): InjectedRequest => ({
  method: method as InjectedRequest['method'],
  url: target,
  headers: {
    ...(requestId !== null && { 'x-request-id': requestId }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(body !== undefined && { payload: body }),
})

/** The guides, with the address of this service in their commands. */
async function readDocuments(publicUrl: string): Promise<readonly DocumentPage[]> {
  const formerNames = new Map([...renamedGuides].map(([former, name]) => [name, former]))
  const paths = [...(await listDocs())].filter(path => path.endsWith('.md'))
  return Promise.all(
    paths.map(async path => {
      const text = String(await readDoc(path)).replaceAll('http://localhost:3000', publicUrl)
      const name = guideName(path)
      return { name, formerName: formerNames.get(name), title: /^# (.*)/.exec(text)?.[1] ?? name, text }
    }),
  )
}
