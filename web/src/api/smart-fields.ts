// The smart fields of the workspace, all of them: pages need them to name values and rules.
import type { SmartField } from '@signoff/sdk'
import { api, queryClient } from './client.ts'
import { withFieldLabel } from './field-labels.ts'
import { allRows } from './lists.ts'

/** In the order of their creation: the built-in ones first. */
export const readAllFields = async (): Promise<readonly SmartField[]> =>
  (await allRows(page => api.smartFields.list({ ...page, sort: 'created_at' }))).map(withFieldLabel)

export const smartFieldsQuery = {
  queryKey: ['smart_fields', 'all'],
  queryFn: readAllFields,
  staleTime: 60_000,
} as const

/** The editor reads the fields before the language of the page is known. */
export function nameFieldsAgain(): void {
  queryClient.setQueryData<readonly SmartField[]>(smartFieldsQuery.queryKey, fields =>
    fields?.map(withFieldLabel),
  )
}
