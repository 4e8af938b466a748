import { inactiveAddresses, isOfActivePerson } from '#features/workspace/emails/index.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import type { FieldCoverage, ValueCounts } from './problems.ts'

/** Counts inactive people too. */
export const countRecipients = (db: Db, workspaceId: string, signatureId: string) =>
  db.number(sql`
    select count(*)::int as n from recipients
    where workspace_id = ${workspaceId} and signature_id = ${signatureId}`)

/** Those who are inactive, and get no signature. */
export const countInactive = (db: Db, workspaceId: string, signatureId: string) =>
  db.number(sql`
    select count(*)::int as n from (${inactiveAddresses(workspaceId)}) inactive
    cross join lateral (
      select from recipients
      where workspace_id = ${workspaceId} and signature_id = ${signatureId} and email_id = inactive.id offset 0) r`)

/** Up to this many recipients all are counted: about 0.1 s of PostgreSQL. */
export const maxCounted = 10_000
/** Number of recipients who are counted, of more than these. A share of them is then known to about 1.5 %. */
const sampleSize = 5_000

export interface CountedRecipients {
  readonly workspaceId: string
  readonly signatureId: string
  /** Number of recipients that the signature has. */
  readonly recipients: number
}

/** The same recipients each time: ids begin with their time, and values depend on it, so a hash chooses them. */
function countedRecipients({ workspaceId, signatureId, recipients }: CountedRecipients): Sql {
  const oneIn = recipients <= maxCounted ? 1 : Math.ceil(recipients / sampleSize)
  return sql`
    select email_id from recipients
    where workspace_id = ${workspaceId} and signature_id = ${signatureId} and uuid_hash(email_id) % ${oneIn}::int = 0
      and ${isOfActivePerson(workspaceId, sql`recipients.email_id`)}
    limit ${maxCounted}`
}

/**
 * The values of these fields that the recipients in `counted` have. Lateral with `offset 0`, and all but the keys
 * compared outside: two lookups by primary key per recipient. Before ANALYZE, PostgreSQL would read all addresses for
 * each recipient. Bytes instead of characters: PostgreSQL need not decompress long values, and HTML has at most as many
 * characters.
 */
const valuesOfCounted = (workspaceId: string, fieldIds: readonly string[]): Sql => sql`
  from counted r
  cross join lateral (
    select teammate_id, deleted_at from emails where workspace_id = ${workspaceId} and id = r.email_id offset 0) e
  cross join lateral (
    select smart_field_id, octet_length(value) as bytes, value_key from smart_field_values
    where workspace_id = ${workspaceId} and teammate_id = e.teammate_id offset 0) v
  where e.deleted_at is null and v.smart_field_id = any(${fieldIds}::uuid[]) and v.value_key <> ''`

/** Counts in PostgreSQL, so the answer is small for any number of recipients. */
export async function countValues(
  db: Db,
  among: CountedRecipients,
  fieldIds: readonly string[],
): Promise<ValueCounts> {
  if (fieldIds.length === 0) return { counted: among.recipients, byField: new Map() }
  const rows = await db.query<FieldCoverage & { readonly id: string | null }>(sql`
    with counted as materialized (${countedRecipients(among)})
    select null::uuid as id, count(*)::int as filled, 0 as longest from counted
    union all
    select v.smart_field_id, count(*)::int, max(v.bytes) ${valuesOfCounted(among.workspaceId, fieldIds)}
    group by v.smart_field_id`)
  const byField = new Map<string, FieldCoverage>()
  for (const { id, filled, longest } of rows) if (id !== null) byField.set(id, { filled, longest })
  return { counted: rows.find(row => row.id === null)?.filled ?? 0, byField }
}

/** The recipients whose values have the most bytes, the longest first. */
export const longestRecipients = (
  db: Db,
  among: CountedRecipients,
  fieldIds: readonly string[],
  count: number,
) =>
  db.column<string>(sql`
    with counted as materialized (${countedRecipients(among)})
    select r.email_id as id ${valuesOfCounted(among.workspaceId, fieldIds)}
    group by r.email_id order by sum(v.bytes) desc, r.email_id limit ${count}`)

/** Those of the fields for which at least one recipient has a value. Reads values until it finds one, for each field. */
export const fieldsInUse = (
  db: Db,
  { workspaceId, signatureId }: CountedRecipients,
  fieldIds: readonly string[],
) =>
  db.column<string>(sql`
    select f.id from unnest(${fieldIds}::uuid[]) as f (id)
    cross join lateral (
      select from smart_field_values v
      cross join lateral (
        select id from emails
        where workspace_id = ${workspaceId} and teammate_id = v.teammate_id and deleted_at is null offset 0) e
      cross join lateral (
        select from recipients
        where workspace_id = ${workspaceId} and signature_id = ${signatureId} and email_id = e.id offset 0) r
      where v.workspace_id = ${workspaceId} and v.smart_field_id = f.id and v.value_key <> ''
        and (select active from teammates where workspace_id = ${workspaceId} and id = v.teammate_id)
      limit 1) held`)
