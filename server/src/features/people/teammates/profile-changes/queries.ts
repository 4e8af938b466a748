import { parsePortrait, portraitUrl, valueOrPortrait } from '#features/content/assets/index.ts'
import { teammateLabels } from '#features/measurement/analytics/index.ts'
import { type NamedMember, namedMemberAt } from '#features/workspace/accounts/index.ts'
import { audited } from '#features/workspace/audit-log/index.ts'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import { type ListResult, limitOffset, type PageQuery, paginate } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { filesAddress } from '#kernel/base/public-address.ts'
import { type Db, empty, raw, type Sql, sql } from '#kernel/db/db.ts'
import { comparisonKey, iso } from '#kernel/db/text.ts'
import { valueColumns } from '../queries.ts'
import type { StoredPicture } from '../values.ts'
import type { ProfileChangeStatus } from './schemas.ts'

/** The workspace, and where its files are served. */
interface ChangeScope {
  readonly workspaceId: string
  readonly publicUrl: string
}

interface ChangeRow {
  readonly id: string
  readonly teammate_id: string
  readonly email_id: string | null
  readonly email: string
  readonly field: Pick<SmartField, 'id' | 'label' | 'key' | 'kind'>
  /** The values, as `valueOrPortrait` makes them. */
  readonly before: string | null
  readonly after: string | null
  readonly current: string | null
  readonly changed_meanwhile: boolean
  readonly status: ProfileChangeStatus
  readonly reason: string | null
  readonly requested_via: string | null
  readonly requested_at: string
  readonly decided_at: string | null
  readonly decided_by: NamedMember | null
  readonly created_at: string
  readonly updated_at: string
}

/** A value in the columns that begin with `prefix`, as `valueOrPortrait` makes it. */
const valueIn = (workspaceId: string, prefix: 'before' | 'after' | 'current'): Sql => sql`(
  select ${valueOrPortrait(workspaceId)} from (
    select ${raw(prefix)}_value as value, ${raw(prefix)}_asset_id as asset_id, ${raw(prefix)}_crop as crop) v)`

/** `c` are rows of profile_changes. The value now counts while a change is pending, and later the one that was found. */
const view = (workspaceId: string, changes: Sql): Sql => sql`
  select c.id, c.teammate_id, e.id as email_id, coalesce(e.address, '') as email,
    json_build_object('id', f.id, 'label', f.label, 'key', f.key, 'kind', f.kind) as field,
    ${valueIn(workspaceId, 'before')} as before, ${valueIn(workspaceId, 'after')} as after,
    ${valueIn(workspaceId, 'current')} as current,
    (current_value, current_crop) is distinct from (before_value, before_crop) as changed_meanwhile,
    c.status, c.reason, c.requested_via, ${iso(sql`c.requested_at`)} as requested_at,
    ${iso(sql`c.decided_at`)} as decided_at,
    case when c.decided_by is not null then ${namedMemberAt(workspaceId, sql`c.decided_by`)} end as decided_by,
    ${iso(sql`c.requested_at`)} as created_at, ${iso(sql`coalesce(c.decided_at, c.requested_at)`)} as updated_at
  from (${changes}) c
  join smart_fields f on f.workspace_id = ${workspaceId} and f.id = c.smart_field_id
  left join lateral (
    select id, address from emails
    where workspace_id = ${workspaceId} and teammate_id = c.teammate_id and is_primary and deleted_at is null
    offset 0) e on true
  left join lateral (
    select value, asset_id, crop from smart_field_values
    where workspace_id = ${workspaceId} and teammate_id = c.teammate_id and smart_field_id = c.smart_field_id
    offset 0) live on true
  cross join lateral (
    select case when c.status = 'pending' then live.value else c.found_value end as current_value,
      case when c.status = 'pending' then live.asset_id else c.found_asset_id end as current_asset_id,
      case when c.status = 'pending' then live.crop else c.found_crop end as current_crop) now
  order by c.id desc`

export type ProfileChangeView = Awaited<ReturnType<typeof readChanges>>[number]

async function readChanges(db: Db, { workspaceId, publicUrl }: ChangeScope, changes: Sql) {
  const rows = await db.query<ChangeRow>(view(workspaceId, changes))
  const labels = await teammateLabels(db, workspaceId, [...new Set(rows.map(row => row.teammate_id))])
  const files = filesAddress(publicUrl, workspaceId)
  return rows.map(({ teammate_id, email_id: _, email, field, before, after, current, ...rest }) => {
    const asShown = (value: string | null) => {
      const portrait = value === null ? undefined : parsePortrait(value, files)
      return portrait ? { value: portraitUrl(portrait), assetId: portrait.assetId } : { value, assetId: null }
    }
    const [earlier, later] = [asShown(before), asShown(after)]
    return {
      ...rest,
      teammate: { id: teammate_id, name: labels.get(teammate_id) ?? email, email },
      field,
      before_value: earlier.value,
      before_asset_id: earlier.assetId,
      after_value: later.value,
      after_asset_id: later.assetId,
      current_value: asShown(current).value,
    }
  })
}

