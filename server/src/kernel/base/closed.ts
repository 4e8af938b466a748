// Schemas of objects that have no other properties.
import { type TObject, type TObjectOptions, type TProperties, Type } from 'typebox'

export const closed = { additionalProperties: false } as const

export const ClosedObject = <Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> => Type.Object(properties, { ...closed, ...options })

/** The title is the name of the schema in openapi.json. */
export const NamedObject = <Properties extends TProperties>(
  title: string,
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> => ClosedObject(properties, { title, ...options })
