import { Type } from 'typebox'
import { ClosedObject } from '#kernel/base/closed.ts'

const open = { additionalProperties: true }

/** Any object: the rules of SCIM check it, because their errors have another form. */
export const ScimBody = Type.Object({}, { ...open, examples: [{ userName: 'ada@example.com' }] })

const projection = {
  attributes: Type.Optional(Type.String({ maxLength: 2_000 })),
  excludedAttributes: Type.Optional(Type.String({ maxLength: 2_000 })),
}

export const ScimQuery = Type.Object(projection)

export const ScimListQuery = Type.Object({
  ...projection,
  filter: Type.Optional(Type.String()),
  startIndex: Type.Optional(Type.Integer()),
  count: Type.Optional(Type.Integer()),
})

export const ScimFilterQuery = Type.Object({ filter: Type.Optional(Type.String()) })

const schemasList = Type.Array(Type.String(), { minItems: 1 })

export const ScimResource = Type.Object({ schemas: schemasList, id: Type.Optional(Type.String()) }, open)

export const ScimList = ClosedObject({
  schemas: schemasList,
  totalResults: Type.Integer(),
  startIndex: Type.Integer(),
  itemsPerPage: Type.Integer(),
  Resources: Type.Array(Type.Object({}, open)),
})

export const ScimFailure = ClosedObject({
  schemas: schemasList,
  status: Type.String({ pattern: '^[45][0-9][0-9]$' }),
  scimType: Type.Optional(Type.String()),
  detail: Type.String({ minLength: 1 }),
})
