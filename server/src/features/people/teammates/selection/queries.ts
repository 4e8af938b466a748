// Which teammates the filters of a request select: for lists and for changes of many teammates.
import { teammatesOf } from '#features/workspace/emails/index.ts'
import { empty, type Sql, sql } from '#kernel/db/db.ts'
import { changedSince, comparisonKey, contains } from '#kernel/db/text.ts'

export interface TeammateFilters {
  readonly search?: string
  readonly source?: 'manual' | 'directory' | undefined
  readonly active?: boolean | undefined
  readonly value?: { readonly fieldId: string; readonly text: string } | undefined
  /** Limits the list to teammates without a value for this field. */
  readonly missingFieldId?: string | undefined
  readonly signature?: SignatureFilter | undefined
  /** Limits the list to the teammate with this address. */
  readonly ownerEmail?: string | undefined
  /** Limits the list to teammates that changed since then. */
  readonly since?: Date | undefined
}

export interface SignatureFilter {
  /** Selects the teammates who get the signature; undefined when no address gets it. */
  readonly people: Sql | undefined
  /** True for the others: those without a signature. */
  readonly isExcluded: boolean
}

/**
 * Teammates among `ids`. PostgreSQL reads `ids` once, and then looks each of them up by an index. A plain `in` can become
 * a nested loop that reads `ids` again for each teammate, because PostgreSQL expects one row of a workspace that its
 * statistics do not know yet, for example during the first import.
 */
const isAmong = (ids: Sql): Sql => sql`t.id = any (array(${ids}))`

/**
 * The other teammates, by a hash table of `ids`. `distinct` keeps the expected number of rows low: PostgreSQL makes no
 * hash table when it expects more rows than fit into `work_mem`.
 */
const isNotAmong = (ids: Sql): Sql =>
  sql`t.id not in (select distinct matching.id from (${ids}) matching (id))`

const textCondition = (workspaceId: string, text: string): Sql => {
  const matching = sql`
    select teammate_id from emails
    where workspace_id = ${workspaceId} and deleted_at is null and ${contains(sql`address_key`, text)}
    union all
    select teammate_id from smart_field_values
    where workspace_id = ${workspaceId} and asset_id is null and ${contains(sql`value_key`, text)}`
  return sql`and ${isAmong(matching)}`
}

const valueCondition = (workspaceId: string, fieldId: string, value: string): Sql => {
  const key = comparisonKey(value)
  const matching = sql`
    select teammate_id from smart_field_values
    where workspace_id = ${workspaceId} and smart_field_id = ${fieldId}
      and left(value_key, 100) = left(${key}, 100) and value_key = ${key}
    union all
    select e.teammate_id from emails e
    join smart_fields f on f.workspace_id = e.workspace_id and f.id = ${fieldId} and f.computed
    where e.workspace_id = ${workspaceId} and e.deleted_at is null and e.is_primary and e.address_key = ${key}`
  return sql`and ${isAmong(matching)}`
}

const missingCondition = (workspaceId: string, fieldId: string): Sql => sql`
  and exists (select from smart_fields f where f.workspace_id = ${workspaceId} and f.id = ${fieldId} and not f.computed)
  and ${isNotAmong(sql`
    select teammate_id from smart_field_values where workspace_id = ${workspaceId} and smart_field_id = ${fieldId}`)}`

function signatureCondition({ people, isExcluded }: SignatureFilter): Sql {
  if (people === undefined) return isExcluded ? empty : sql`and false`
  return isExcluded ? sql`and ${isNotAmong(people)}` : sql`and ${isAmong(people)}`
}

/** No filter but those on columns of `teammates`. */
export const isPlainSelection = (filters: TeammateFilters): boolean =>
  (filters.search ?? '') === '' &&
  filters.value === undefined &&
  filters.missingFieldId === undefined &&
  filters.signature === undefined &&
  filters.ownerEmail === undefined &&
  filters.since === undefined

/** A WHERE clause for rows `t` of teammates. */
export function selectedTeammates(workspaceId: string, filters: TeammateFilters): Sql {
  const { search = '', source, active, value, missingFieldId, signature, ownerEmail, since } = filters
  const byColumns = sql`
    where t.workspace_id = ${workspaceId} and t.deleted_at is null
      ${source === undefined ? empty : sql`and t.source = ${source}`}
      ${active === undefined ? empty : sql`and t.active = ${active}`}`
  if (isPlainSelection(filters)) return byColumns
  return sql`${byColumns}
    ${search === '' ? empty : textCondition(workspaceId, search)}
    ${value === undefined ? empty : valueCondition(workspaceId, value.fieldId, value.text)}
    ${missingFieldId === undefined ? empty : missingCondition(workspaceId, missingFieldId)}
    ${signature === undefined ? empty : signatureCondition(signature)}
    ${ownerEmail === undefined ? empty : sql`and ${isAmong(teammatesOf(workspaceId, ownerEmail))}`}
    ${changedSince(sql`t.updated_at`, since)}`
}
