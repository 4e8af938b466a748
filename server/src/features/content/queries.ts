import type { ContentReference } from '@signoff/render'
import { type Db, type Sql, sql } from '#kernel/db.ts'
import { uuid } from '#kernel/validation.ts'

export interface ReferenceHolder {
  readonly kind: 'signature' | 'variant' | 'version' | 'campaign' | 'rule'
  readonly id: string
  /** The signature template that it belongs to. */
  readonly signatureId: string | null
}

/** Notes what this holder refers to, in the place of what it referred to before. */
export async function saveReferences(
  tx: Db,
  workspaceId: string,
  { kind, id, signatureId }: ReferenceHolder,
  references: readonly Pick<ContentReference, 'kind' | 'id'>[],
): Promise<void> {
  const targets = [
    ...new Set(
      references
        .filter(reference => uuid.test(reference.id))
        .map(reference => `${reference.kind} ${reference.id.toLowerCase()}`),
    ),
  ]
  const kinds = targets.map(target => target.split(' ')[0])
  const ids = targets.map(target => target.split(' ')[1])
  await tx.query(sql`
    delete from content_references
    where workspace_id = ${workspaceId} and holder_kind = ${kind} and holder_id = ${id}
      and not (target_kind, target_id) in (select * from unnest(${kinds}::text[], ${ids}::uuid[]))`)
  await tx.query(sql`
    insert into content_references (workspace_id, holder_kind, holder_id, target_kind, target_id, signature_id)
    select ${workspaceId}::uuid, ${kind}, ${id}::uuid, t.kind, t.id, ${signatureId}::uuid
    from unnest(${kinds}::text[], ${ids}::uuid[]) as t (kind, id)
    on conflict do nothing`)
}

/** A signature goes for good, and all that belongs to it. */
export const dropReferences = (tx: Db, workspaceId: string, signatureId: string) =>
  tx.query(
    sql`delete from content_references where workspace_id = ${workspaceId} and signature_id = ${signatureId}`,
  )

/** Those of the ids that are campaigns of this workspace. */
export async function knownCampaigns(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.query<{ id: string }>(
    sql`select id from marketing_campaigns where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id`,
  )
  return new Set(rows.map(row => row.id))
}

interface AddressValues {
  readonly address: string
  /** By smart field. */
  readonly values: Readonly<Record<string, string>>
}

/**
 * Who has these addresses: those that are gone are left out. Whoever writes values touches the teammate's row, so that the
 * transactions that wrote these three rows last tell of every change.
 */
const fromOwners = (workspaceId: string, emailIds: readonly string[]): Sql => sql`
  from emails e
  join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id
  left join lateral (
    select address, xmin as written from emails
    where workspace_id = e.workspace_id and teammate_id = e.teammate_id and is_primary and deleted_at is null
    limit 1) p on true -- by the index for each one: before it has counted, PostgreSQL would read all addresses for each
  where e.workspace_id = ${workspaceId} and e.id = any(${emailIds}::uuid[]) and e.deleted_at is null`

const revision = sql`concat_ws('.', t.xmin, e.xmin, p.written) as revision`

export interface RowVersion {
  readonly id: string
  readonly revision: string
}

export const findRowVersions = (
  db: Db,
  workspaceId: string,
  emailIds: readonly string[],
): Promise<RowVersion[]> => db.query(sql`select e.id, ${revision} ${fromOwners(workspaceId, emailIds)}`)

export const findValuesOfMany = (
  db: Db,
  workspaceId: string,
  emailIds: readonly string[],
): Promise<(AddressValues & RowVersion & { readonly number: number; readonly primary_address: string })[]> =>
  db.query(sql`
    select e.id, e.number, e.address, ${revision}, coalesce(p.address, e.address) as primary_address, coalesce((
      select json_object_agg(v.smart_field_id, v.value) from smart_field_values v
      where v.workspace_id = e.workspace_id and v.teammate_id = e.teammate_id), '{}') as values
    ${fromOwners(workspaceId, emailIds)}`)

/** An address as it is; of one from which mails were sent its owner counts, who may have given it up. */
export type StoredValue = 'in use' | 'sent from'

const stateCondition: Readonly<Record<StoredValue, Sql>> = {
  'in use': sql`e.deleted_at is null`,
  'sent from': sql`exists (
    select from teammates t where t.workspace_id = e.workspace_id and t.id = e.teammate_id and t.deleted_at is null)`,
}

/** What the signature of one address is filled in with. */
export async function findValues(
  db: Db,
  workspaceId: string,
  emailId: string,
  addressState: StoredValue,
): Promise<AddressValues | undefined> {
  const [row] = await db.query<AddressValues>(sql`
    select e.address, coalesce((
      select json_object_agg(v.smart_field_id, v.value) from smart_field_values v
      where v.workspace_id = e.workspace_id and v.teammate_id = e.teammate_id), '{}') as values
    from emails e
    where e.workspace_id = ${workspaceId} and e.id = ${emailId} and ${stateCondition[addressState]}`)
  return row
}
