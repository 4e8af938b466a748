// Builds valid requests for any route from the examples in its schemas.
import type { Route } from '#kernel/api/routes.ts'
import type { TestApp } from './app.ts'
import { unknownId } from './world.ts'

interface Schema {
  readonly type?: string | string[]
  readonly properties?: Record<string, Schema>
  readonly required?: string[]
  readonly examples?: unknown[]
  readonly enum?: unknown[]
  readonly format?: string
  readonly minItems?: number
  readonly items?: Schema
}

let n = 0

function exampleOf(schema: Schema): unknown {
  const [sample] = schema.examples ?? []
  if (schema.format === 'day-or-instant') return sample ?? '2026-11-01'
  // Made unique, because names and addresses often must be unique.
  if (typeof sample === 'string') return sample.includes('@') ? `e${++n}.${sample}` : `${sample} ${++n}`
  if (sample !== undefined) return sample
  if (schema.enum) return schema.enum[0]
  if (schema.properties) {
    const required = schema.required ?? []
    // An object without required properties gets its first property: an empty object would be a write without effect.
    const names = required.length > 0 ? required : Object.keys(schema.properties).slice(0, 1)
    return Object.fromEntries(names.map(name => [name, exampleOf(schema.properties?.[name] ?? {})]))
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}))
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  if (schema.format === 'uuid') return '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'
  return 'example'
}

/** `/v1/folders/{id}` → the path of a record of the demo: the newest one for which the complete path exists. */
export async function realPath(
  app: Pick<TestApp, 'get'>,
  route: Pick<Route, 'path' | 'access' | 'words'>,
): Promise<string> {
  // The tests of the feature cover it.
  if (route.access === 'public' || route.access === 'anonymous') return route.path
  const path = await fillPath(app, route.path, route.words ?? {})
  if (path === undefined) throw new Error(`the demo has nothing for ${route.path}`)
  return path
}

async function fillPath(
  app: Pick<TestApp, 'get'>,
  path: string,
  words: NonNullable<Route['words']>,
): Promise<string | undefined> {
  const [parameter, name = ''] = /\{(\w+)\}/.exec(path) ?? []
  if (parameter === undefined) return path
  const values = words[name]?.slice(0, 1) ?? (await valuesOf(app, name, path))
  for (const value of values) {
    const fullPath = await fillPath(app, path.replace(parameter, value), words)
    if (fullPath !== undefined) return fullPath
  }
  return undefined
}

/** Parameters whose records are not in the collection before them. */
async function valuesOf(app: Pick<TestApp, 'get'>, name: string, path: string): Promise<string[]> {
  const collection = path.slice(0, path.indexOf('/{'))
  if (collection === '/v1/integrations') return integrationsFor(app, path)
  // People of the demo have no passkeys; the tests of the feature add some.
  if (collection === '/v1/me/passkeys') return [unknownId]
  // The demo has no SCIM integration: the tests of the feature cover it.
  if (collection.startsWith('/scim/')) return [unknownId]
  if (name !== 'smart_field_id') return idsIn(app, collection)
  const { body } = await app.get('/v1/smart_fields?limit=100')
  return body.data
    .filter((field: { kind: string }) => field.kind === 'image')
    .map((field: { id: string }) => field.id)
}

/** Tokens belong to the Outlook add-in; everything else is tried with the directory of the demo. */
async function integrationsFor(app: Pick<TestApp, 'get'>, path: string): Promise<string[]> {
  const needsOutlook = path.includes('/deployment_tokens')
  const { body } = await app.get('/v1/integrations?limit=100')
  return body.data
    .filter(({ kind }: { kind: string }) => (kind === 'microsoft_365') === needsOutlook)
    .map(({ id }: { id: string }) => id)
}

/** The ids in a collection. If a nested collection is empty, those of the top-level collection with the same name. */
async function idsIn(app: Pick<TestApp, 'get'>, collection: string): Promise<string[]> {
  for (const path of new Set([collection, `/v1/${collection.split('/').at(-1)}`])) {
    const { body } = await app.get(`${path}?limit=100`)
    if (body?.data?.length > 0) return body.data.map(({ id }: { id: string }) => id)
  }
  return []
}

export function exampleBody({ body }: Route): unknown {
  if (!body) return undefined
  const inner = exampleOf(body.schema as Schema)
  return body.wrapper ? { [body.wrapper.name]: inner } : inner
}

/** The required query parameters of a route, as the start of a query string. */
export function exampleQuery({ query }: Route): string {
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  const requiredNames = required.filter(name => !('default' in (properties[name] ?? {})))
  return `?${new URLSearchParams(requiredNames.map(name => [name, String(exampleOf(properties[name] ?? {}))] as [string, string]))}`
}
