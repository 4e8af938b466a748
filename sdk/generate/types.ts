// JSON Schema as TypeScript: components become interfaces, references stay references.

/** The keywords that shape a type. All others (lengths, patterns, conditions) are checked by the service. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly contentEncoding?: string
}

/** Answers contain the forms that requests do not need: names of components that are printed under another name. */
export type Names = ReadonlyMap<string, string>

const refPrefix = '#/components/schemas/'
const scalars: Readonly<Record<string, string>> = { integer: 'number', array: 'unknown[]' }

export const doc = (text: string | undefined, indent = ''): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n` : ''

export const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

/** Requests need not have properties with a default. */
const isOptional = ({ required = [], properties = {} }: Schema, name: string): boolean =>
  !required.includes(name) || properties[name]?.default !== undefined

const isNullable = ({ type }: Schema): boolean => Array.isArray(type) && type.includes('null')

export class TypePrinter {
  readonly #names: Names

  constructor(names: Names = new Map()) {
    this.#names = names
  }

  typeOf(schema: Schema): string {
    if (schema.$ref) return this.#referenceOf(schema.$ref)
    if (schema.enum) return union(schema.enum.map(value => JSON.stringify(value)))
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.contentEncoding === 'base64') return union(['FileInput', ...this.#scalarsOf(schema)])
    // Beside properties, a choice is a condition on them.
    if (schema.properties)
      return union([`{ ${this.#membersOf(schema).join('; ')} }`, ...(isNullable(schema) ? ['null'] : [])])
    const choice = schema.anyOf ?? schema.oneOf ?? schema.allOf
    const { type } = schema
    if (choice) return union(choice.map(option => this.typeOf(type ? { type, ...option } : option)))
    return union(this.#scalarsOf(schema))
  }

  /** A component, with the descriptions of its properties. */
  componentOf(name: string, schema: Schema): string {
    const head = `${doc(schema.description)}export `
    if (!schema.properties) return `${head}type ${name} = ${this.typeOf(schema)}\n`
    const lines = Object.entries(schema.properties).map(
      ([property, inner]) => `${doc(inner.description, '  ')}  ${this.#memberOf(schema, property, inner)}\n`,
    )
    return `${head}interface ${name} {\n${lines.join('')}}\n`
  }

  #membersOf(schema: Schema): string[] {
    return Object.entries(schema.properties ?? {}).map(([name, inner]) => this.#memberOf(schema, name, inner))
  }

  #memberOf(schema: Schema, name: string, inner: Schema): string {
    const isAbsent = isOptional(schema, name)
    return `${nameOf(name)}${isAbsent ? '?' : ''}: ${this.typeOf(inner)}${isAbsent ? ' | undefined' : ''}`
  }

  #referenceOf(ref: string): string {
    const name = ref.slice(refPrefix.length)
    return this.#names.get(name) ?? name
  }

  #scalarsOf(schema: Schema): string[] {
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['unknown'])
    return types.map(type => {
      if (type === 'array' && schema.items) return this.#arrayOf(schema.items)
      if (type === 'object') return this.#recordOf(schema)
      return scalars[type] ?? type
    })
  }

  #arrayOf(items: Schema): string {
    const type = this.typeOf(items)
    return /[ |]/.test(type) && !/^\{[^{}]*\}$/.test(type) ? `(${type})[]` : `${type}[]`
  }

  #recordOf({ additionalProperties, patternProperties = {} }: Schema): string {
    const values = [
      ...Object.values(patternProperties),
      ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ]
    return `Record<string, ${values.length > 0 ? union(values.map(value => this.typeOf(value))) : 'unknown'}>`
  }
}

/**
 * OpenAPI separates `Content` of requests from `StoredContent` of answers, which can get further properties later. In
 * TypeScript both are the same type: the answer is printed under the name of the request wherever the text is equal.
 */
export function sharedNames(components: Readonly<Record<string, Schema>>): Names {
  const names = new Map(
    Object.keys(components)
      .filter(name => name.startsWith('Stored') && components[name.slice(6)])
      .map(name => [name, name.slice(6)]),
  )
  for (let size = -1; size !== names.size; ) {
    size = names.size
    const printer = new TypePrinter(new Map(names))
    for (const [stored, plain] of [...names])
      if (printer.typeOf(components[stored] ?? {}) !== printer.typeOf(components[plain] ?? {}))
        names.delete(stored)
  }
  return names
}
