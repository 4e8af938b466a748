// The schemas of the document. A schema with a title becomes a component of that name. Requests are closed: a property
// that the service does not know is refused. Answers are open: a later version can add properties to them.
import type { TSchema } from 'typebox'
import { blockComponents } from './blocks.ts'
import { isJson, type Json, mapObjects, schemaRef } from './json.ts'

type Components = Map<string, Json>

/** Replaces schemas that have a title by references, and collects them in `components`. */
const replaceTitled = (schema: unknown, components: Components): unknown =>
  mapObjects(schema, object => {
    if (typeof object.title !== 'string') return object
    const { title, ...rest } = object
    const existing = components.get(String(title))
    if (existing && JSON.stringify(existing) !== JSON.stringify(rest))
      throw new Error(`two different schemas are called ${title}`)
    components.set(String(title), rest)
    return { $ref: schemaRef(String(title)) }
  })

/** Regular expressions for our own formats: tools do not know their names. */
const patterns: Readonly<Record<string, string>> = {
  'email-address': '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
  'plain-name':
    '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$',
  'day-or-instant': '^\\d{4}-\\d\\d-\\d\\d([Tt ]\\d\\d:\\d\\d.*)?$',
  currency: '^[A-Za-z]{3}$',
}

export const withKnownFormats = (schema: unknown): unknown =>
  mapObjects(schema, object => {
    const { format, ...rest } = object
    const pattern = typeof format === 'string' ? patterns[format] : undefined
    return pattern === undefined ? object : { ...rest, pattern }
  })

/** The schema of an answer: allows properties that it does not name. */
export const withoutClosing = (schema: unknown): unknown =>
  mapObjects(schema, ({ additionalProperties, unevaluatedProperties, ...rest }) => ({
    ...rest,
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
  }))

const renameRefs = (value: unknown, names: ReadonlyMap<string, string>): unknown =>
  mapObjects(value, object => {
    const name = typeof object.$ref === 'string' ? object.$ref.slice(schemaRef('').length) : undefined
    const renamed = name === undefined ? undefined : names.get(name)
    return renamed === undefined ? object : { ...object, $ref: schemaRef(renamed) }
  })

const sorted = (components: Iterable<[string, Json]>): Json =>
  Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)))

export class SchemaComponents {
  readonly #requests: Components = new Map()
  readonly #answers: Components = new Map()

  request(schema: TSchema): unknown {
    return replaceTitled(withKnownFormats(schema), this.#requests)
  }

  /** Refers to components under their own names; `finish` renames those that requests have in another form. */
  answer(schema: TSchema): unknown {
    return replaceTitled(withKnownFormats(withoutClosing(schema)), this.#answers)
  }

  /**
   * The components, and a function that corrects the references of answers. A schema that has another form in answers is
   * `Content` in requests and `StoredContent` in answers.
   */
  finish(): { readonly components: Json; readonly correctAnswer: (answer: Json) => Json } {
    if (this.#requests.has('Content'))
      for (const [name, schema] of blockComponents())
        this.#requests.set(name, replaceTitled(schema, this.#requests) as Json)
    if (this.#answers.has('Content'))
      for (const [name, schema] of blockComponents())
        this.#answers.set(name, replaceTitled(withoutClosing(schema), this.#answers) as Json)
    const names = new Map(this.#namesThatDiffer().map(name => [name, `Stored${name}`]))
    const correctAnswer = (answer: Json) => renameRefs(answer, names) as Json
    const answers = [...this.#answers].map(([name, schema]): [string, Json] => [
      names.get(name) ?? name,
      correctDiscriminators(correctAnswer(schema), names),
    ])
    return { components: sorted([...this.#requests, ...answers]), correctAnswer }
  }

  /** Names of schemas that requests and answers share, and that differ or refer to a schema that differs. */
  #namesThatDiffer(): string[] {
    const texts = new Map([...this.#answers].map(([name, schema]) => [name, JSON.stringify(schema)]))
    const isShared = (name: string) => this.#requests.has(name)
    const shared = [...texts.keys()].filter(isShared)
    const differs = (name: string) => JSON.stringify(this.#requests.get(name)) !== texts.get(name)
    const names = new Set(shared.filter(differs))
    // A set also visits the names that are added meanwhile.
    for (const name of names)
      for (const other of shared) if (texts.get(other)?.includes(`"${schemaRef(name)}"`)) names.add(other)
    return [...names]
  }
}

/** The mapping of a discriminator names schemas too. */
const correctDiscriminators = (schema: Json, names: ReadonlyMap<string, string>): Json =>
  mapObjects(schema, object => {
    if (!isJson(object.discriminator) || !isJson(object.discriminator.mapping)) return object
    const mapping = Object.entries(object.discriminator.mapping).map(([type, ref]) => {
      const name = String(ref).slice(schemaRef('').length)
      return [type, schemaRef(names.get(name) ?? name)]
    })
    return { ...object, discriminator: { ...object.discriminator, mapping: Object.fromEntries(mapping) } }
  }) as Json
