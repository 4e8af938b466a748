import { audited } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newAddressToken } from '#kernel/base/public-address.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'

export interface PageRow {
  readonly id: string
  readonly token: string
  readonly created_at: string
  /** Null: the link never gets old. */
  readonly expires_at: string | null
  readonly is_old: boolean
}

/** Time at which the link of page `p` in workspace `w` gets old; null: never. */
const expiry = sql`(p.created_at + make_interval(days => w.personal_page_link_days))`

const shape = sql`p.email_id as id, p.token, ${iso(sql`p.created_at`)} as created_at, ${iso(expiry)} as expires_at,
  coalesce(${expiry} <= now(), false) as is_old`

const insert = (workspaceId: string, emailId: string): Sql => sql`
  insert into personal_pages as p (workspace_id, email_id, token, created_at)
  select workspace_id, id, ${newAddressToken()}, ${new Date()}::timestamptz from emails
  where workspace_id = ${workspaceId} and id = ${emailId} and deleted_at is null`

const findPage = (db: Db, workspaceId: string, emailId: string) =>
  db.first<PageRow>(sql`
    select ${shape} from personal_pages p
    join workspaces w on w.id = p.workspace_id
    join emails e on e.workspace_id = p.workspace_id and e.id = p.email_id and e.deleted_at is null
    where p.workspace_id = ${workspaceId} and p.email_id = ${emailId}`)

/** Returns the page with a link that is not old, and creates both if they are missing. Undefined when the address was deleted. */
export async function ensurePage(db: Db, by: Caller, emailId: string): Promise<PageRow | undefined> {
  const existing = await findPage(db, by.workspaceId, emailId)
  if (existing && !existing.is_old) return existing
  const change = existing
    ? audited(by, 'email.personal_page_renewed', renew(by.workspaceId, existing))
    : audited(
        by,
        'email.personal_page_created',
        sql`${insert(by.workspaceId, emailId)} on conflict do nothing returning p.email_id as id`,
      )
  await db.query(change)
  return findPage(db, by.workspaceId, emailId)
}

/** Replaces the link; only one of several concurrent callers does. The old one leads to the button for a fresh link. */
const renew = (workspaceId: string, { id, token }: PageRow): Sql => sql`
  update personal_pages p set token = ${newAddressToken()}, previous_token = p.token, created_at = ${new Date()}
  where p.workspace_id = ${workspaceId} and p.email_id = ${id} and p.token = ${token}
  returning p.email_id as id`

/** Gives the page a new token; all earlier links stop working. */
export async function rotatePage(db: Db, by: Caller, emailId: string): Promise<PageRow | undefined> {
  const upsert = sql`
    ${insert(by.workspaceId, emailId)}
    on conflict (workspace_id, email_id)
      do update set token = excluded.token, previous_token = null, created_at = excluded.created_at
    returning p.email_id as id`
  const rotated = await db.query(audited(by, 'email.personal_page_rotated', upsert))
  return rotated.length > 0 ? findPage(db, by.workspaceId, emailId) : undefined
}

export interface PageOwner {
  readonly email_id: string
  readonly address: string
  readonly teammate_id: string
  /** The link is older than the workspace allows, or was replaced for that reason. */
  readonly is_old: boolean
}

export const ownerOf = (db: Db, workspaceId: string, token: string) =>
  db.first<PageOwner>(sql`
    select p.email_id, e.address, e.teammate_id, p.token <> ${token} or coalesce(${expiry} <= now(), false) as is_old
    from personal_pages p
    join emails e on e.workspace_id = p.workspace_id and e.id = p.email_id and e.deleted_at is null
    join workspaces w on w.id = p.workspace_id and w.personal_page
    where p.workspace_id = ${workspaceId} and (p.token = ${token} or p.previous_token = ${token})`)

export const emailAddressOf = (db: Db, workspaceId: string, emailId: string) =>
  db.value<string>(sql`
    select address from emails where workspace_id = ${workspaceId} and id = ${emailId} and deleted_at is null`)

/** All addresses of the person to whom this one belongs; none when the address was deleted. */
export const addressesOfOwner = (db: Db, workspaceId: string, emailId: string) =>
  db.column<string>(sql`
    select o.address from emails e
    join emails o on o.workspace_id = e.workspace_id and o.teammate_id = e.teammate_id and o.deleted_at is null
    where e.workspace_id = ${workspaceId} and e.id = ${emailId} and e.deleted_at is null`)

export const primaryEmailOf = (db: Db, workspaceId: string, teammateId: string) =>
  db.value<string>(sql`
    select id from emails
    where workspace_id = ${workspaceId} and teammate_id = ${teammateId} and is_primary and deleted_at is null`)
