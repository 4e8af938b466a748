// The `sort` parameter of the list of teammates, which can also name a smart field.
import { Type } from 'typebox'
import { fieldResolver, type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { readSort, sortValues } from '#kernel/api/sorting.ts'
import { uuid } from '#kernel/api/validation.ts'
import { detail, invalid, validationError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'

const names = ['name', 'email', 'active', 'created_at', 'updated_at'] as const
const byField = 'smart_field:'

export interface TeammateOrder {
  readonly by: (typeof names)[number] | { readonly fieldId: string }
  readonly isDescending: boolean
}

export const teammateSortQuery = {
  sort: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      maxLength: 120,
      anyOf: [{ enum: sortValues(names) }, { pattern: `^-?${byField}[A-Za-z0-9_-]{1,100}$` }],
      description:
        'The order: `name` (first name, then last name), `email`, `active`, `created_at`, `updated_at`, or `smart_field:` with the id or the key of a field, such as `smart_field:department`; with `-` in front for the reverse. People without a value come last, and equal ones are ordered by `id`. Without it: newest first.',
      examples: ['name', '-updated_at', 'smart_field:department'],
    }),
  ),
}

function orderOfField({ id, kind, label, computed }: SmartField): TeammateOrder['by'] {
  if (computed) return 'email'
  if (kind === 'image') throw invalid('sort', 'invalid', { message: `sort: ${label} holds pictures` })
  return { fieldId: id }
}

/** Undefined for the default order, newest first. */
export async function teammateOrderOf(
  db: Db,
  workspaceId: string,
  sort: string | undefined,
): Promise<TeammateOrder | undefined> {
  const order = readSort(sort)
  if (!order) return undefined
  const { isDescending } = order
  if (!order.name.startsWith(byField)) return { by: order.name as (typeof names)[number], isDescending }
  const name = order.name.slice(byField.length)
  const sent = uuid.test(name) ? { smart_field_id: name } : { smart_field: name }
  const resolved = fieldResolver(await smartFieldsOf(db, workspaceId))(sent, '')
  if ('field' in resolved) return { by: orderOfField(resolved.field), isDescending }
  throw validationError([
    detail('sort', 'unknown_reference', { message: `sort: there is no smart field ${JSON.stringify(name)}` }),
  ])
}
