// API clients name a smart field by its id (`smart_field_id`) or by its key (`smart_field`). Answers have ids only.
import { Type } from 'typebox'
import { Uuid } from '#kernel/api/validation.ts'
import { type Detail, detail } from '#kernel/base/errors.ts'
import type { SmartField } from './queries.ts'

export interface SmartFieldName {
  readonly smart_field_id?: string
  readonly smart_field?: string
}

/** The two properties of a request body, or of a query. */
export const smartFieldName = {
  smart_field_id: Type.Optional(Uuid({ description: 'The id of the field. Either this or `smart_field`.' })),
  smart_field: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The `key` of the field, such as `first_name`, instead of its id.',
    }),
  ),
}

type NamedField = { readonly field: SmartField } | { readonly problem: Detail }

/** The returned function finds the field of a name; `at` is the path of the object that contains the name. */
export function fieldResolver(
  fields: readonly SmartField[],
): (name: SmartFieldName, at: string) => NamedField {
  const byId = new Map(fields.map(field => [field.id, field]))
  const byKey = new Map(fields.map(field => [field.key, field]))
  return ({ smart_field_id: id, smart_field: key }, at) => {
    const prefix = at === '' ? '' : `${at}.`
    if (id !== undefined && key !== undefined)
      return {
        problem: detail(`${prefix}smart_field`, 'invalid', {
          message: `${prefix}smart_field cannot be sent together with smart_field_id`,
        }),
      }
    if (id === undefined && key === undefined)
      return { problem: detail(`${prefix}smart_field_id`, 'missing', { missing: ['smart_field_id'] }) }
    const field = id === undefined ? byKey.get(key ?? '') : byId.get(id.toLowerCase())
    const name = id === undefined ? 'smart_field' : 'smart_field_id'
    return field ? { field } : { problem: unknownField(`${prefix}${name}`, id ?? key) }
  }
}

function unknownField(at: string, sent: unknown): Detail {
  const name = JSON.stringify(String(sent).slice(0, 100).toWellFormed())
  const message = `${at}: there is no smart field ${name}; GET /v1/smart_fields lists them`
  return detail(at, 'unknown_reference', { message })
}
