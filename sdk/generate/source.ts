// The generated files of the SDK: types of the resources, and a function per operation that an integrator can read.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { needsBody } from '../../server/src/api/openapi/detail-codes.ts'
import { operationsOf } from '../../server/src/api/openapi.ts'
import { isOfWorkspace, isWrite, type Route } from '../../server/src/kernel/api/routes.ts'
import { catalogue, detailCodes } from '../../server/src/kernel/base/errors.ts'
import { doc, nameOf, type Schema, sharedNames, TypePrinter } from './types.ts'

interface Operation {
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

interface Described {
  readonly operations: readonly Operation[]
  readonly schemas: Readonly<Record<string, Schema>>
}

const head = '// Generated from the route table: `npm run generate` writes it.\n'
const json = 'application/json'

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

/** `signatures.recipients.list` → `signatures.recipients` and `list`. */
function splitName({ name }: Route): { readonly resource: string; readonly method: string } {
  const full = name ?? ''
  const dot = full.lastIndexOf('.')
  return { resource: full.slice(0, dot), method: full.slice(dot + 1) }
}

const pathNames = ({ path }: Route): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The body of a route's function: `client.patch(path`/v1/folders/${id}`, options, params && { folder: params })`. */
function callOf(route: Route, isRequired: boolean): string {
  const { method, path, body, query } = route
  const ids = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${camel(name)}}`)
  const names = Object.keys(query?.properties ?? {})
  const verb = method === 'POST' && !isWrite(route) ? 'read' : method.toLowerCase()
  const listed = names.map(name => `, '${name}'`).join('')
  const inner = names.length > 0 ? `without(params${listed})` : 'params'
  const wrapped = body?.wrapper ? `{ ${body.wrapper.name}: ${inner} }` : inner
  const sent = body?.wrapper && !isRequired ? `params && ${wrapped}` : wrapped
  const values =
    method === 'GET'
      ? names.length > 0
        ? ['params']
        : []
      : [
          ...(body || names.length > 0 ? [body ? sent : 'undefined'] : []),
          ...(names.length > 0 ? [`only(params${listed})`] : []),
        ]
  const args = [pathNames(route).length > 0 ? `path\`${ids}\`` : `'${path}'`, 'options', ...values]
  return `client.${verb}(${args.join(', ')})`
}

/** Arguments of a method: the parameters of the path, then one object, then options. */
class MethodPrinter {
  readonly #types: TypePrinter

  constructor(types: TypePrinter) {
    this.#types = types
  }

  print(route: Route, operation: Operation): string {
    const params = this.#paramsOf(route, operation)
    const args = [
      ...pathNames(route).map(name => `${camel(name)}: ${this.#pathTypeOf(operation, name)}`),
      ...(params ? [params] : []),
      'options?: RequestOptions',
    ]
    const scope = route.access.includes(':') ? ` Needs \`${route.access}\`.` : ''
    const { method } = splitName(route)
    const isRequired = params?.startsWith('params:') ?? false
    return `${doc(`${route.summary}.${scope}`)}${nameOf(method)}: (${args.join(', ')}): ${this.#answerOf(operation)} => ${callOf(route, isRequired)},\n`
  }

