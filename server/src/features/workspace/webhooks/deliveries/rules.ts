import type { Caller } from '#kernel/api/scopes.ts'
import { momentOf } from '#kernel/api/validation.ts'
import { hour } from '#kernel/base/durations.ts'
import { invalid, orNotFound } from '#kernel/base/errors.ts'
import { firstIdAt } from '#kernel/base/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import { notifyDispatchers } from '../messages/queries.ts'
import { auditAction } from '../queries.ts'
import { lockActiveWebhook } from '../rules.ts'
import { enqueueReplay, retentionMilliseconds } from './jobs.ts'
import { countInRange, type FoundWebhookDelivery, findWebhookDelivery, replayDelivery } from './queries.ts'

export const replayOne = (db: Db, by: Caller, id: string): Promise<FoundWebhookDelivery> =>
  db.transaction(async tx => {
    const delivery = orNotFound(await findWebhookDelivery(tx, by.workspaceId, id))
    await lockActiveWebhook(tx, by.workspaceId, delivery.webhook_id)
    await replayDelivery(tx, by, delivery.id)
    await tx.query(notifyDispatchers(by.workspaceId))
    return orNotFound(await findWebhookDelivery(tx, by.workspaceId, delivery.id))
  })

/** The replay job sends them again, oldest first. Returns how many. */
export async function replaySince(db: Db, by: Caller, id: string, since: string): Promise<number> {
  const now = new Date()
  // Of the full hour, so that requests for everything have the same beginning.
  const earliest = Math.floor((now.getTime() - retentionMilliseconds) / hour) * hour
  const start = momentOf(since) ?? now
  if (start > now) throw invalid('since', 'out_of_range', { message: 'since must not be in the future' })
  return db.transaction(async tx => {
    const { id: webhookId } = await lockActiveWebhook(tx, by.workspaceId, id)
    const after = firstIdAt(new Date(Math.max(start.getTime(), earliest)))
    // Deliveries of this millisecond are included.
    const before = firstIdAt(new Date(now.getTime() + 1))
    const range = { workspaceId: by.workspaceId, webhookId, after, before }
    await auditAction(tx, by, 'webhook.replay_requested', webhookId)
    await tx.query(enqueueReplay(range))
    return countInRange(tx, range)
  })
}