export interface ChangeFilters {
  readonly status?: ProfileChangeStatus | undefined
  readonly teammateId?: string | undefined
  /** Limits the list to changes of the teammate with this address. */
  readonly ownerEmail?: string | null
}

const matching = (workspaceId: string, { status, teammateId, ownerEmail }: ChangeFilters): Sql => sql`
  from profile_changes where workspace_id = ${workspaceId}
    ${status === undefined ? empty : sql`and status = ${status}`}
    ${teammateId === undefined ? empty : sql`and teammate_id = ${teammateId}`}
    ${
      ownerEmail === undefined
        ? empty
        : sql`and teammate_id in (
            select e.teammate_id from emails e
            where e.workspace_id = ${workspaceId} and e.address_key = ${comparisonKey(ownerEmail ?? '')}
              and e.deleted_at is null)`
    }`

export async function listChanges(
  db: Db,
  scope: ChangeScope,
  page: PageQuery,
  filters: ChangeFilters,
): Promise<ListResult> {
  const from = matching(scope.workspaceId, filters)
  const total = await db.number(sql`select count(*)::int as total ${from}`)
  const changes = await readChanges(db, scope, sql`select * ${from} order by id desc ${limitOffset(page)}`)
  return { data: JSON.stringify(changes), pagination: paginate(page, total) }
}

export async function findChange(
  db: Db,
  scope: ChangeScope,
  id: string,
  filters: ChangeFilters = {},
): Promise<ProfileChangeView | undefined> {
  const changes = sql`select * ${matching(scope.workspaceId, filters)} and id = ${id}`
  const [change] = await readChanges(db, scope, changes)
  return change
}

/** The values of a change as they are stored with a person, and the primary address that shows them. */
interface ChangedValues {
  readonly smart_field_id: string
  /** Null for a person without an address. */
  readonly email_id: string | null
  readonly current: string | null
  readonly after: string | null
}

export async function findChangedValues(
  db: Db,
  workspaceId: string,
  id: string,
  filters: ChangeFilters,
): Promise<ChangedValues | undefined> {
  const change = sql`select * ${matching(workspaceId, filters)} and id = ${id}`
  return db.first<ChangedValues>(
    sql`select (field->>'id')::uuid as smart_field_id, email_id, current, after from (${view(workspaceId, change)}) v`,
  )
}

/** The last change of each field of a teammate. */
export const lastChangesOf = (
  db: Db,
  scope: ChangeScope,
  teammateId: string,
): Promise<readonly ProfileChangeView[]> =>
  readChanges(
    db,
    scope,
    sql`select distinct on (smart_field_id) * from profile_changes
      where workspace_id = ${scope.workspaceId} and teammate_id = ${teammateId}
      order by smart_field_id, id desc`,
  )

/** A value as a row of smart_field_values holds it; a crop is x, y, width and height. */
interface StoredColumns {
  readonly value: string | null
  readonly asset_id: string | null
  readonly crop: readonly number[] | null
}

export interface LockedChange {
  readonly id: string
  readonly teammate_id: string
  readonly smart_field_id: string
  readonly status: ProfileChangeStatus
  readonly after: string | StoredPicture | null
}

const storedValue = ({ value, asset_id, crop }: StoredColumns): string | StoredPicture | null => {
  if (asset_id === null) return value
  const [x = 0, y = 0, width = 1, height = 1] = crop ?? []
  return { assetId: asset_id, crop: crop && { x, y, width, height } }
}

/** Locked until the end of the transaction, after the teammate and the field. */
export async function lockChange(tx: Db, workspaceId: string, id: string): Promise<LockedChange | undefined> {
  const row = await tx.first<Omit<LockedChange, 'after'> & StoredColumns>(sql`
    select id, teammate_id, smart_field_id, status, after_value as value, after_asset_id as asset_id, after_crop as crop
    from profile_changes where workspace_id = ${workspaceId} and id = ${id} for update`)
  if (!row) return undefined
  const { id: changeId, teammate_id, smart_field_id, status } = row
  return { id: changeId, teammate_id, smart_field_id, status, after: storedValue(row) }
}

/** The teammate and the field of a change, to lock them before the change itself. */
export const partsOfChange = (db: Db, workspaceId: string, id: string) =>
  db.first<Pick<LockedChange, 'teammate_id' | 'smart_field_id'>>(
    sql`select teammate_id, smart_field_id from profile_changes where workspace_id = ${workspaceId} and id = ${id}`,
  )

