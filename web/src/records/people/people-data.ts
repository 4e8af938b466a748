// What the pages of people read: the smart fields, the filters in the address, and lists of any length.
import type { SmartField, Teammate } from '@signoff/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { smartFieldsQuery } from '#api/smart-fields.ts'

/** In the order of their creation: the built-in ones first. */
export const useSmartFields = (): readonly SmartField[] => useSuspenseQuery(smartFieldsQuery).data

export const valueIn = (person: Teammate, fieldId: string): string | null =>
  person.smart_fields.find(({ smart_field_id }) => smart_field_id === fieldId)?.value ?? null

/** The picture of a person: the first image field that has one. */
export const pictureOf = (person: Teammate, fields: readonly SmartField[]): string | null =>
  fields
    .filter(({ kind }) => kind === 'image')
    .map(({ id }) => valueIn(person, id))
    .find(Boolean) ?? null

/** The address field follows the address of the person: it is not written. */
export const isComputedField = ({ key, default: isBuiltIn }: SmartField): boolean =>
  isBuiltIn && key === 'email'

/** Why a value cannot be changed here. */
export function lockOf(field: SmartField): 'computed' | 'directory' | null {
  if (isComputedField(field)) return 'computed'
  return field.integration_id === null ? null : 'directory'
}

export type PeopleFilterName =
  | 'search'
  | 'sort'
  | 'missing'
  | 'field'
  | 'value'
  | 'signature'
  | 'active'
  | 'source'

export type PeopleFilters = Readonly<Partial<Record<PeopleFilterName, string>>>

/** The filters as the API takes them; the address names fields by their keys. */
export function apiFiltersOf(filters: PeopleFilters) {
  const { search, missing, field, value, signature, active, source } = filters
  return {
    ...(search && { search }),
    ...(missing && { missing_smart_field: missing }),
    ...(field && value && { smart_field: field, smart_field_value: value }),
    ...(signature && { signature_id: signature }),
    ...(active && { active: active === 'yes' }),
    ...((source === 'manual' || source === 'directory') && { source: source as 'manual' | 'directory' }),
  }
}

export const peopleKey = ['teammates'] as const
