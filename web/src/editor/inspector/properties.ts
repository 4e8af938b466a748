// The properties of a block as controls. They come from the schema of the content: a new property of the renderer
// appears in the inspector by itself.
import { contentSchema, usesStyle } from '@signoff/render'
import type { AnyBlock } from '#records/content/block.ts'
import { descriptorOf } from '../blocks/blocks.ts'

interface PropertySchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, PropertySchema>>
}

export type Control =
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'number'; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'color' }
  | { readonly kind: 'switch' }
  | { readonly kind: 'text'; readonly maxLength: number }
  | { readonly kind: 'icon' }
  | { readonly kind: 'link' }

export interface Property {
  readonly name: string
  readonly control: Control
}

/** Properties with controls of their own: words, children, pictures, names. */
const handled = new Set([
  'id',
  'type',
  'visible',
  'displayName',
  'blockStyle',
  'children',
  'tokens',
  'assetUuid',
  'src',
  'smartFieldUuid',
  'campaignUuid',
  'crop',
])

const schemaOf = (name: string): Readonly<Record<string, PropertySchema>> =>
  (contentSchema.$defs as unknown as Record<string, PropertySchema>)[name]?.properties ?? {}

function controlOf(name: string, schema: PropertySchema): Control | undefined {
  if (name === 'href') return { kind: 'link' }
  if (schema.$ref?.endsWith('/color') || name === 'color') return { kind: 'color' }
  // The icons are many: they are chosen by their picture.
  if (schema.enum && schema.enum.length > 20) return { kind: 'icon' }
  if (schema.enum) return { kind: 'choice', options: schema.enum }
  switch (schema.type) {
    case 'number':
      return { kind: 'number', minimum: schema.minimum ?? 0, maximum: schema.maximum ?? 2_000 }
    case 'boolean':
      return { kind: 'switch' }
    case 'string':
      return { kind: 'text', maxLength: schema.maxLength ?? 500 }
    default:
      return undefined
  }
}

const propertiesFrom = (schemas: Readonly<Record<string, PropertySchema>>): readonly Property[] =>
  Object.entries(schemas).flatMap(([name, schema]) => {
    const control = handled.has(name) ? undefined : controlOf(name, schema)
    return control ? [{ name, control }] : []
  })

/** The own properties of a block. The root is a stack that also has a direction of writing. */
export const propertiesOf = (block: AnyBlock, isRoot: boolean): readonly Property[] =>
  propertiesFrom(schemaOf(isRoot ? 'root' : block.type)).filter(
    ({ name }) => !descriptorOf(block).hides?.(block, name),
  )

/** The parts of `blockStyle` that change the look of the block. */
export const stylePropertiesOf = (block: AnyBlock): readonly Property[] =>
  propertiesFrom(schemaOf(block.type).blockStyle?.properties ?? {}).filter(({ name }) =>
    usesStyle(block, name),
  )
