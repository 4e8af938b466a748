// A valid body for any route, made from the examples in its schema.
import type { Route } from '#kernel/routes.ts'
import type { TestApp } from './app.ts'

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

function example(schema: Schema): unknown {
  const [given] = schema.examples ?? []
  // Unique, because names and addresses often must be.
  if (typeof given === 'string') return given.includes('@') ? `e${++n}.${given}` : `${given} ${++n}`
  if (given !== undefined) return given
  if (schema.enum) return schema.enum[0]
  if (schema.properties) {
    const required = schema.required ?? []
    // Of an object that asks for nothing, the first property: an empty one would be a write that writes nothing.
    const names = required.length > 0 ? required : Object.keys(schema.properties).slice(0, 1)
    return Object.fromEntries(names.map(name => [name, example(schema.properties?.[name] ?? {})]))
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => example(schema.items ?? {}))
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  if (schema.format === 'uuid') return '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'
  return 'example'
}

/** `/v1/folders/{id}` → the address of one that the demo made: the newest that has all that the path goes on to name. */
export async function realPath(
  app: Pick<TestApp, 'get'>,
  route: Pick<Route, 'path' | 'access' | 'words'>,
): Promise<string> {
  if (route.access === 'public') return route.path // what is behind its names is shown by the tests of the feature
  const path = await filled(app, route.path, route.words ?? {})
  if (path === undefined) throw new Error(`the demo has nothing for ${route.path}`)
  return path
}

async function filled(
  app: Pick<TestApp, 'get'>,
  path: string,
  words: NonNullable<Route['words']>,
): Promise<string | undefined> {
  const [parameter, name = ''] = /\{(\w+)\}/.exec(path) ?? []
  if (parameter === undefined) return path
  const values = words[name]?.slice(0, 1) ?? (await idsIn(app, path.slice(0, path.indexOf('/{'))))
  for (const value of values) {
    const rest = await filled(app, path.replace(parameter, value), words)
    if (rest !== undefined) return rest
  }
  return undefined
}

/** Where a part of something lists nothing, whatever the workspace has under that name. */
async function idsIn(app: Pick<TestApp, 'get'>, collection: string): Promise<string[]> {
  for (const path of new Set([collection, `/v1/${collection.split('/').at(-1)}`])) {
    const { body } = await app.get(`${path}?limit=100`)
    if (body?.data?.length > 0) return body.data.map(({ id }: { id: string }) => id)
  }
  return []
}

export function exampleBody({ body }: Route): unknown {
  if (!body) return undefined
  const inner = example(body.schema as Schema)
  return body.wrapper ? { [body.wrapper.name]: inner } : inner
}

/** What a route does not do without, as the beginning of a query. */
export function exampleQuery({ query }: Route): string {
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  const needed = required.filter(name => !('default' in (properties[name] ?? {})))
  return `?${new URLSearchParams(needed.map(name => [name, String(example(properties[name] ?? {}))] as [string, string]))}`
}
