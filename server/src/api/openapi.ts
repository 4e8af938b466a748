// The route table as an OpenAPI 3.1 document. A schema with a title becomes a component of that name.
import { contentSchema } from '@signoff/render'
import type { TSchema } from 'typebox'
import { catalogue } from '#kernel/errors.ts'
import { isWrite, type Route } from '#kernel/routes.ts'

type Json = { [key: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refTo = (name: string): string => `#/components/schemas/${name}`

/** Replaces schemas that have a title by references, and collects them in `components`. */
function replaceTitled(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map(item => replaceTitled(item, components))
  if (!isObject(schema)) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, replaceTitled(value, components)]),
  )
  if (typeof schema.title !== 'string') return copy
  const { title, ...rest } = copy
  const existing = components.get(String(title))
  if (existing && JSON.stringify(existing) !== JSON.stringify(rest))
    throw new Error(`two different schemas are called ${title}`)
  components.set(String(title), rest)
  return { $ref: refTo(String(title)) }
}

const detailSchema = {
  type: 'object',
  required: ['field', 'code', 'message'],
  properties: {
    field: { type: 'string' },
    code: { type: 'string' },
    message: { type: 'string' },
    allowed: { type: 'array', items: {} },
    missing: { type: 'array', items: { type: 'string' } },
  },
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message'],
      properties: { type: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
    },
    details: { type: 'array', items: detailSchema },
    remediation: {
      type: 'object',
      required: ['action', 'dashboard_url', 'message'],
      properties: {
        action: { type: 'string', enum: ['connect_integration', 'manage_in_dashboard', 'upgrade_plan'] },
        dashboard_url: { type: 'string', format: 'uri' },
        message: { type: 'string' },
      },
    },
  },
}

/** The error statuses of a route, derived from its access, path, method and input. */
function errorStatusesOf(route: Route): number[] {
  const hasId = route.path.includes('{')
  return [
    ...(route.access === 'public' ? [] : [401, 403, 429]),
    ...(hasId ? [404] : []),
    ...(isWrite(route) ? [409] : []),
    ...(route.method === 'PATCH' || route.method === 'DELETE' ? [412] : []),
    ...(route.body ? [400, 413, 415] : []),
    ...(route.body || route.query ? [422] : []),
    500,
    503,
  ].sort()
}

const errorResponse = (status: number): Json => {
  const codes = Object.entries(catalogue).filter(([, entry]) => entry.status === status)
  const names = codes.map(([code]) =>
    code === 'validation' ? 'the code of the first detail' : `\`${code}\``,
  )
  return {
    description: `${codes[0]?.[1].type}: ${names.join(', ')}`,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

/** A parameter with a default is optional. */
function isRequired({ query }: Route, name: string): boolean {
  const schema = query?.properties[name] as { default?: unknown } | undefined
  return (query?.required as string[] | undefined)?.includes(name) === true && schema?.default === undefined
}

function parametersOf(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: route.words?.[name ?? '']
      ? { type: 'string', enum: route.words[name ?? ''] }
      : { type: 'string', format: 'uuid' },
  }))
  const inQuery = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schema as Json
    return {
      name,
      in: 'query',
      required: isRequired(route, name),
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  return [
    ...inPath,
    ...inQuery,
    ...(route.method === 'POST' && isWrite(route)
      ? [header('Idempotency-Key', 'The same key and body within 24 hours get the first answer again.')]
      : []),
    ...(route.method === 'PATCH' || route.method === 'DELETE'
      ? [
          header(
            'If-Match',
            'The ETag that was read; if the resource has changed since, 412 and nothing happens.',
          ),
        ]
      : []),
  ]
}

function requestBodyOf({ body }: Route, components: Map<string, Json>): Json | undefined {
  if (!body) return undefined
  const inner = replaceTitled(body.schema, components)
  const schema = body.wrapper
    ? {
        type: 'object',
        required: [body.wrapper.name],
        properties: { [body.wrapper.name]: inner },
        additionalProperties: false,
      }
    : inner
  const note =
    body.wrapper && !body.wrapper.required ? { description: 'The inner object alone is accepted too.' } : {}
  return { ...note, required: true, content: { 'application/json': { schema } } }
}

function successResponse(status: string, schema: TSchema | null, components: Map<string, Json>): Json {
  if (schema === null) return { description: 'Done; the body is empty.' }
  const description =
    status === '202' ? 'Accepted.' : status === '201' ? 'Created; `Location` is its path.' : 'Success.'
  const { contentMediaType: type = 'application/json' } = schema as { contentMediaType?: string }
  return { description, content: { [type]: { schema: replaceTitled(schema, components) } } }
}

function operationOf(route: Route, components: Map<string, Json>): Json {
  const body = requestBodyOf(route, components)
  const responses = Object.entries(route.answers).map(([status, schema]) => [
    status,
    successResponse(status, schema, components),
  ])
  const scope = route.access === 'any key' ? 'Any valid key will do.' : `Needs the scope \`${route.access}\`.`
  return {
    operationId: route.name,
    tags: [route.path.split('/')[2]],
    summary: route.summary,
    description: scope,
    parameters: parametersOf(route),
    ...(body && { requestBody: body }),
    responses: Object.fromEntries([
      ...responses,
      ...errorStatusesOf(route).map(status => [String(status), errorResponse(status)]),
    ]),
  }
}

const blockName = (type: string): string => `${type.charAt(0).toUpperCase()}${type.slice(1)}Block`

/** The blocks of content, as components that refer to each other. */
function buildBlockComponents(): [string, Json][] {
  const { description, $defs } = contentSchema
  const text = JSON.stringify($defs).replace(/"#\/\$defs\/(\w+)"/g, (_, type: string) =>
    JSON.stringify(refTo(blockName(type))),
  )
  const blocks = Object.entries(JSON.parse(text) as Record<string, Json>)
  return [
    ['Content', { description, allOf: [{ $ref: refTo(blockName('root')) }] }],
    ...blocks.map(([type, schema]): [string, Json] => [blockName(type), schema]),
  ]
}

export function openApi(routes: readonly Route[]): object {
  const components = new Map<string, Json>()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, components) }
  }
  if (components.has('Content'))
    for (const [name, schema] of buildBlockComponents()) components.set(name, schema)
  const schemas = Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signoff',
      version: '1',
      description:
        'Open, self-hosted email signature management. Every request carries `Authorization: Bearer <API_KEY>`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(routes.map(route => route.path.split('/')[2]))].map(name => ({ name })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema, ...schemas },
    },
  }
}