/** True if the teammate has exactly this value, with the same part of a picture. */
export async function hasValue(
  tx: Db,
  workspaceId: string,
  teammateId: string,
  fieldId: string,
  value: string | StoredPicture | null,
): Promise<boolean> {
  const { value: text, crop } = value === null ? { value: null, crop: null } : valueColumns(value)
  const row = await tx.first<{ equal: boolean }>(sql`
    select (v.value, v.crop) is not distinct from (${text}::text, ${crop}::text::real[]) as equal
    from (select) one left join smart_field_values v
      on v.workspace_id = ${workspaceId} and v.teammate_id = ${teammateId} and v.smart_field_id = ${fieldId}`)
  return row?.equal ?? false
}

/** Up to `limit`: more need no exact number. */
export const countPendingChanges = (db: Db, workspaceId: string, limit: number) =>
  db.number(sql`
    select count(*)::int as count from (
      select 1 from profile_changes where workspace_id = ${workspaceId} and status = 'pending' limit ${limit}) pending`)

/** The pending change of a field, and whether it asks for this value. */
export async function findPending(
  tx: Db,
  workspaceId: string,
  teammateId: string,
  fieldId: string,
  value: string | StoredPicture | null,
): Promise<{ readonly id: string; readonly equal: boolean } | undefined> {
  const { value: text, crop } = value === null ? { value: null, crop: null } : valueColumns(value)
  return tx.first<{ id: string; equal: boolean }>(sql`
    select id, (after_value, after_crop) is not distinct from (${text}::text, ${crop}::text::real[]) as equal
    from profile_changes
    where workspace_id = ${workspaceId} and teammate_id = ${teammateId} and smart_field_id = ${fieldId}
      and status = 'pending'
    for update`)
}

interface NewProfileChange {
  readonly teammateId: string
  readonly fieldId: string
  readonly after: string | StoredPicture | null
}

/** Copies the value that the teammate has now into the row. Returns the id of the change. */
export async function insertChange(
  tx: Db,
  by: Caller,
  { teammateId, fieldId, after }: NewProfileChange,
): Promise<string> {
  const { id, now } = newRow()
  const columns = after === null ? { value: null, assetId: null, crop: null } : valueColumns(after)
  const insert = sql`
    insert into profile_changes (workspace_id, id, teammate_id, smart_field_id, status, before_value, before_asset_id,
      before_crop, after_value, after_asset_id, after_crop, requested_via, requested_at)
    select ${by.workspaceId}::uuid, ${id}::uuid, ${teammateId}::uuid, ${fieldId}::uuid, 'pending', v.value, v.asset_id,
      v.crop, ${columns.value}::text, ${columns.assetId}::uuid, ${columns.crop}::text::real[], ${by.via}, ${now}::timestamptz
    from (select) one left join smart_field_values v
      on v.workspace_id = ${by.workspaceId} and v.teammate_id = ${teammateId} and v.smart_field_id = ${fieldId}
    returning id`
  await tx.query(audited(by, 'profile_change.requested', insert))
  return id
}

export const deleteChange = (tx: Db, workspaceId: string, id: string) =>
  tx.query(sql`delete from profile_changes where workspace_id = ${workspaceId} and id = ${id}`)

export const withdrawChange = (tx: Db, by: Caller, id: string) =>
  tx.query(
    audited(
      by,
      'profile_change.withdrawn',
      sql`delete from profile_changes where workspace_id = ${by.workspaceId} and id = ${id} returning id`,
    ),
  )

/** Stores the decision and the value that it found. */
export async function decideChange(
  tx: Db,
  by: Caller,
  { id, teammate_id, smart_field_id }: LockedChange,
  status: 'approved' | 'rejected',
  reason: string | null,
): Promise<void> {
  const update = sql`
    update profile_changes c set status = ${status}, reason = ${reason}, decided_at = ${new Date()}, decided_by = ${by.actorId},
      found_value = v.value, found_asset_id = v.asset_id, found_crop = v.crop
    from (select) one left join smart_field_values v
      on v.workspace_id = ${by.workspaceId} and v.teammate_id = ${teammate_id} and v.smart_field_id = ${smart_field_id}
    where c.workspace_id = ${by.workspaceId} and c.id = ${id}
    returning c.id`
  await tx.query(audited(by, `profile_change.${status}`, update))
}

/** False when an earlier run has begun this mail: it was possibly sent. */
export const claimDecisionMail = (db: Db, workspaceId: string, id: string) =>
  db.hasRows(sql`
    update profile_changes set mail_begun_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = ${id} and mail_begun_at is null returning id`)

/** The mail server did not accept the mail, so a retry can begin it again. */
export const releaseDecisionMail = (db: Db, workspaceId: string, id: string) =>
  db.query(
    sql`update profile_changes set mail_begun_at = null where workspace_id = ${workspaceId} and id = ${id}`,
  )
