// Each sender belongs to one relay: the relay tells whose mail a message is by its client and the domain of its sender.
import { claimedSenders, lockRelayClaims } from '#features/delivery/relay/index.ts'
import { invalid } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { canBeSameClient } from '../clients/clients.ts'
import { relaySendersOf } from './settings.ts'

/**
 * Refuses a relay whose row is written but not committed, if another one claims a sender of it; that one is not named,
 * because it can be in another workspace. The lock makes the second of two transactions at once see the first.
 */
export async function refuseClaimedSenders(tx: Db, integrationId: string): Promise<void> {
  await lockRelayClaims(tx)
  const relays = (await claimedSenders(tx)).map(({ id, settings, own_domains }) => ({
    id,
    ...relaySendersOf(settings, own_domains),
  }))
  const saved = relays.find(({ id }) => id === integrationId)
  if (!saved) return
  for (const other of relays) {
    const domain = [...saved.domains].find(name => other.domains.has(name))
    if (other === saved || domain === undefined) continue
    const index = saved.clients.findIndex(client => other.clients.some(rule => canBeSameClient(client, rule)))
    const field = `settings.clients[${index}]`
    if (index >= 0)
      throw invalid(field, 'taken', {
        message: `${field}: another relay passes the mail of this client for ${domain} on already. Name another client or other domains, or disconnect the other relay.`,
      })
  }
}
