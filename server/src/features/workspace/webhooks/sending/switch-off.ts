// What follows when a webhook does not work any more: it is switched off, and the admins are told.

import { operator } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueueSwitchOffMail } from '../deliveries/jobs.ts'
import { type SwitchOffReason, switchOffReasons } from '../deliveries/switch-off-mail.ts'
import { announce } from '../messages/announce.ts'
import { switchOff } from '../queries.ts'
import type { WebhookKey } from './queries.ts'

export interface SwitchOffDeps {
  /** The addresses of the admins of a workspace; none when the service sends no mail. */
  readonly adminAddresses: (db: Db, workspaceId: string) => Promise<readonly string[]>
}

/** In the transaction that records the attempt. The other webhooks of the workspace are told too. */
export async function switchWebhookOff(
  tx: Db,
  { workspaceId, webhookId }: WebhookKey,
  reason: SwitchOffReason,
  { adminAddresses }: SwitchOffDeps,
): Promise<void> {
  const webhook = await switchOff(tx, operator(workspaceId), webhookId, reason)
  if (!webhook) return
  const { url } = webhook
  const message = `The webhook to ${url} was switched off. ${switchOffReasons[reason]}`
  await announce(tx, workspaceId, 'integration.error', [
    { id: webhookId, path: `/v1/webhooks/${webhookId}`, kind: 'outgoing_webhook', message },
  ])
  for (const to of await adminAddresses(tx, workspaceId))
    await tx.query(
      enqueueSwitchOffMail({ workspace_id: workspaceId, to, webhook_id: webhookId, url, reason }),
    )
}
