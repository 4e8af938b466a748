// Requests and answers as RFC 7644 writes them.
import type { Static, TSchema } from 'typebox'
import { type Answer, plainBody, type Route } from '#kernel/api/routes.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { ScimJson } from '../attributes.ts'
import { failureBody, scimFormat } from '../errors.ts'
import { ScimBody, ScimFailure, type ScimListQuery } from '../schemas.ts'

const accepts = ['application/scim+json', 'application/json']

const failures: Readonly<Record<number, TSchema>> = Object.fromEntries(
  [400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 501, 503].map(status => [status, ScimFailure]),
)

export const scimAnswer = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': scimFormat.contentType, ...headers },
})

export const scimRefusal = (status: number, detail: string): Answer =>
  scimAnswer(status, failureBody(status, detail))

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const scimListAnswer = (resources: readonly object[], totalResults: number, startIndex = 1): Answer =>
  scimAnswer(200, {
    schemas: [listSchema],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })

export interface ScimCall {
  readonly db: Db
  readonly by: Caller
  readonly id: string
  readonly query: Static<typeof ScimListQuery>
  readonly body: ScimJson
  readonly isAnswerInTransaction: boolean
}

type ScimRouteDefinition = Pick<Route, 'method' | 'path' | 'summary' | 'answers'> &
  Partial<Pick<Route, 'words' | 'bodyLimit' | 'query'>> & {
    /** The body of the request does not matter. */
    readonly ignoresBody?: boolean
    readonly handle: (call: ScimCall) => Promise<Answer>
  }

export const scimRoute = ({
  path,
  answers,
  handle,
  ignoresBody = false,
  ...rest
}: ScimRouteDefinition): Route => ({
  ...rest,
  ...(!ignoresBody &&
    ['POST', 'PUT', 'PATCH'].includes(rest.method) && { body: plainBody(ScimBody), accepts }),
  name: null,
  path: `${scimFormat.path}${path}`,
  access: 'scim:write',
  answers: { ...answers, ...failures },
  async handle({ db, by, params, query, body, isAnswerInTransaction }) {
    if (by === null) throw apiError('missing_api_key')
    return handle({
      db,
      by,
      id: params.id ?? '',
      query: query as ScimCall['query'],
      body: body as ScimJson,
      isAnswerInTransaction,
    })
  },
})
