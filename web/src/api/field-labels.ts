// The name of a smart field as the dashboard shows it.
import type { SmartField } from '@signoff/sdk'
import { builtInFields } from '#texts/built-in-fields.ts'
import { languages } from '#texts/languages.ts'

/** The language of the page, once the frame is loaded. */
const names = () =>
  builtInFields[languages.find(each => each === document.documentElement.lang) ?? 'en'] ?? {}

/** A built-in field that was never renamed has a name in each language; all others are named by people. */
export const fieldLabel = (label: string): string => names()[label] ?? label

export const withFieldLabel = <Field extends Pick<SmartField, 'label' | 'default'>>(field: Field): Field =>
  field.default ? { ...field, label: fieldLabel(field.label) } : field

/** The label that the API has stored, from the label that the dashboard shows. */
export const storedLabel = ({ label, default: isBuiltIn }: Pick<SmartField, 'label' | 'default'>): string =>
  (isBuiltIn && Object.entries(names()).find(([, name]) => name === label)?.[0]) || label
