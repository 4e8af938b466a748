import { randomUUID } from 'node:crypto'
import { audited } from '#features/workspace/audit-log/index.ts'
import type { Caller, MemberAccess } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { lockLiteral, locks } from '#kernel/db/locks.ts'
import { tallied } from '#kernel/db/tallies.ts'
import { iso } from '#kernel/db/text.ts'
import type { publishApprovals } from './schemas.ts'
import { seatsOf } from './seats/queries.ts'

export interface Workspace {
  readonly id: string
  readonly name: string
}

const namedByDirectories = (workspaceId: string | Sql): Sql => sql`
  select domain from integrations of_directory, unnest(of_directory.domains) domain
  where of_directory.workspace_id = ${workspaceId} and of_directory.deleted_at is null
    and 'directory' = any(of_directory.capabilities)`

/** An array: the domains that an admin has set, and those that the connected directories name. */
export const ownDomains = (workspaceId: string): Sql => sql`
  array(
    select domain from workspaces of_admin, unnest(of_admin.domains) domain where of_admin.id = ${workspaceId}
    union ${namedByDirectories(workspaceId)}
    order by domain)`

/**
 * The second part of `ownDomains` alone, for each row of a statement over all workspaces: there Citus refuses UNION with
 * a table that is on every node. The first part is `workspaces.domains`.
 */
export const directoryDomains = (workspaceColumn: Sql): Sql =>
  sql`array(${namedByDirectories(workspaceColumn)})`

export const ownDomainsOf = async (db: Db, workspaceId: string): Promise<readonly string[]> =>
  (await db.value<readonly string[]>(sql`select ${ownDomains(workspaceId)} as domains`)) ?? []

/**
 * A self-hosted workspace has every feature, without an end. It is billed by the month once the operator has issued an
 * invoice for a month.
 */
export const findWorkspace = (db: Db, id: string) =>
  db.first<object>(sql`
    select id, name, domains, ${ownDomains(id)} as own_domains, time_zone, locale,
      json_build_object('tier', 'self_hosted', 'kind', 'self_hosted', 'status', 'active', 'billing_interval',
          case when exists (
            select from financial_documents d where d.workspace_id = ${id} and d.source = 'issued') then 'month' end,
        'cancel_at_period_end', false, 'started_at', ${iso(sql`created_at`)}, 'ends_at', null) as plan,
      (${tallied(id, 'seats')})::int as seat_count, ${seatsOf(id)} as seats,
      json_build_object('id', tracking_id, 'enabled', tracking_enabled, 'click_parameter', click_parameter) as event_tracking,
      click_parameter, personal_page as personal_page_enabled, personal_page_link_days, event_retention_days, mail_sender_name,
      publish_approval, member_access, relay_addresses as relay_addresses_enabled,
      ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at
    from workspaces where id = ${id}`)

export const listWorkspaces = (db: Db) =>
  db.query<Workspace>(sql`select id, name from workspaces order by id`)

export const workspacesByIds = (db: Db, ids: readonly string[]) =>
  db.query<Workspace>(sql`select id, name from workspaces where id = any(${ids}::uuid[])`)

export async function insertWorkspace(
  tx: Db,
  name: string,
  callerIn: (workspaceId: string) => Caller,
): Promise<Workspace> {
  const { id, now } = newRow()
  // A random UUID: the tracking id is public, and must not reveal when the workspace was created.
  const insert = sql`
    insert into workspaces (id, name, tracking_id, created_at, updated_at)
    values (${id}, ${name}, ${randomUUID()}, ${now}, ${now})
    returning id`
  await tx.query(audited(callerIn(id), 'workspace.created', insert))
  return { id, name }
}

/** Held until the end of the transaction: processes that start at the same time create only one first workspace. */
export const lockFirstStart = sql`select pg_advisory_xact_lock(${lockLiteral(locks.firstStart)})`

/** True if the personal pages of the workspace are switched on. */
export const hasPersonalPage = (db: Db, workspaceId: string) =>
  db.hasRows(sql`select from workspaces where id = ${workspaceId} and personal_page`)

