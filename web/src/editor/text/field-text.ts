// What stands in the place of a smart field while its text is edited.
import type { Token } from '@signoff/render'
import type { RenderedPerson, SmartField } from '@signoff/sdk'

interface ShownField {
  readonly text: string
  /** False for the label of a field without a value: prefix and suffix belong to values. */
  readonly isValue: boolean
  /** Undefined for a field that does not exist. */
  readonly label: string | undefined
}

export type FieldText = (token: Token) => ShownField

export type TextFields = readonly Pick<SmartField, 'id' | 'label' | 'fallback' | 'kind'>[]

const isFilled = (text: string | null | undefined): text is string => !!text && text.trim() !== ''

/** The same order as in the renderer: the person, the fallback of the field, that of the token, its own text. */
export function fieldTextFrom(fields: TextFields, values: RenderedPerson['values']): FieldText {
  const byId = new Map(fields.map(field => [field.id, field]))
  const personal = new Map(values.map(({ smart_field_id: id, value }) => [id, value]))
  return ({ smartFieldUuid = '', fallback, value }) => {
    const id = smartFieldUuid.toLowerCase()
    const field = byId.get(id)
    const label = field?.label
    const text = [personal.get(id), field?.fallback, fallback, value].find(isFilled)
    const isValue = text !== undefined && field?.kind !== 'image'
    return { text: isValue ? text : `{${label ?? '?'}}`, isValue, label }
  }
}
