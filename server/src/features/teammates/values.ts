// Validates the values that an API client sends for a teammate against the smart fields of the workspace.

import { fitsKind, type SmartField } from '#features/smart-fields/index.ts'
import { type Detail, detail } from '#kernel/errors.ts'

export interface SentValue {
  readonly smart_field_id: string
  readonly value: string | null
}

/** By smart field id; null clears the value. */
export type SmartFieldValues = ReadonlyMap<string, string | null>

/** The directory writes synced fields, an upload writes images, and computed fields follow the primary address. */
const isWrittenElsewhere = (field: SmartField): boolean =>
  field.integration_attribute !== null || field.kind === 'image' || field.computed

export function checkValues(
  fields: readonly SmartField[],
  sent: readonly SentValue[],
): { readonly values: SmartFieldValues; readonly problems: readonly Detail[] } {
  const fieldsById = new Map(fields.map(field => [field.id, field]))
  const values = new Map<string, string | null>()
  const seen = new Set<string>()
  const problems: Detail[] = []
  sent.forEach(({ smart_field_id, value }, index) => {
    const id = smart_field_id.toLowerCase()
    const at = `smart_fields[${index}]`
    const field = fieldsById.get(id)
    if (!field) problems.push(detail(`${at}.smart_field_id`, 'unknown_reference'))
    else if (seen.has(id)) problems.push(detail(`${at}.smart_field_id`, 'duplicate'))
    else if (isWrittenElsewhere(field)) return
    else if (value === null || value.trim() === '') values.set(id, null)
    else if (fitsKind(field.kind, value)) values.set(id, value)
    else
      problems.push(
        detail(`${at}.value`, 'invalid', {
          message: `${at}.value is not a valid ${field.kind} for ${field.label}`,
        }),
      )
    seen.add(id)
  })
  return { values, problems }
}
