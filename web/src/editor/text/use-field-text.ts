import type { RenderedPerson } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type PersonChoice, renderedPersonQuery } from '../surroundings/person.ts'
import { type FieldText, fieldTextFrom, type TextFields } from './field-text.ts'

const noValues: RenderedPerson['values'] = []

/** The same function until the person or the fields change. */
export function useFieldText(
  person: PersonChoice,
  signatureId: string | undefined,
  fields: TextFields,
): FieldText {
  const { data } = useQuery(renderedPersonQuery(person, signatureId))
  const values = data?.values ?? noValues
  return useMemo(() => fieldTextFrom(fields, values), [fields, values])
}
