import type { Operator } from '#features/recipients/index.ts'
import { composed, type Db, empty, join, type Sql, sql } from '#kernel/db.ts'
import { rows } from '#kernel/rows.ts'
import { comparisonKey } from '#kernel/text.ts'

/** Published signatures with a marketing block for this campaign. An empty `signatureIds` means all signatures. */
export async function signaturesShowing(
  db: Db,
  workspaceId: string,
  campaignId: string,
  signatureIds: readonly string[],
): Promise<string[]> {
  const idFilter = signatureIds.length === 0 ? empty : sql`and id = any(${signatureIds}::uuid[])`
  const rows = await db.query<{ id: string }>(sql`
    select id from signatures
    where workspace_id = ${workspaceId} and signature_installation_activated ${idFilter} and exists (
      select from jsonb_path_query(content, 'strict $.** ? (@.type == "marketing")', silent => true) block
      where coalesce(lower(block ->> 'campaignUuid'), ${campaignId}) = ${campaignId})`)
  return rows.map(row => row.id)
}

/** Conditions by which PostgreSQL finds addresses. An address matches if at least one condition holds. */
export interface AddressFilter {
  readonly equal: readonly { readonly fieldId: string; readonly value: string }[]
  /** LIKE patterns by smart field id. */
  readonly like: ReadonlyMap<string, readonly string[]>
  /** Smart fields that must have a value. */
  readonly set: readonly string[]
  /** Conditions on the address itself. */
  readonly address: { readonly equal: readonly string[]; readonly like: readonly string[] }
}

export const patternOf = (operator: Operator, value: string): string => {
  const part = comparisonKey(value).replace(/[\\%_]/g, '\\$&')
  return `${operator === 'starts_with' ? '' : '%'}${part}${operator === 'ends_with' ? '' : '%'}`
}

const emailsWithValue = (workspaceId: string, values: Sql): Sql => sql`
  select e.id from ${values}
  join emails e on e.workspace_id = v.workspace_id and e.teammate_id = v.teammate_id and e.deleted_at is null
  where v.workspace_id = ${workspaceId}`

const emailsWithAddress = (workspaceId: string, condition: Sql): Sql =>
  sql`select e.id from emails e where e.workspace_id = ${workspaceId} and e.deleted_at is null and ${condition}`

/** The index contains the first 100 characters of a value. */
const indexedPart = (value: string): string => [...value].slice(0, 100).join('')

function matchingAddresses(workspaceId: string, { equal, like, set, address }: AddressFilter): Sql {
  const parts: Sql[] = []
  if (equal.length > 0)
    parts.push(
      emailsWithValue(
        workspaceId,
        sql`${rows('w', equal, {
          field_id: ['uuid', entry => entry.fieldId],
          value: ['text', entry => indexedPart(entry.value)],
        })}
          join smart_field_values v
            on v.workspace_id = ${workspaceId} and v.smart_field_id = w.field_id and left(v.value_key, 100) = w.value`,
      ),
    )
  if (set.length > 0)
    parts.push(
      sql`${emailsWithValue(workspaceId, sql`smart_field_values v`)}
        and v.smart_field_id = any(${set}::uuid[]) and v.value_key <> ''`,
    )
  for (const [fieldId, patterns] of like)
    parts.push(
      sql`${emailsWithValue(workspaceId, sql`smart_field_values v`)}
        and v.smart_field_id = ${fieldId} and v.value_key like any(${patterns}::text[])`,
    )
  if (address.equal.length > 0)
    parts.push(emailsWithAddress(workspaceId, sql`e.address_key = any(${address.equal}::text[])`))
  if (address.like.length > 0)
    parts.push(emailsWithAddress(workspaceId, sql`e.address_key like any(${address.like}::text[])`))
  return parts.length === 0 ? sql`select null::uuid` : join(parts, ' union ')
}

/** Recipients of these signatures, ordered by email id; with a lookup, only those that it matches. */
export async function recipientsAfter(
  db: Db,
  workspaceId: string,
  signatureIds: readonly string[],
  lookup: AddressFilter | null,
  after: string | null,
  count: number,
): Promise<string[]> {
  const rows = await db.query<{ email_id: string }>(
    composed(sql`
      select distinct r.email_id from recipients r
      where r.workspace_id = ${workspaceId} and r.signature_id = any(${signatureIds}::uuid[])
        ${after === null ? empty : sql`and r.email_id > ${after}`}
        ${lookup === null ? empty : sql`and r.email_id in (${matchingAddresses(workspaceId, lookup)})`}
      order by email_id limit ${count}`),
  )
  return rows.map(row => row.email_id)
}
