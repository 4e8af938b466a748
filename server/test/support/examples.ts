// A valid body for any route, made from the examples in its schema.
import type { Route } from '../../src/kernel/routes.ts'
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

/** `/v1/folders/{id}` → the address of one that the demo made, one id after the other. */
export async function realPath(
  app: Pick<TestApp, 'get'>,
  { path, access }: Pick<Route, 'path' | 'access'>,
): Promise<string> {
  if (access === 'public') return path // what is behind its names is shown by the tests of the feature
  const at = path.indexOf('/{')
  if (at < 0) return path
  const collection = path.slice(0, at)
  const { body } = await app.get(`${collection}?limit=1`)
  const id = body?.data?.[0]?.id
  if (!id) throw new Error(`the demo has nothing in ${collection}: nothing can be shown of ${path}`)
  return realPath(app, { path: path.replace(/\{\w+\}/, id), access })
}

export function exampleBody({ body }: Route): unknown {
  if (!body) return undefined
  const inner = example(body.schema as Schema)
  return body.wrapper ? { [body.wrapper.name]: inner } : inner
}
