// The route table as an OpenAPI 3.1 document.
import type { Route } from '#kernel/api/routes.ts'
import { TimeSlice } from '#kernel/base/time-slice.ts'
import { errorSchema } from './openapi/error-responses.ts'
import { exampleComponents } from './openapi/examples.ts'
import { headers } from './openapi/headers.ts'
import type { Json } from './openapi/json.ts'
import { type Operation, operationOf } from './openapi/operation.ts'
import { SchemaComponents } from './openapi/schemas.ts'
import { shareParts } from './openapi/shared.ts'
import { tagsOf } from './openapi/tags.ts'

const mapValues = <T, U>(object: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

/** The operations in the order of their routes, without references but to schemas, and these schemas. */
export async function operationsOf(routes: readonly Route[], slice = new TimeSlice()) {
  const collected = new SchemaComponents()
  const drafts: Operation[] = []
  for (const route of routes) {
    drafts.push(operationOf(route, collected))
    await slice.pause()
  }
  // The answers refer to schemas whose names are known only after all routes.
  const { components, correctAnswer } = collected.finish()
  const operations: Operation[] = []
  for (const draft of drafts) {
    operations.push({ ...draft, responses: mapValues(draft.responses, correctAnswer) })
    await slice.pause()
  }
  return { operations, schemas: { Error: errorSchema, ...components } }
}

/** In slices: the whole takes 0.2 s, and the first request for it must not hold up others. */
export async function openApi(routes: readonly Route[]): Promise<object> {
  const slice = new TimeSlice()
  const { operations, schemas } = await operationsOf(routes, slice)
  const parameters = shareParts(
    'parameters',
    operations.flatMap(operation => operation.parameters).map(value => ({ name: String(value.name), value })),
  )
  await slice.pause()
  const responses = shareParts(
    'responses',
    operations
      .flatMap(operation => Object.entries(operation.responses))
      .map(([status, value]) => ({ name: status, value })),
  )
  await slice.pause()
  const paths: Record<string, Json> = {}
  for (const [index, { path, method }] of routes.entries()) {
    const operation = operations[index] as Operation
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        ...operation,
        parameters: operation.parameters.map(parameters.refTo),
        responses: mapValues(operation.responses, responses.refTo),
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signoff',
      version: '1',
      description:
        'Open, self-hosted email signature management. Every request carries `Authorization: Bearer <API_KEY>`, or the cookie of a member who is signed in. Answers can get further properties in later versions; clients must ignore those that they do not know. Where a rate limit is set, every answer to a key or a session has the headers `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`; they are described at 429. The [guides](/docs/guides) explain how it is used, from the [first signature](/docs/guides/first-signature) on.',
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: tagsOf(routes),
    paths,
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
      examples: exampleComponents,
      parameters: parameters.components,
      responses: responses.components,
      schemas,
    },
  }
}
