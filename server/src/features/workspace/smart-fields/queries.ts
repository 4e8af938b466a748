import type { Static } from 'typebox'
import { audited, auditedEach } from '#features/workspace/audit-log/index.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { alphabetical, orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { comparisonKey, iso } from '#kernel/db/text.ts'
import { builtInFields } from './built-ins.ts'
import type { SmartField as SmartFieldSchema } from './schemas.ts'

export interface SmartField extends Omit<Static<typeof SmartFieldSchema>, 'created_at' | 'updated_at'> {
  /** True for the email address field: its value comes from the address and cannot be written. */
  readonly computed: boolean
}

const shape = sql`
  id, label, key, kind, required, built_in as "default", fallback, integration_id, integration_attribute,
  editable_by_owner, approval,
  ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`

const changedRow = sql`select ${shape}, computed from changed`

export const fieldSorts = {
  label: alphabetical(sql`label`),
  kind: sql`kind`,
  created_at: null,
  updated_at: sql`updated_at`,
} satisfies SortColumns

export const listFields = (
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { sort }: SortQuery,
): Promise<ListResult> =>
  listRows(
    db,
    page,
    shape,
    sql`from smart_fields where workspace_id = ${workspaceId}`,
    orderBy(sort, fieldSorts, sql`id`),
  )

/** All fields in the order of their creation, with `computed`. */
export const smartFieldsOf = (db: Db, workspaceId: string) =>
  db.query<SmartField>(
    sql`select ${shape}, computed from smart_fields where workspace_id = ${workspaceId} order by id`,
  )

const selectField = (workspaceId: string, id: string) =>
  sql`select ${shape}, computed from smart_fields where workspace_id = ${workspaceId} and id = ${id}`

export const findField = (db: Db, workspaceId: string, id: string) =>
  db.first<SmartField>(selectField(workspaceId, id))

export const lockField = (tx: Db, workspaceId: string, id: string) =>
  tx.first<SmartField>(sql`${selectField(workspaceId, id)} for update`)

/** Serializes field creation in a workspace, so each field gets a unique key. */
export const lockFields = (tx: Db, workspaceId: string) =>
  tx.query(sql`select from workspaces where id = ${workspaceId} for no key update`)

type FieldValues = Pick<
  SmartField,
  | 'label'
  | 'key'
  | 'kind'
  | 'required'
  | 'fallback'
  | 'editable_by_owner'
  | 'approval'
  | 'integration_id'
  | 'integration_attribute'
>

export async function insertField(db: Db, by: Caller, field: FieldValues): Promise<SmartField> {
  const { id, now } = newRow()
  const insert = sql`
    insert into smart_fields (workspace_id, id, label, label_key, key, kind, required, fallback, editable_by_owner, approval,
      integration_id, integration_attribute, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${field.label}, ${comparisonKey(field.label)}, ${field.key}, ${field.kind},
      ${field.required}, ${field.fallback}, ${field.editable_by_owner}, ${field.approval}, ${field.integration_id},
      ${field.integration_attribute}, ${now}, ${now})
    returning *`
  const inserted = await db.first<SmartField>(
    audited(by, 'smart_field.created', insert, undefined, changedRow),
  )
  return inserted as SmartField
}

export async function updateField(
  db: Db,
  by: Caller,
  id: string,
  field: FieldValues,
): Promise<SmartField | undefined> {
  const update = sql`
    update smart_fields set label = ${field.label}, label_key = ${comparisonKey(field.label)}, kind = ${field.kind},
      required = ${field.required}, fallback = ${field.fallback}, editable_by_owner = ${field.editable_by_owner},
      approval = ${field.approval}, integration_id = ${field.integration_id},
      integration_attribute = ${field.integration_attribute}, updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = ${id}
    returning *`
  return db.first<SmartField>(audited(by, 'smart_field.updated', update, undefined, changedRow))
}

