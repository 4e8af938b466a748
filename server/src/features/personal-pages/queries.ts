import { audited } from '#features/audit-log/index.ts'
import { type Db, type Sql, sql } from '#kernel/db.ts'
import { newAddressToken } from '#kernel/public-address.ts'
import type { Caller } from '#kernel/scopes.ts'
import { iso } from '#kernel/text.ts'

export interface PageRow {
  readonly id: string
  readonly token: string
  readonly created_at: string
}

const shape = sql`p.email_id as id, p.token, ${iso(sql`p.created_at`)} as created_at`

const insert = (workspaceId: string, emailId: string): Sql => sql`
  insert into personal_pages as p (workspace_id, email_id, token, created_at)
  select workspace_id, id, ${newAddressToken()}, ${new Date()}::timestamptz from emails
  where workspace_id = ${workspaceId} and id = ${emailId} and deleted_at is null`

/** Returns the page and creates it if it is missing. Undefined when the address was deleted. */
export async function ensurePage(db: Db, by: Caller, emailId: string): Promise<PageRow | undefined> {
  const { workspaceId } = by
  const find = sql`
    select ${shape} from personal_pages p
    join emails e on e.workspace_id = p.workspace_id and e.id = p.email_id and e.deleted_at is null
    where p.workspace_id = ${workspaceId} and p.email_id = ${emailId}`
  const [existing] = await db.query<PageRow>(find)
  if (existing) return existing
  const insertIfMissing = sql`${insert(workspaceId, emailId)} on conflict do nothing returning ${shape}`
  await db.query(audited(by, 'email.personal_page_created', insertIfMissing))
  const [created] = await db.query<PageRow>(find)
  return created
}

/** Gives the page a new token; the old link stops working. */
export async function rotatePage(db: Db, by: Caller, emailId: string): Promise<PageRow | undefined> {
  const upsert = sql`
    ${insert(by.workspaceId, emailId)}
    on conflict (workspace_id, email_id) do update set token = excluded.token, created_at = excluded.created_at
    returning ${shape}`
  const [row] = await db.query<PageRow>(audited(by, 'email.personal_page_rotated', upsert))
  return row
}

export interface PageOwner {
  readonly email_id: string
  readonly address: string
}

export async function ownerOf(db: Db, workspaceId: string, token: string): Promise<PageOwner | undefined> {
  const [row] = await db.query<PageOwner>(sql`
    select p.email_id, e.address from personal_pages p
    join emails e on e.workspace_id = p.workspace_id and e.id = p.email_id and e.deleted_at is null
    join workspaces w on w.id = p.workspace_id and w.personal_page
    where p.workspace_id = ${workspaceId} and p.token = ${token}`)
  return row
}

export async function emailAddressOf(
  db: Db,
  workspaceId: string,
  emailId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ address: string }>(sql`
    select address from emails where workspace_id = ${workspaceId} and id = ${emailId} and deleted_at is null`)
  return row?.address
}

export async function primaryEmailOf(
  db: Db,
  workspaceId: string,
  teammateId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from emails
    where workspace_id = ${workspaceId} and teammate_id = ${teammateId} and is_primary and deleted_at is null`)
  return row?.id
}
