// What pages show of a person.
import type { SmartField, Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { smartFieldsQuery } from './smart-fields.ts'

/** The name as people say it; the address where there is none. Labels can be renamed, so fields are found by their keys. */
export function nameOfTeammate(person: Teammate, fields: readonly SmartField[]): string {
  const valueByKey = (key: string) => {
    const id = fields.find(field => field.key === key)?.id
    return person.smart_fields.find(({ smart_field_id }) => smart_field_id === id)?.value
  }
  const names = [valueByKey('first_name'), valueByKey('last_name')].filter(Boolean)
  return names.length > 0 ? names.join(' ') : person.email
}

export function useNameOf(): (person: Teammate) => string {
  const { data: fields = [] } = useQuery(smartFieldsQuery)
  return person => nameOfTeammate(person, fields)
}