  #pathTypeOf({ parameters }: Operation, name: string): string {
    const schema = parameters.find(parameter => parameter.in === 'path' && parameter.name === name)?.schema
    return this.#types.typeOf(schema ?? {})
  }

  #paramsOf({ body }: Route, { parameters, requestBody }: Operation): string | undefined {
    const query = parameters.filter(parameter => parameter.in === 'query')
    const members = query.map(
      ({ name, required, description, schema }) =>
        `${doc(description)}${nameOf(name)}${required ? '' : '?'}: ${this.#types.typeOf(schema)}${required ? '' : ' | undefined'}\n`,
    )
    const outer = requestBody?.content[json]?.schema
    const inner = body?.wrapper ? outer?.properties?.[body.wrapper.name] : outer
    const types = [
      ...(inner ? [this.#types.typeOf(inner)] : []),
      ...(members.length > 0 ? [`{\n${indent(members.join(''))}}`] : []),
    ]
    if (types.length === 0) return undefined
    const isRequired = (body && needsBody(body)) || query.some(({ required }) => required)
    return `params${isRequired ? '' : '?'}: ${types.join(' & ')}`
  }

  #answerOf({ responses }: Operation): string {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    const bodies = successes.map(([, { content }]) => content)
    if (bodies.every(content => content === undefined)) return 'Call<undefined, undefined>'
    const schemas = bodies.flatMap(content => content?.[json]?.schema ?? [])
    if (schemas.length === 0) return 'Call<Response, Response>'
    return union(
      schemas.flatMap(schema => schema.anyOf ?? schema.oneOf ?? [schema]).map(branch => this.#bodyOf(branch)),
    )
  }

  /** A page of a list, or one record; further properties stand beside `data`. */
  #bodyOf({
    properties: { data = {}, ignored: _, pagination, ...siblings } = {},
    required = [],
  }: Schema): string {
    const type = this.#types.typeOf(pagination ? (data.items ?? {}) : data)
    const beside = Object.entries(siblings).map(
      ([name, schema]) =>
        `${nameOf(name)}${required.includes(name) ? '' : '?'}: ${this.#types.typeOf(schema)}`,
    )
    return `${pagination ? 'ListCall' : 'Call'}<${type}${beside.length > 0 ? `, ${pagination ? 'Page' : 'Body'}<${type}> & { ${beside.join('; ')} }` : ''}>`
  }
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

/** Methods and resources inside resources, as nested object types. */
interface Tree {
  readonly methods: string[]
  readonly resources: Map<string, Tree>
}
const emptyTree = (): Tree => ({ methods: [], resources: new Map() })

function treeAt(tree: Tree, path: readonly string[]): Tree {
  const [name, ...rest] = path
  if (name === undefined) return tree
  const inner = tree.resources.get(name) ?? emptyTree()
  tree.resources.set(name, inner)
  return treeAt(inner, rest)
}

const printTree = ({ methods, resources }: Tree): string =>
  indent(
    methods.join('') +
      [...resources].map(([name, tree]) => `${nameOf(name)}: {\n${printTree(tree)}},\n`).join(''),
  )

/** `not_found` → `NotFoundError`. */
const className = (type: string): string =>
  `${type.replace(/_error$/, '').replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`

function errorSource(body: string): string {
  const types = [...new Set(Object.values(catalogue).map(({ type }) => type))]
  // The code of a 422 is that of its first detail.
  const codes = Object.keys({ ...catalogue, ...detailCodes }).filter(code => code !== 'validation')
  return `${head}import { SignoffError } from '../errors.ts'

export type ErrorCode =\n${codes.map(code => `  | ${JSON.stringify(code)}\n`).join('')}
${body}
${types.map(type => `export class ${className(type)} extends SignoffError {}\n`).join('')}
export const errorClasses = {\n${types.map(type => `  ${type}: ${className(type)},\n`).join('')}}

export type ErrorType = keyof typeof errorClasses\n`
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))

/** The text of each file in `src/generated`. */
/** Programs have keys: routes of people who are signed in are left out. */
export async function sdkSources(all: readonly Route[]): Promise<Readonly<Record<string, string>>> {
  const routes = all.filter(({ access }) => isOfWorkspace(access))
  const { operations, schemas } = (await operationsOf(routes)) as unknown as Described
  const { Error: error = {}, ...components } = schemas
  const names = sharedNames(components)
  const types = new TypePrinter(names)
  const methods = new MethodPrinter(types)
  const root = emptyTree()
  for (const [index, route] of routes.entries())
    treeAt(root, splitName(route).resource.split('.')).methods.push(
      methods.print(route, operations[index] as Operation),
    )
  const resources = printTree(root)
  const printed = Object.entries(components).filter(([name]) => !names.has(name))
  const used = printed.map(([name]) => name).filter(name => new RegExp(`\\b${name}\\b`).test(resources))
  return {
    'schemas.ts': `${head}import type { FileInput } from '../types.ts'

${printed.map(([name, schema]) => types.componentOf(name, schema)).join('\n')}`,
    'errors.ts': errorSource(types.componentOf('ErrorBody', error)),
    'resources.ts': `${head}import { type Client, only, path, without } from '../call.ts'
import type { ${used.join(', ')} } from './schemas.ts'
import type { Body, Call, ListCall, Page, RequestOptions } from '../types.ts'

export const resourcesOf = (client: Client) => ({\n${resources}})

export type Resources = ReturnType<typeof resourcesOf>\n`,
    'version.ts': `${head}export const version = '${version}'\n`,
  }
}
