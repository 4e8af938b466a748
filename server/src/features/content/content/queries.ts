import type { ContentReference } from '@signoff/render'
import { valueOrPortrait } from '#features/content/assets/index.ts'
import { uuid } from '#kernel/api/validation.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'

interface ReferenceHolder {
  readonly kind: 'signature' | 'variant' | 'version' | 'campaign' | 'rule' | 'brand'
  readonly id: string
  /** The signature template that the holder belongs to. */
  readonly signatureId: string | null
}

/** Replaces the stored references of this holder. */
export async function saveReferences(
  tx: Db,
  workspaceId: string,
  { kind, id, signatureId }: ReferenceHolder,
  references: readonly Pick<ContentReference, 'kind' | 'id'>[],
): Promise<void> {
  const keys = references
    .filter(reference => uuid.test(reference.id))
    .map(reference => `${reference.kind} ${reference.id.toLowerCase()}`)
  const targets = rows('t', [...new Set(keys)], {
    kind: ['text', key => key.split(' ')[0]],
    id: ['uuid', key => key.split(' ')[1]],
  })
  await tx.query(sql`
    delete from content_references
    where workspace_id = ${workspaceId} and holder_kind = ${kind} and holder_id = ${id}
      and not (target_kind, target_id) in (select kind, id from ${targets})`)
  await tx.query(sql`
    insert into content_references (workspace_id, holder_kind, holder_id, target_kind, target_id, signature_id)
    select ${workspaceId}::uuid, ${kind}, ${id}::uuid, t.kind, t.id, ${signatureId}::uuid
    from ${targets}
    on conflict do nothing`)
}

/** Deletes the references of a signature and of everything that belongs to it. */
export const dropReferences = (tx: Db, workspaceId: string, signatureId: string) =>
  tx.query(
    sql`delete from content_references where workspace_id = ${workspaceId} and signature_id = ${signatureId}`,
  )

/** Returns the ids that are campaigns of this workspace. */
export async function knownCampaigns(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  return new Set(
    await db.column<string>(
      sql`select id from marketing_campaigns where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id`,
    ),
  )
}

interface AddressValues {
  readonly address: string
  /** By smart field id. The value of an image field is a text for `portraitDrawer`. */
  readonly values: Readonly<Record<string, string>>
}

/**
 * The rows of the given addresses and their owners, without deleted addresses. Every statement that writes smart field
 * values also updates the teammate's row, so the xmin of the three rows together changes with every change.
 */
const fromOwners = (workspaceId: string, emailIds: readonly string[]): Sql => sql`
  from emails e
  join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id
  left join lateral (
    select address, xmin as written from emails
    where workspace_id = ${workspaceId} and teammate_id = e.teammate_id and is_primary and deleted_at is null
    limit 1) p on true -- one index lookup per address: before ANALYZE, PostgreSQL would read all for each
  where e.workspace_id = ${workspaceId} and e.id = any(${emailIds}::uuid[]) and e.deleted_at is null`

const rowVersion = sql`concat_ws('.', t.xmin, e.xmin, p.written) as row_version`

interface RowVersion {
  readonly id: string
  readonly row_version: string
}

export const findRowVersions = (db: Db, workspaceId: string, emailIds: readonly string[]) =>
  db.query<RowVersion>(sql`select e.id, ${rowVersion} ${fromOwners(workspaceId, emailIds)}`)

export const findValuesOfMany = (
  db: Db,
  workspaceId: string,
  emailIds: readonly string[],
): Promise<(AddressValues & RowVersion & { readonly number: number; readonly primary_address: string })[]> =>
  db.query(sql`
    select e.id, e.number, e.address, ${rowVersion}, coalesce(p.address, e.address) as primary_address, coalesce((
      select json_object_agg(v.smart_field_id, ${valueOrPortrait(workspaceId)}) from smart_field_values v
      where v.workspace_id = ${workspaceId} and v.teammate_id = e.teammate_id), '{}') as values
    ${fromOwners(workspaceId, emailIds)}`)

/**
 * `in use`: the address must exist. `sent from`: only its owner must exist, because mails were sent from an address
 * that can be deleted by now.
 */
export type StoredValue = 'in use' | 'sent from'

const stateCondition: Readonly<Record<StoredValue, Sql>> = {
  'in use': sql`e.deleted_at is null`,
  'sent from': sql`exists (
    select from teammates t where t.workspace_id = e.workspace_id and t.id = e.teammate_id and t.deleted_at is null)`,
}

/** The values that fill the signature of one address. */
export const findValues = (db: Db, workspaceId: string, emailId: string, addressState: StoredValue) =>
  db.first<AddressValues>(sql`
    select e.address, coalesce((
      select json_object_agg(v.smart_field_id, ${valueOrPortrait(workspaceId)}) from smart_field_values v
      where v.workspace_id = ${workspaceId} and v.teammate_id = e.teammate_id), '{}') as values
    from emails e
    where e.workspace_id = ${workspaceId} and e.id = ${emailId} and ${stateCondition[addressState]}`)
