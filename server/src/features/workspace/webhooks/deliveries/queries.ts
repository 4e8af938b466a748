import { auditedEach } from '#features/workspace/audit-log/index.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { firstIdAt } from '#kernel/base/ids.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import type { DeliveryState } from './schemas.ts'

const shape = sql`
  d.id, d.webhook_id, 'msg_' || d.message_id as message_id, d.event, d.state, d.attempts,
  ${iso(sql`d.due_at`)} as next_attempt_at, d.response_status, d.problem, d.duration_ms,
  ${iso(sql`d.attempted_at`)} as attempted_at, ${iso(sql`d.created_at`)} as created_at`

/** Rows of deleted webhooks are not shown. */
const visible = (workspaceId: string): Sql => sql`
  from webhook_deliveries d
  join webhooks w on w.workspace_id = d.workspace_id and w.id = d.webhook_id
  where d.workspace_id = ${workspaceId}`

export const webhookDeliverySorts = { created_at: null } satisfies SortColumns

interface WebhookDeliveryFilters extends SortQuery {
  readonly webhook_id?: string
  readonly event?: string
  readonly state?: DeliveryState
}

export function listWebhookDeliveries(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { webhook_id, event, state, sort }: WebhookDeliveryFilters,
): Promise<ListResult> {
  const matching = sql`${visible(workspaceId)}
    ${webhook_id === undefined ? empty : sql`and d.webhook_id = ${webhook_id}`}
    ${event === undefined ? empty : sql`and d.event = ${event}`}
    ${state === undefined ? empty : sql`and d.state = ${state}`}`
  return listRows(db, page, shape, matching, orderBy(sort, webhookDeliverySorts, sql`d.id`))
}

export interface FoundWebhookDelivery {
  readonly id: string
  readonly webhook_id: string
}

export const findWebhookDelivery = (db: Db, workspaceId: string, id: string) =>
  db.first<FoundWebhookDelivery>(sql`select ${shape} ${visible(workspaceId)} and d.id = ${id}`)

/** With the body of its message. */
export async function findDeliveryWithPayload(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<FoundWebhookDelivery | undefined> {
  const body = sql`
    select m.body::json from webhook_messages m where m.workspace_id = ${workspaceId} and m.id = d.message_id`
  return db.first<FoundWebhookDelivery>(
    sql`select ${shape}, (${body}) as payload ${visible(workspaceId)} and d.id = ${id}`,
  )
}

/** As if the event had just happened. */
const again = sql`state = 'pending', attempts = 0, due_at = now()`

export async function replayDelivery(tx: Db, by: Caller, id: string): Promise<void> {
  await tx.query(
    sql`update webhook_deliveries set ${again} where workspace_id = ${by.workspaceId} and id = ${id}`,
  )
  await tx.query(auditedEach(by, 'webhook_delivery.replayed', [id]))
}

export interface ReplayRange {
  readonly workspaceId: string
  readonly webhookId: string
  /** Ids hold times. Neither of these two is included. */
  readonly after: string
  readonly before: string
}

const inRange = ({ workspaceId, webhookId, after, before }: ReplayRange): Sql => sql`
  workspace_id = ${workspaceId} and webhook_id = ${webhookId} and id > ${after} and id < ${before}`

export const countInRange = (db: Db, range: ReplayRange) =>
  db.number(sql`select count(*)::int as n from webhook_deliveries where ${inRange(range)}`)

/** Replays the oldest ones of the range. Returns the id after which the next batch begins; undefined at the end. */
export async function replayBatch(tx: Db, range: ReplayRange, count: number): Promise<string | undefined> {
  const last = await tx.first<{ id: string | null; n: number }>(sql`
    with batch as (
      select id from webhook_deliveries where ${inRange(range)} order by id limit ${count} for no key update
    ), replayed as (
      update webhook_deliveries set ${again}
      where workspace_id = ${range.workspaceId} and id = any(array(select id from batch))
    )
    select max(id::text) as id, count(*)::int as n from batch`)
  return last && last.n === count ? (last.id ?? undefined) : undefined
}

/** Returns how many were deleted: at most `count` of the selected deliveries. */
async function deleteDeliveries(db: Db, workspaceId: string, selected: Sql, count: number): Promise<number> {
  const deleted = await db.query(sql`
    delete from webhook_deliveries
    where workspace_id = ${workspaceId} and id = any(array(
      select id from webhook_deliveries where workspace_id = ${workspaceId} and ${selected} limit ${count}))
    returning id`)
  return deleted.length
}

export const deleteDeliveriesOf = (db: Db, workspaceId: string, webhookId: string, count: number) =>
  deleteDeliveries(db, workspaceId, sql`webhook_id = ${webhookId}`, count)

export const deleteDeliveriesBefore = (db: Db, workspaceId: string, moment: Date, count: number) =>
  deleteDeliveries(db, workspaceId, sql`id < ${firstIdAt(moment)}`, count)

/** Returns how many were deleted. */
export async function deleteMessagesBefore(
  db: Db,
  workspaceId: string,
  moment: Date,
  count: number,
): Promise<number> {
  const deleted = await db.query(sql`
    delete from webhook_messages
    where workspace_id = ${workspaceId} and id = any(array(
      select id from webhook_messages where workspace_id = ${workspaceId} and id < ${firstIdAt(moment)}
      limit ${count}))
    returning id`)
  return deleted.length
}

/** Counts the deliveries of all workspaces, for the metrics. */
export async function countPending(db: Pick<Db, 'query'>): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql`select count(*)::int as n from webhook_deliveries where due_at is not null`,
  )
  return row?.n ?? 0
}
