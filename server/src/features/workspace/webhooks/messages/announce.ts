// Tells webhooks about a change, in the transaction of the change: both are committed, or none.

import { newRow } from '#kernel/base/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import { type EventData, type EventType, messageBody } from '../events.ts'
import { insertMessages, notifyDispatchers, subscribedWebhooks } from './queries.ts'

/** Messages in one statement. */
const batchSize = 1_000

/** Stores one message per resource, and a delivery for each of these webhooks. Returns the ids of the deliveries. */
export async function addMessages(
  tx: Db,
  workspaceId: string,
  type: EventType,
  changes: readonly EventData[],
  webhookIds: readonly string[],
): Promise<string[]> {
  const deliveryIds: string[] = []
  for (let from = 0; from < changes.length; from += batchSize) {
    const messages = changes.slice(from, from + batchSize).map(change => {
      const { id, now } = newRow()
      return { id, now, body: messageBody(type, now, change) }
    })
    const deliveries = messages.flatMap(message =>
      webhookIds.map(webhookId => ({ ...newRow(), webhookId, messageId: message.id })),
    )
    await tx.query(insertMessages(workspaceId, type, messages, deliveries))
    deliveryIds.push(...deliveries.map(delivery => delivery.id))
  }
  if (deliveryIds.length > 0) await tx.query(notifyDispatchers(workspaceId))
  return deliveryIds
}

/** Run this in the transaction of the change. Without a subscribed webhook it costs one short query. */
export async function announce(
  tx: Db,
  workspaceId: string,
  type: EventType,
  changes: readonly EventData[],
): Promise<void> {
  if (changes.length === 0) return
  const webhookIds = await subscribedWebhooks(tx, workspaceId, type)
  if (webhookIds.length > 0) await addMessages(tx, workspaceId, type, changes, webhookIds)
}
