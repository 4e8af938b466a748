// The smart fields of the workspace, all of them: pages need them to name values and rules.
import type { SmartField } from '@signoff/sdk'
import { allRows } from './all-pages.ts'
import { api } from './client.ts'

/** In the order of their creation: the built-in ones first. */
export const readAllFields = (): Promise<readonly SmartField[]> =>
  allRows(page => api.smartFields.list({ ...page, sort: 'created_at' }))

export const smartFieldsQuery = {
  queryKey: ['smart_fields', 'all'],
  queryFn: readAllFields,
  staleTime: 60_000,
} as const