/** The fields of a directory that is disconnected can be written again. Their values stay. */
export const clearMappings = async (tx: Db, by: Caller, integrationId: string): Promise<void> => {
  await tx.query(sql`
    update smart_fields set integration_id = null, integration_attribute = null, updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and integration_id = ${integrationId}`)
}

/** Exactly these fields are filled by the directory, each from its attribute. Returns whether any field changed. */
export async function mapFieldsTo(
  tx: Db,
  by: Caller,
  integrationId: string,
  attributes: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { workspaceId } = by
  const now = new Date()
  const cleared = await tx.query<{ id: string }>(sql`
    update smart_fields set integration_id = null, integration_attribute = null, updated_at = ${now}
    where workspace_id = ${workspaceId} and integration_id = ${integrationId}
      and not id = any(${[...attributes.keys()]}::uuid[])
    returning id`)
  const mapped = await tx.query<{ id: string }>(sql`
    update smart_fields f set integration_id = ${integrationId}::uuid, integration_attribute = n.attribute,
      updated_at = ${now}
    from ${rows('n', [...attributes], {
      id: ['uuid', ([id]) => id],
      attribute: ['text', ([, attribute]) => attribute],
    })}
    where f.workspace_id = ${workspaceId} and f.id = n.id
      and (f.integration_id, f.integration_attribute) is distinct from (${integrationId}::uuid, n.attribute)
    returning f.id`)
  const changed = [...cleared, ...mapped].map(({ id }) => id)
  if (changed.length > 0) await tx.query(auditedEach(by, 'smart_field.updated', changed))
  return changed.length > 0
}

export const deleteField = (db: Db, by: Caller, id: string) =>
  db.query(
    audited(
      by,
      'smart_field.deleted',
      sql`delete from smart_fields where workspace_id = ${by.workspaceId} and id = ${id} returning id`,
    ),
  )

export const hasValues = (db: Db, workspaceId: string, id: string) =>
  db.hasRows(
    sql`select from smart_field_values where workspace_id = ${workspaceId} and smart_field_id = ${id} limit 1`,
  )

/** Locks fields, so none is deleted before the references to it are stored. Read the fields after this, not before. */
export async function lockFieldsForShare(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.query(sql`
    select from smart_fields where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
    order by id
    for key share`)
}

export interface FieldUse {
  readonly kind: 'signature' | 'variant' | 'rule' | 'campaign'
  /** The name of the signature or campaign. */
  readonly name: string | null
}

/** References of content and rules to the field. Versions do not count: they are history. */
export const usesOf = (db: Db, workspaceId: string, id: string) =>
  db.query<FieldUse>(sql`
    select distinct r.holder_kind as kind, coalesce(s.name, c.name) as name
    from content_references r
    left join signatures s on s.workspace_id = r.workspace_id and s.id = r.signature_id
    left join marketing_campaigns c on c.workspace_id = r.workspace_id and r.holder_kind = 'campaign' and c.id = r.holder_id
    where r.workspace_id = ${workspaceId} and r.target_kind = 'smart_field' and r.target_id = ${id}
      and r.holder_kind in ('signature', 'variant', 'rule', 'campaign')
    order by kind, name`)

/** Adds the fields that every new workspace starts with. */
export async function addBuiltIns(db: Db, workspaceId: string): Promise<void> {
  const fields = builtInFields.map(field => ({ ...newRow(), ...field }))
  await db.query(sql`
    insert into smart_fields (workspace_id, id, label, label_key, key, kind, built_in, computed, created_at, updated_at)
    select ${workspaceId}, field.id, field.label, lower(field.label), field.key, field.kind, true, field.key = 'email',
      field.created_at, field.created_at
    from ${rows('field', fields, {
      id: ['uuid', field => field.id],
      label: ['text', field => field.label],
      key: ['text', field => field.key],
      kind: ['text', field => field.kind],
      created_at: ['timestamptz', field => field.now],
    })}`)
}
