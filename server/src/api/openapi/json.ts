// Small parts that the other files of this folder share.
export type Json = { [key: string]: unknown }

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const schemaRef = (name: string): string => `#/components/schemas/${name}`

/** Changes every object of a JSON value, the innermost first. */
export function mapObjects(value: unknown, change: (object: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map(item => mapObjects(item, change))
  if (!isJson(value)) return value
  return change(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])),
  )
}
