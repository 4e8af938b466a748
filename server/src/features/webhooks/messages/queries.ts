import { type Db, raw, type Sql, sql } from '#kernel/db.ts'
import { rows } from '#kernel/rows.ts'
import type { EventType } from '../events.ts'

/** The dispatchers of all processes listen here. */
export const webhookChannelName = 'signoff_webhooks'

export async function subscribedWebhooks(tx: Db, workspaceId: string, type: EventType): Promise<string[]> {
  const found = await tx.query<{ id: string }>(
    sql`select id from webhooks where workspace_id = ${workspaceId} and active and ${type} = any(events)`,
  )
  return found.map(webhook => webhook.id)
}

export interface NewMessage {
  readonly id: string
  readonly now: Date
  readonly body: string
}

export interface NewWebhookDelivery {
  readonly id: string
  readonly now: Date
  readonly webhookId: string
  readonly messageId: string
}

const notify = sql`pg_notify('${raw(webhookChannelName)}', '')`

/** In the transaction of the change. The dispatchers are notified when it commits. */
export const insertMessages = (
  workspaceId: string,
  type: EventType,
  messages: readonly NewMessage[],
  deliveries: readonly NewWebhookDelivery[],
): Sql => sql`
  with message as (
    insert into webhook_messages (workspace_id, id, body, created_at)
    select ${workspaceId}::uuid, m.id, m.body, m.created_at
    from ${rows('m', messages, {
      id: ['uuid', message => message.id],
      body: ['text', message => message.body],
      created_at: ['timestamptz', message => message.now],
    })}
  ), delivery as (
    insert into webhook_deliveries (workspace_id, id, webhook_id, message_id, event, due_at, created_at)
    select ${workspaceId}::uuid, d.id, d.webhook_id, d.message_id, ${type}, d.created_at, d.created_at
    from ${rows('d', deliveries, {
      id: ['uuid', delivery => delivery.id],
      webhook_id: ['uuid', delivery => delivery.webhookId],
      message_id: ['uuid', delivery => delivery.messageId],
      created_at: ['timestamptz', delivery => delivery.now],
    })}
  )
  select ${notify}`

/** Run this in the transaction that makes deliveries due. */
export const notifyDispatchers = sql`select ${notify}`
