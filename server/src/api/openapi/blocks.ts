// The blocks of content, as components that refer to each other.
import { contentSchema } from '@signoff/render'
import { isJson, type Json, mapObjects, schemaRef } from './json.ts'

const blockName = (type: string): string =>
  type === 'color' ? 'ContentColor' : `${type.charAt(0).toUpperCase()}${type.slice(1)}Block`
const refPrefix = '#/$defs/'

const typeIn = (ref: unknown): string | undefined =>
  typeof ref === 'string' && ref.startsWith(refPrefix) ? ref.slice(refPrefix.length) : undefined

/** A choice between blocks says by which property: generators make a union of it. */
function withDiscriminator(object: Json): Json {
  const types = (Array.isArray(object.anyOf) ? object.anyOf : []).map(option => typeIn(option?.$ref))
  if (types.length === 0 || types.includes(undefined)) return object
  const mapping = types.map(type => [type, schemaRef(blockName(type ?? ''))])
  return { ...object, discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) } }
}

/** A condition closes nothing: linters look at each schema by itself. */
const withOpenConditions = (object: Json): Json =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) =>
      (key === 'if' || key === 'then') && isJson(value)
        ? [key, { ...value, additionalProperties: true }]
        : [key, value],
    ),
  )

/** A condition names the properties that it requires, for the same reason. */
function withRequiredNamed(object: Json): Json {
  const properties = isJson(object.properties) ? object.properties : {}
  const required: string[] = Array.isArray(object.required) ? object.required : []
  const unnamed = required.filter(name => !Object.hasOwn(properties, name))
  if (unnamed.length === 0) return object
  const named = { ...properties, ...Object.fromEntries(unnamed.map(name => [name, {}])) }
  return { ...object, properties: named, additionalProperties: true }
}

const withComponentRef = (object: Json): Json => {
  const type = typeIn(object.$ref)
  return type === undefined ? object : { ...object, $ref: schemaRef(blockName(type)) }
}

export function blockComponents(): [string, Json][] {
  const { description, $defs } = contentSchema
  const choices = mapObjects(JSON.parse(JSON.stringify($defs)), object =>
    withRequiredNamed(withOpenConditions(withDiscriminator(object))),
  )
  // `mapObjects` changes inner objects first, so references are renamed only after the choices were found.
  const blocks = mapObjects(choices, withComponentRef) as Record<string, Json>
  return [
    ['Content', { description, allOf: [{ $ref: schemaRef(blockName('root')) }] }],
    ...Object.entries(blocks).map(([type, schema]): [string, Json] => [blockName(type), schema]),
  ]
}