type PublishApproval = (typeof publishApprovals)[number]

/** Says whether an owner or admin has to approve what managers publish. */
export async function publishApprovalOf(db: Db, workspaceId: string): Promise<PublishApproval> {
  const approval = await db.value<PublishApproval>(
    sql`select publish_approval from workspaces where id = ${workspaceId}`,
  )
  return approval ?? 'none'
}

export interface TrackedSite {
  readonly workspaceId: string
  /** True if tracking is switched on for the workspace. */
  readonly enabled: boolean
}

/** By the tracking id, which is public in web pages. */
export const trackedSite = (db: Db, trackingId: string) =>
  db.first<TrackedSite>(sql`
    select id as "workspaceId", tracking_enabled as enabled from workspaces where tracking_id = ${trackingId}`)

/** Columns of a workspace's row that can be changed. */
export interface WorkspaceSettings {
  readonly name: string
  readonly domains: readonly string[]
  readonly time_zone: string
  readonly locale: string
  readonly mail_sender_name: string | null
  readonly personal_page: boolean
  /** Null: links of personal pages never get old. */
  readonly personal_page_link_days: number | null
  readonly tracking_enabled: boolean
  readonly append_click_id: boolean
  readonly click_parameter: string
  /** Null: events are never deleted. */
  readonly event_retention_days: number | null
  readonly publish_approval: PublishApproval
  readonly member_access: MemberAccess
  /** True if the list of relayed messages keeps addresses, and not only domains. */
  readonly relay_addresses: boolean
}

/** Locked until the end of the transaction: concurrent changes wait. */
export const lockSettings = (tx: Db, workspaceId: string) =>
  tx.first<WorkspaceSettings>(sql`
    select name, domains, time_zone, locale, mail_sender_name, personal_page, tracking_enabled, append_click_id,
      click_parameter, event_retention_days, personal_page_link_days, publish_approval,
      member_access, relay_addresses
    from workspaces where id = ${workspaceId} for no key update`)

/** Writes all settings of a locked workspace. */
export async function updateSettings(
  tx: Db,
  by: Caller,
  action: string,
  settings: WorkspaceSettings,
): Promise<void> {
  const change = sql`
    update workspaces set name = ${settings.name}, domains = ${settings.domains}::text[], time_zone = ${settings.time_zone},
      locale = ${settings.locale}, mail_sender_name = ${settings.mail_sender_name}, personal_page = ${settings.personal_page},
      tracking_enabled = ${settings.tracking_enabled}, append_click_id = ${settings.append_click_id},
      click_parameter = ${settings.click_parameter}, event_retention_days = ${settings.event_retention_days},
      personal_page_link_days = ${settings.personal_page_link_days}, publish_approval = ${settings.publish_approval},
      member_access = ${settings.member_access}, relay_addresses = ${settings.relay_addresses},
      updated_at = ${new Date()}
    where id = ${by.workspaceId}
    returning id`
  await tx.query(audited(by, action, change))
}

/** Appearance of a workspace in mails. */
export interface MailIdentity {
  readonly name: string
  readonly mail_sender_name: string | null
  readonly locale: string
  readonly time_zone: string
}

export const mailIdentityOf = (db: Db, workspaceId: string) =>
  db.first<MailIdentity>(
    sql`select name, mail_sender_name, locale, time_zone from workspaces where id = ${workspaceId}`,
  )

/** Stores whether the checklist for setting up the workspace is dismissed. */
export async function saveChecklistDismissal(db: Db, by: Caller, isDismissed: boolean): Promise<void> {
  const update = sql`
    update workspaces set checklist_dismissed_at = ${isDismissed ? new Date() : null}
    where id = ${by.workspaceId} and (checklist_dismissed_at is not null) <> ${isDismissed}
    returning id`
  await db.query(audited(by, `workspace.checklist_${isDismissed ? 'dismissed' : 'shown'}`, update))
}
