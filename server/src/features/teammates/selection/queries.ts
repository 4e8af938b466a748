// Which teammates the filters of a request select: for lists and for changes of many teammates.
import { chosenRecipients } from '#features/recipients/index.ts'
import { empty, type Sql, sql } from '#kernel/db.ts'
import { changedSince, comparisonKey, contains } from '#kernel/text.ts'

export interface TeammateFilters {
  readonly search?: string
  readonly source?: 'manual' | 'directory' | undefined
  readonly active?: boolean | undefined
  readonly value?: { readonly fieldId: string; readonly text: string } | undefined
  /** Only teammates without a value for this field. */
  readonly missingFieldId?: string | undefined
  /** Only teammates that get this signature; `none`: those that get no signature. */
  readonly signature?: ChosenSignature | 'none' | undefined
  /** Only teammates that changed since then. */
  readonly since?: Date | undefined
}

export interface ChosenSignature {
  readonly id: string
  /** The signatures that win against it; null when no address gets it. */
  readonly preferred: readonly string[] | null
}

const textCondition = (workspaceId: string, text: string): Sql => {
  return sql`and t.id in (
    select teammate_id from emails
    where workspace_id = ${workspaceId} and deleted_at is null and ${contains(sql`address_key`, text)}
    union all
    select teammate_id from smart_field_values
    where workspace_id = ${workspaceId} and asset_id is null and ${contains(sql`value_key`, text)})`
}

const valueCondition = (workspaceId: string, fieldId: string, value: string): Sql => {
  const key = comparisonKey(value)
  return sql`and t.id in (
    select teammate_id from smart_field_values
    where workspace_id = ${workspaceId} and smart_field_id = ${fieldId}
      and left(value_key, 100) = left(${key}, 100) and value_key = ${key}
    union all
    select e.teammate_id from emails e
    join smart_fields f on f.workspace_id = e.workspace_id and f.id = ${fieldId} and f.computed
    where e.workspace_id = ${workspaceId} and e.deleted_at is null and e.is_primary and e.address_key = ${key})`
}

const missingCondition = (workspaceId: string, fieldId: string): Sql => sql`
  and exists (select from smart_fields f where f.workspace_id = ${workspaceId} and f.id = ${fieldId} and not f.computed)
  and not exists (
    select from smart_field_values v
    where v.workspace_id = t.workspace_id and v.teammate_id = t.id and v.smart_field_id = ${fieldId})`

function signatureCondition(workspaceId: string, signature: ChosenSignature | 'none'): Sql {
  if (signature === 'none')
    return sql`and t.id not in (
      select e.teammate_id from recipients r
      join signatures s on s.workspace_id = r.workspace_id and s.id = r.signature_id
      join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id and e.deleted_at is null
      join teammates owner on owner.workspace_id = e.workspace_id and owner.id = e.teammate_id and owner.active
      where r.workspace_id = ${workspaceId} and s.signature_installation_activated and s.content is not null)`
  if (signature.preferred === null) return sql`and false`
  return sql`and t.id in (
    select e.teammate_id ${chosenRecipients(workspaceId, signature.id, signature.preferred)})`
}

/** No filter but those on columns of `teammates`. */
export const isPlainSelection = (filters: TeammateFilters): boolean =>
  (filters.search ?? '') === '' &&
  filters.value === undefined &&
  filters.missingFieldId === undefined &&
  filters.signature === undefined &&
  filters.since === undefined

/** A WHERE clause for rows `t` of teammates. */
export function selectedTeammates(workspaceId: string, filters: TeammateFilters): Sql {
  const { search = '', source, active, value, missingFieldId, signature, since } = filters
  const byColumns = sql`
    where t.workspace_id = ${workspaceId} and t.deleted_at is null
      ${source === undefined ? empty : sql`and t.source = ${source}`}
      ${active === undefined ? empty : sql`and t.active = ${active}`}`
  if (isPlainSelection(filters)) return byColumns
  return sql`${byColumns}
    ${search === '' ? empty : textCondition(workspaceId, search)}
    ${value === undefined ? empty : valueCondition(workspaceId, value.fieldId, value.text)}
    ${missingFieldId === undefined ? empty : missingCondition(workspaceId, missingFieldId)}
    ${signature === undefined ? empty : signatureCondition(workspaceId, signature)}
    ${changedSince(sql`t.updated_at`, since)}`
}
