// The route table as an OpenAPI 3.1 document.
import type { Route } from '#kernel/routes.ts'
import { errorSchema } from './openapi/error-responses.ts'
import { headers } from './openapi/headers.ts'
import { isJson, type Json } from './openapi/json.ts'
import { operationOf } from './openapi/operation.ts'
import { SchemaComponents } from './openapi/schemas.ts'
import { tagsOf } from './openapi/tags.ts'

const sorted = (entries: ReadonlyMap<string, Json>): Json =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))

/** The answers refer to schemas whose names are known only after all routes. */
function correctAnswers(paths: Readonly<Record<string, Json>>, correct: (answer: Json) => Json): Json {
  const correctOperation = (operation: unknown): unknown =>
    isJson(operation) && isJson(operation.responses)
      ? { ...operation, responses: correct(operation.responses) }
      : operation
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, correctOperation(operation)]),
      ),
    ]),
  )
}

export function openApi(routes: readonly Route[]): object {
  const schemas = new SchemaComponents()
  const responses = new Map<string, Json>()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const operation = operationOf(route, { schemas, responses })
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
  }
  const { components, correctAnswer } = schemas.finish()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signoff',
      version: '1',
      description:
        'Open, self-hosted email signature management. Every request carries `Authorization: Bearer <API_KEY>`, or the cookie of a member who is signed in. Answers can get further properties in later versions; clients must ignore those that they do not know. The [guides](/docs/guides) explain how it is used, from the [first signature](/docs/guides/first-signature) on.',
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: tagsOf(routes),
    paths: correctAnswers(paths, correctAnswer),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the workspace, which begins with `sgn_`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-signoff',
          description:
            'The session of a member who is signed in (`signoff` where the service is reached by plain http). The header `Signoff-Workspace` chooses the workspace by its id; without it, the workspace that the session used last. Requests that write must come from a page of the service. An API key beside the cookie wins.',
        },
      },
      headers,
      responses: sorted(responses),
      schemas: { Error: errorSchema, ...components },
    },
  }
}
