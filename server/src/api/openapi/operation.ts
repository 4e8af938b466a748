// One route as an operation of the document.

import type { TSchema } from 'typebox'
import { isOfAccount, type Route } from '#kernel/api/routes.ts'
import { comparesVersions, takesIdempotencyKey } from '#kernel/http/preconditions.ts'
import { needsBody } from './detail-codes.ts'
import { errorResponsesOf } from './error-responses.ts'
import { exampleOf, examples } from './examples.ts'
import { headerRefs, sendsVersion } from './headers.ts'
import type { Json } from './json.ts'
import { type SchemaComponents, withKnownFormats } from './schemas.ts'
import { tagNameOf } from './tags.ts'

export interface Operation extends Json {
  readonly parameters: readonly Json[]
  readonly responses: Readonly<Record<string, Json>>
}

/** A parameter with a default is optional. */
function isRequired({ query }: Route, name: string): boolean {
  const schema = query?.properties[name] as { default?: unknown } | undefined
  return (query?.required as string[] | undefined)?.includes(name) === true && schema?.default === undefined
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

function pathSchema({ words, keys }: Route, name: string): Json {
  if (words?.[name]) return { type: 'string', enum: words[name] }
  if (keys?.includes(name)) return { type: 'string', description: 'The id of the field, or its `key`.' }
  return { type: 'string', format: 'uuid' }
}

const pathParameters = (route: Route): Json[] =>
  [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchema(route, name),
  }))

const queryParameters = (route: Route): Json[] =>
  Object.entries(route.query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schema as Json
    return {
      name,
      in: 'query',
      required: isRequired(route, name),
      ...(description !== undefined && { description }),
      schema: withKnownFormats(rest),
    }
  })

const parametersOf = (route: Route): Json[] => [
  ...pathParameters(route),
  ...queryParameters(route),
  ...(takesIdempotencyKey(route)
    ? [header('Idempotency-Key', 'The same key and body within 24 hours get the first answer again.')]
    : []),
  ...(comparesVersions(route)
    ? [
        header(
          'If-Match',
          'The ETag that was read; if the resource has changed since, 412 and nothing happens.',
        ),
      ]
    : []),
  ...(route.answers[304] === undefined
    ? []
    : [
        header(
          'If-None-Match',
          'An ETag that was read; if the answer is still the same, 304 without a body.',
        ),
      ]),
]

function requestBodyOf({ name, body }: Route, schemas: SchemaComponents): Json | undefined {
  if (!body) return undefined
  const inner = schemas.request(body.schema)
  const schema = body.wrapper
    ? {
        type: 'object',
        required: [body.wrapper.name],
        properties: { [body.wrapper.name]: inner },
        additionalProperties: false,
      }
    : inner
  const note = body.wrapper && !body.wrapper.required ? { description: 'Or the inner object alone.' } : {}
  const media = { schema, ...exampleOf(examples[name ?? '']?.request) }
  const files = (body.rawTypes ?? []).map(type => [
    type,
    { schema: { type: 'string', contentMediaType: type } },
  ])
  const content = { 'application/json': media, ...Object.fromEntries(files) }
  return { ...note, required: needsBody(body), content }
}

const answerWords: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created; `Location` is its path.',
  202: 'Accepted.',
}

const headersOf = (route: Route, status: string, type: string): string[] => [
  'X-Request-Id',
  ...(sendsVersion(route, Number(status)) ? ['ETag'] : []),
  ...(status === '201' ? ['Location'] : []),
  ...(takesIdempotencyKey(route) ? ['Idempotent-Replayed'] : []),
  ...(type === 'image/png' && status === '200' ? ['X-Signoff-Warnings'] : []),
  ...(type === 'text/csv' || type === 'application/pdf' ? ['Content-Disposition'] : []),
]

/** A route that answers with 200 or 202 has an example of each. */
function recordedAnswer({ name, answers }: Route, status: string): unknown {
  const { answer, accepted } = examples[name ?? ''] ?? {}
  return status === '202' && 200 in answers ? accepted : answer
}

function successResponse(
  route: Route,
  status: string,
  schema: TSchema | null,
  schemas: SchemaComponents,
): Json {
  const { contentMediaType: type = 'application/json' } = (schema ?? {}) as { contentMediaType?: string }
  const headers = headerRefs(headersOf(route, status, type))
  if (schema === null) {
    const description = status === '304' ? 'Not changed; the body is empty.' : 'Done; the body is empty.'
    return { description, headers }
  }
  const media = {
    schema: schemas.answer(schema),
    ...(type === 'application/json' && exampleOf(recordedAnswer(route, status))),
  }
  return { description: answerWords[status] ?? 'Success.', headers, content: { [type]: media } }
}

function scopeSentence({ access, own, method }: Route): string {
  if (access === 'any key') return 'Any valid key will do.'
  if (access === 'anonymous') return 'Needs no credential.'
  if (isOfAccount(access)) return 'Needs the session of a person who is signed in; an API key is not enough.'
  const self = own && method !== 'GET' ? ' Members can do it for themselves.' : ''
  return `Needs the scope \`${access}\`.${self}`
}

/** The security of a route; empty if it is that of the document. */
function securityOf({ access }: Route): Json {
  if (access === 'anonymous') return { security: [] }
  return isOfAccount(access) ? { security: [{ session: [] }] } : {}
}

export function operationOf(route: Route, schemas: SchemaComponents): Operation {
  const body = requestBodyOf(route, schemas)
  const answers = Object.entries(route.answers).map(([status, schema]): [string, Json] => [
    status,
    successResponse(route, status, schema, schemas),
  ])
  return {
    operationId: route.name,
    tags: [tagNameOf(route)],
    summary: route.summary,
    description: [route.description, scopeSentence(route)].filter(Boolean).join('\n\n'),
    ...securityOf(route),
    parameters: parametersOf(route),
    ...(body && { requestBody: body }),
    responses: Object.fromEntries([...answers, ...errorResponsesOf(route)]),
  }
}
