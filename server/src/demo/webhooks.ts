// Two webhooks of the demo with their deliveries of the last days: one works, one was switched off because it failed.
import {
  createWebhook,
  insertPastDeliveries,
  listWebhooks,
  messageBody,
  type PastDelivery,
  switchOff,
} from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { hour } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'
import type { DemoPerson } from './events.ts'

const events = ['teammate.created', 'teammate.updated', 'publication.requested'] as const
/** Hours before now. */
const ages = [3, 7, 26, 31, 50, 74, 77, 98, 122, 145]

/** Idempotent: a workspace that has webhooks keeps them as they are. */
export async function fillWebhooks(
  db: Db,
  by: Caller,
  { webhooks }: Parts,
  people: readonly DemoPerson[],
): Promise<void> {
  const { workspaceId } = by
  const { pagination } = await listWebhooks(db, workspaceId, { page: 1, limit: 1 })
  if (pagination.total_count > 0) return
  const target = (name: string) => `https://${name}.northbean.example/hooks/signoff`
  const crm = await createWebhook(db, by, { url: target('crm'), events }, webhooks)
  const intranet = await createWebhook(db, by, { url: target('intranet'), events }, webhooks)
  const deliveryAt = (
    webhookId: string,
    n: number,
    outcome: Pick<PastDelivery, 'attempts' | 'status' | 'problem'>,
  ) => {
    const at = new Date(Date.now() - (ages[n] ?? 1) * hour)
    const event = n % 3 === 0 ? 'teammate.created' : 'teammate.updated'
    const id = people[n % people.length]?.teammate_id ?? webhookId
    return { at, webhookId, event, body: messageBody(event, at, { id }), ...outcome } as const
  }
  const deliveries = ages.map((_, n) =>
    deliveryAt(
      crm.id,
      n,
      n === 4
        ? { attempts: 10, status: 500, problem: 'server_error' }
        : { attempts: n === 6 ? 2 : 1, status: 204, problem: null },
    ),
  )
  const failures = ages
    .slice(3)
    .map((_, n) => deliveryAt(intranet.id, n + 3, { attempts: 10, status: null, problem: 'unreachable' }))
  await db.query(insertPastDeliveries(workspaceId, [...deliveries, ...failures]))
  await switchOff(db, by, intranet.id, 'failing')
}
