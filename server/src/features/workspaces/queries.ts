import { randomUUID } from 'node:crypto'
import { audited } from '#features/audit-log/index.ts'
import { type Db, sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
import { lockLiteral, locks } from '#kernel/locks.ts'
import { type Caller, operator } from '#kernel/scopes.ts'
import { tallied } from '#kernel/tallies.ts'
import { iso } from '#kernel/text.ts'

export interface Workspace {
  readonly id: string
  readonly name: string
}

/** The plan is constant: a self-hosted workspace has every feature, without an end. */
export async function findWorkspace(db: Db, id: string): Promise<object | undefined> {
  const [workspace] = await db.query<object>(sql`
    select id, name,
      json_build_object('tier', 'self_hosted', 'kind', 'self_hosted', 'status', 'active', 'billing_interval', null,
        'cancel_at_period_end', false, 'started_at', ${iso(sql`created_at`)}, 'ends_at', null) as plan,
      (${tallied(id, 'seats')})::int as seat_count,
      json_build_object('id', tracking_id, 'enabled', tracking_enabled, 'click_parameter', click_parameter) as event_tracking,
      ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at
    from workspaces where id = ${id}`)
  return workspace
}

export const listWorkspaces = (db: Db): Promise<Workspace[]> =>
  db.query(sql`select id, name from workspaces order by id`)

export async function insertWorkspace(tx: Db, name: string): Promise<Workspace> {
  const { id, now } = newRow()
  // A random UUID: the tracking id is public, and must not reveal when the workspace was created.
  const insert = sql`
    insert into workspaces (id, name, tracking_id, created_at, updated_at)
    values (${id}, ${name}, ${randomUUID()}, ${now}, ${now})
    returning id`
  await tx.query(audited(operator(id), 'workspace.created', insert))
  return { id, name }
}

/** Held until the end of the transaction: processes that start at the same time create only one first workspace. */
export const lockFirstStart = sql`select pg_advisory_xact_lock(${lockLiteral(locks.firstStart)})`

/** Whether the personal pages of the workspace are switched on. */
export async function hasPersonalPage(db: Db, workspaceId: string): Promise<boolean> {
  const [row] = await db.query<{ personal_page: boolean }>(
    sql`select personal_page from workspaces where id = ${workspaceId}`,
  )
  return row?.personal_page ?? false
}

export interface TrackedSite {
  readonly workspaceId: string
  /** Whether tracking is switched on for the workspace. */
  readonly enabled: boolean
}

/** By the tracking id, which is public in web pages. */
export async function trackedSite(db: Db, trackingId: string): Promise<TrackedSite | undefined> {
  const [site] = await db.query<TrackedSite>(sql`
    select id as "workspaceId", tracking_enabled as enabled from workspaces where tracking_id = ${trackingId}`)
  return site
}

/** The switches of a workspace, and their columns. */
const switches = {
  personal_page: sql`personal_page`,
  tracking: sql`tracking_enabled`,
  click_id: sql`append_click_id`,
}
export type WorkspaceSwitch = keyof typeof switches

export async function setSwitch(db: Db, by: Caller, name: WorkspaceSwitch, on: boolean): Promise<void> {
  const change = sql`
    update workspaces set ${switches[name]} = ${on}, updated_at = ${new Date()} where id = ${by.workspaceId} returning id`
  await db.query(audited(by, `workspace.${name}_${on ? 'on' : 'off'}`, change))
}

/** Null: events are never deleted. */
export async function setEventRetention(db: Db, by: Caller, days: number | null): Promise<void> {
  const change = sql`
    update workspaces set event_retention_days = ${days}, updated_at = ${new Date()} where id = ${by.workspaceId} returning id`
  await db.query(audited(by, 'workspace.event_retention_changed', change))
}

export async function setClickParameter(db: Db, by: Caller, name: string): Promise<void> {
  const change = sql`
    update workspaces set click_parameter = ${name}, updated_at = ${new Date()} where id = ${by.workspaceId} returning id`
  await db.query(audited(by, 'workspace.click_parameter_changed', change))
}
