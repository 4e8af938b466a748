import { rowAt } from '#kernel/base/ids.ts'
import { type Db, raw, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import type { EventType } from '../events.ts'
import type { ProblemWord } from '../sending/outcome.ts'

/** The dispatchers of all processes listen here. */
export const webhookChannelName = 'signoff_webhooks'

export const subscribedWebhooks = (tx: Db, workspaceId: string, type: EventType) =>
  tx.column<string>(
    sql`select id from webhooks where workspace_id = ${workspaceId} and active and ${type} = any(events)`,
  )

interface NewWebhookDelivery {
  readonly id: string
  readonly now: Date
  readonly webhookId: string
  readonly messageId: string
}

export interface PastDelivery {
  readonly at: Date
  readonly webhookId: string
  readonly event: EventType
  readonly body: string
  readonly attempts: number
  /** Null: the receiver did not answer. */
  readonly status: number | null
  /** Null: it was delivered. */
  readonly problem: ProblemWord | null
}

/** Deliveries that were made before they came into this database. Nothing of them is sent again by itself. */
export function insertPastDeliveries(workspaceId: string, deliveries: readonly PastDelivery[]): Sql {
  const list = deliveries.map(delivery => ({ ...delivery, ...rowAt(delivery.at) }))
  const past = rows('p', list, {
    id: ['uuid', row => row.id],
    webhook_id: ['uuid', row => row.webhookId],
    event: ['text', row => row.event],
    body: ['text', row => row.body],
    attempts: ['int', row => row.attempts],
    status: ['int', row => row.status],
    problem: ['text', row => row.problem],
    at: ['timestamptz', row => row.now],
  })
  return sql`
    with message as (
      insert into webhook_messages (workspace_id, id, body, created_at)
      select ${workspaceId}::uuid, p.id, p.body, p.at from ${past}
    )
    insert into webhook_deliveries (workspace_id, id, webhook_id, message_id, event, state, attempts, response_status,
      problem, duration_ms, attempted_at, created_at)
    select ${workspaceId}::uuid, p.id, p.webhook_id, p.id, p.event,
      case when p.problem is null then 'delivered' else 'failed' end, p.attempts, p.status, p.problem,
      40 + p.attempts * 17, p.at + interval '1 second', p.at
    from ${past}`
}

/** In the transaction of the change. `notifyDispatchers` comes after it. */
export const insertMessages = (
  workspaceId: string,
  type: EventType,
  messages: readonly { readonly id: string; readonly now: Date; readonly body: string }[],
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
  )
  insert into webhook_deliveries (workspace_id, id, webhook_id, message_id, event, due_at, created_at)
  select ${workspaceId}::uuid, d.id, d.webhook_id, d.message_id, ${type}, d.created_at, d.created_at
  from ${rows('d', deliveries, {
    id: ['uuid', delivery => delivery.id],
    webhook_id: ['uuid', delivery => delivery.webhookId],
    message_id: ['uuid', delivery => delivery.messageId],
    created_at: ['timestamptz', delivery => delivery.now],
  })}`

/**
 * Run this in the transaction that makes deliveries due; the notification arrives when it commits. It is a statement of
 * its own, because the dispatchers listen on the coordinator of a cluster, and Citus can run a part of a statement with
 * tables on any node.
 */
export const notifyDispatchers = (workspaceId: string): Sql =>
  sql`select pg_notify('${raw(webhookChannelName)}', ${workspaceId})`
