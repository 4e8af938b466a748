// What a relay did with some messages of the last days. It is disconnected again, so that it is no channel of the demo.

import { hasRelayMessages, insertRelayMessages, type RelayedMessage } from '#features/delivery/relay/index.ts'
import { insertIntegration, markDisconnected } from '#features/workspace/integrations/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { hour } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'

const samples = [
  { outcome: 'stamped', reason: null, status: 250 },
  { outcome: 'stamped', reason: null, status: 250 },
  { outcome: 'passed', reason: 'encrypted', status: 250 },
  { outcome: 'stamped', reason: null, status: 250 },
  { outcome: 'deferred', reason: 'next_hop_away', status: 451 },
  { outcome: 'passed', reason: 'no_signature', status: 250 },
  { outcome: 'stamped', reason: null, status: 250 },
  { outcome: 'rejected', reason: 'next_hop', status: 550 },
] as const

/** Idempotent: a workspace that has messages keeps them as they are. */
export async function fillRelay(db: Db, by: Caller): Promise<void> {
  const { workspaceId } = by
  if (await hasRelayMessages(db, workspaceId)) return
  const integrationId = await insertIntegration(db, by, {
    kind: 'smtp_relay',
    name: 'Relay (tried out)',
    dashboardUrl: null,
    drivesTeammates: false,
    capabilities: [],
    settings: { next_hop: 'smtp://mail.northbean.example:25?starttls=required', clients: ['10.20.0.0/16'] },
  })
  const messages = samples.map(
    (sample, n): RelayedMessage => ({
      workspaceId,
      integrationId,
      ...sample,
      senderDomain: 'northbean.example',
      recipientDomains: n % 2 === 0 ? ['roastery.example'] : ['roastery.example', 'port.example'],
      recipientsCount: 1 + (n % 2),
      senderAddress: null,
      recipientAddresses: null,
      bytes: 18_204 + n * 3_511,
      milliseconds: 41 + n * 9,
      at: new Date(Date.now() - (n * 5 + 1) * hour),
    }),
  )
  await db.query(insertRelayMessages(workspaceId, messages))
  await markDisconnected(db, by, integrationId)
}
