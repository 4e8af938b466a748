import { type Db, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { type AttemptResult, failingMilliseconds } from './outcome.ts'

export interface WebhookKey {
  readonly workspaceId: string
  readonly webhookId: string
}

export interface PendingWebhook extends WebhookKey {
  /** Milliseconds until something can be sent; negative when it is due. */
  readonly dueIn: number
  /** Milliseconds for which another process holds it; null when none does. */
  readonly heldFor: number | null
  /** The process that held it last. */
  readonly sender: string | null
}

const millisecondsTo = (moment: ReturnType<typeof sql>) =>
  sql`(extract(epoch from ${moment} - now()) * 1000)::float8`

/**
 * The active webhooks with pending deliveries, of these workspaces or of all, the longest waiting first. Reads one entry
 * of the index per active webhook, not all of its deliveries. Citus accepts the subquery because FROM names a table
 * there, and no part of WITH.
 */
export function pendingWebhooks(
  db: Db,
  sender: string,
  limit: number,
  workspaceIds?: readonly string[],
): Promise<PendingWebhook[]> {
  const ofWorkspaces = workspaceIds ? sql`and w.workspace_id = any(${workspaceIds}::uuid[])` : sql``
  return db.query(sql`
    select workspace_id as "workspaceId", id as "webhookId",
      ${millisecondsTo(sql`greatest(due_at, paused_until)`)} as "dueIn",
      case when sender <> ${sender} and sender_until > now() then ${millisecondsTo(sql`sender_until`)} end as "heldFor",
      sender
    from (
      select w.workspace_id, w.id, w.paused_until, w.sender, w.sender_until, (
        select min(d.due_at) from webhook_deliveries d
        where d.workspace_id = w.workspace_id and d.webhook_id = w.id and d.due_at is not null) as due_at
      from webhooks w where w.active ${ofWorkspaces}
    ) active
    where due_at is not null
    order by due_at
    limit ${limit}`)
}

/**
 * Makes this process the sender of webhooks of one workspace. A webhook with another sender is left out until its time
 * has run out, or when that sender is one of `goneSenders`. Returns the ids of the webhooks that it holds now.
 */
export const holdWebhooks = (
  db: Db,
  sender: string,
  { workspaceId, webhookIds }: { readonly workspaceId: string; readonly webhookIds: readonly string[] },
  goneSenders: readonly string[],
  milliseconds: number,
) =>
  db.column<string>(sql`
    update webhooks set sender = ${sender}, sender_until = now() + ${milliseconds}::int * interval '1 millisecond'
    where workspace_id = ${workspaceId} and id = any(${webhookIds}::uuid[]) and active
      and (sender is null or sender = ${sender} or sender_until <= now() or sender = any(${goneSenders}::uuid[]))
    returning id`)

export const letGo = (db: Db, sender: string, { workspaceId, webhookId }: WebhookKey) =>
  db.query(sql`
    update webhooks set sender = null, sender_until = null
    where workspace_id = ${workspaceId} and id = ${webhookId} and sender = ${sender}`)

export interface HeldWebhook {
  /** The time of this transaction. */
  readonly now: Date
  readonly isFailing: boolean
  readonly url: string
  readonly active: boolean
  readonly secret: Buffer
  /** While it signs too. */
  readonly old_secret: Buffer | null
}

/** Undefined when the webhook was deleted, or another process is its sender now. */
export const readHeld = (tx: Db, sender: string, { workspaceId, webhookId }: WebhookKey) =>
  tx.first<HeldWebhook>(sql`
    select now(), url, active, secret, case when old_secret_until > now() then old_secret end as old_secret,
      failing_since is not null as "isFailing"
    from webhooks
    where workspace_id = ${workspaceId} and id = ${webhookId} and sender = ${sender}`)

export interface HealthChange {
  readonly hasSuccess: boolean
  readonly hasFailure: boolean
  readonly pause: number | null
}

/** Prolongs the hold. Returns whether the webhook has failed for so long that it is switched off. */
export async function saveHealth(
  tx: Db,
  { workspaceId, webhookId }: WebhookKey,
  now: Date,
  { hasSuccess, hasFailure, pause }: HealthChange,
  holdMilliseconds: number,
): Promise<boolean> {
  const timeIn = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  const pausedUntil = pause === null ? null : timeIn(pause)
  const row = await tx.first<{ failing_since: Date | null }>(sql`
    update webhooks
    set sender_until = ${timeIn(holdMilliseconds)},
      failing_since = case when ${hasSuccess} then null
        when ${hasFailure} then coalesce(failing_since, ${now}::timestamptz) else failing_since end,
      paused_until = coalesce(${pausedUntil}::timestamptz, paused_until)
    where workspace_id = ${workspaceId} and id = ${webhookId}
    returning failing_since`)
  const failingSince = row?.failing_since ?? null
  return hasFailure && failingSince !== null && failingSince <= timeIn(-failingMilliseconds)
}

export interface Attempt extends AttemptResult {
  readonly deliveryId: string
  /** Time at which it was due. */
  readonly dueAt: Date
  /** Including this one. */
  readonly attempts: number
  readonly milliseconds: number
  /** The address that it was sent to. */
  readonly url: string
}

/** Leaves out a delivery that was replayed during the attempt: it is due anew, and must be sent again. */
export const recordAttempts = (
  tx: Db,
  { workspaceId }: WebhookKey,
  now: Date,
  attempts: readonly Attempt[],
) =>
  tx.query(sql`
    update webhook_deliveries d
    set state = a.state, attempts = a.attempts, due_at = a.next_due_at, response_status = a.status,
      problem = a.problem, duration_ms = a.duration, attempted_at = ${now}
    from ${rows('a', attempts, {
      id: ['uuid', attempt => attempt.deliveryId],
      due_at: ['timestamptz', attempt => attempt.dueAt],
      state: ['text', attempt => attempt.state],
      attempts: ['int', attempt => attempt.attempts],
      next_due_at: ['timestamptz', ({ wait }) => (wait === null ? null : new Date(now.getTime() + wait))],
      status: ['int', attempt => attempt.status],
      problem: ['text', attempt => attempt.problem],
      duration: ['int', attempt => attempt.milliseconds],
    })}
    where d.workspace_id = ${workspaceId} and d.id = a.id and d.due_at = a.due_at`)

export interface DueMessage {
  readonly deliveryId: string
  readonly messageId: string
  readonly dueAt: Date
  readonly attempts: number
  readonly body: string
}

/** `exceptIds`: deliveries that are under way. */
export const dueMessages = (
  tx: Db,
  { workspaceId, webhookId }: WebhookKey,
  exceptIds: readonly string[],
  limit: number,
) =>
  tx.query<DueMessage>(sql`
    select d.id as "deliveryId", d.message_id as "messageId", d.due_at as "dueAt", d.attempts, m.body
    from webhook_deliveries d
    join webhook_messages m on m.workspace_id = d.workspace_id and m.id = d.message_id
    where d.workspace_id = ${workspaceId} and d.webhook_id = ${webhookId} and d.due_at <= now()
      and not d.id = any(${exceptIds}::uuid[])
      and not exists (
        select from webhooks w
        where w.workspace_id = d.workspace_id and w.id = d.webhook_id and w.paused_until > now())
    order by d.due_at
    limit ${limit}`)
