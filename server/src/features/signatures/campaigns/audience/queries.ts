import type { Operator } from '#features/signatures/recipients/index.ts'
import { composed, type Db, empty, join, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { comparisonKey } from '#kernel/db/text.ts'

/** A live signature with its slots: the campaigns that its visible marketing blocks name. Null is a block for any. */
export interface SlottedSignature {
  readonly id: string
  readonly name: string
  readonly slots: readonly (string | null)[]
}

const hasMarketing = (content: Sql): Sql =>
  sql`jsonb_path_exists(${content}, 'strict $.** ? (@.type == "marketing")', '{}', true)`

/**
 * The live signatures among these; an empty `signatureIds` means all. Slots of variants count where the variant is in
 * use and shows campaigns.
 */
export function liveSignatureSlots(
  db: Db,
  workspaceId: string,
  signatureIds: readonly string[],
): Promise<SlottedSignature[]> {
  const idFilter = signatureIds.length === 0 ? empty : sql`and id = any(${signatureIds}::uuid[])`
  return db.query(sql`
    with recursive live as (
      select id, name, content from signatures
      where workspace_id = ${workspaceId} and signature_installation_activated and content is not null ${idFilter}
    ), block as (
      (
        select id as signature_id, content as node from live where ${hasMarketing(sql`content`)}
        union all
        select v.signature_id, v.content from signature_variants v
        where v.workspace_id = ${workspaceId} and v.signature_id in (select id from live)
          and v.activated and not v.hidden and v.show_marketing_campaigns and ${hasMarketing(sql`v.content`)}
      )
      union all
      select signature_id, child from block, jsonb_array_elements(node -> 'children') child
      where node ->> 'visible' is distinct from 'false'
    )
    select id, name, coalesce(slots, '[]') as slots from live left join (
      select signature_id, jsonb_agg(distinct lower(node ->> 'campaignUuid')) as slots from block
      where node ->> 'type' = 'marketing' and node ->> 'visible' is distinct from 'false'
      group by signature_id
    ) visible on visible.signature_id = live.id
    order by name, id`)
}

/** True if the signature can show the campaign. */
export const canShow = ({ slots }: SlottedSignature, campaignId: string): boolean =>
  slots.includes(null) || slots.includes(campaignId)

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
export const recipientsAfter = (
  db: Db,
  workspaceId: string,
  signatureIds: readonly string[],
  lookup: AddressFilter | null,
  after: string | null,
  count: number,
) =>
  db.column<string>(
    composed(sql`
      select distinct r.email_id from recipients r
      where r.workspace_id = ${workspaceId} and r.signature_id = any(${signatureIds}::uuid[])
        ${after === null ? empty : sql`and r.email_id > ${after}`}
        ${lookup === null ? empty : sql`and r.email_id in (${matchingAddresses(workspaceId, lookup)})`}
      order by email_id limit ${count}`),
  )
