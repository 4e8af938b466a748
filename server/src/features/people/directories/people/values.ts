// Which values people get from their attributes.
import { fitsKind, type SmartField } from '#features/workspace/smart-fields/index.ts'
import { photoAttribute } from '../directory.ts'
import type { PersonProblem } from './clean.ts'

/** A smart field that a directory fills. */
export type MappedField = Pick<SmartField, 'id' | 'kind' | 'label'> & { readonly attribute: string }

/** The fields that this directory fills with texts. */
export const mappedFieldsOf = (fields: readonly SmartField[], integrationId: string): MappedField[] =>
  fields.flatMap(({ id, kind, label, computed, integration_id, integration_attribute }) =>
    integration_id === integrationId && integration_attribute !== null && !computed && kind !== 'image'
      ? [{ id, kind, label, attribute: integration_attribute }]
      : [],
  )

/** The image field that this directory fills with photos. */
export const photoFieldOf = (fields: readonly SmartField[], integrationId: string): SmartField | undefined =>
  fields.find(
    field =>
      field.kind === 'image' &&
      field.integration_id === integrationId &&
      field.integration_attribute === photoAttribute,
  )

interface MappedValues {
  /** Values by smart field; null: no value. */
  readonly values: ReadonlyMap<string, string | null>
  readonly problems: readonly PersonProblem[]
}

/** A value that does not fit the kind of its field counts as absent. */
export function mapValues(
  attributes: Readonly<Record<string, string>>,
  fields: readonly MappedField[],
): MappedValues {
  const values = new Map<string, string | null>()
  const problems: PersonProblem[] = []
  for (const { id, kind, label, attribute } of fields) {
    const value = attributes[attribute] ?? null
    const fits = value === null || fitsKind(kind, value)
    values.set(id, fits ? value : null)
    if (!fits)
      problems.push({
        kind: 'unusable',
        field: attribute,
        message: `“${value.slice(0, 100)}” is not a valid ${kind} for ${label}.`,
      })
  }
  return { values, problems }
}
