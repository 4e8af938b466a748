// Signatures posted to the customer's own system, signed as Standard Webhooks.
import { createHmac } from 'node:crypto'
import {
  type Connection,
  type Delivery,
  type DeliveryOutcome,
  failedDelivery,
  type PushChannel,
} from '#features/installations/index.ts'
import type { PublicFetch } from '#platform/public-fetch.ts'
import { readRetryAfter } from '#providers/retry-after.ts'

export const webhookChannel = (fetchPublic: PublicFetch, milliseconds = 15_000): PushChannel => ({
  name: 'webhook',
  atOnce: 8,
  async deliver(parcel, connection) {
    const body = bodyOf(parcel)
    const answer = await fetchPublic(String(connection.settings.url ?? ''), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(body, parcel, connection) },
      body,
      redirects: 0,
      maxBytes: 'none',
      milliseconds,
    })
    return answer.ok
      ? outcomeOf(answer.status, answer.retryAfter)
      : failedDelivery('unreachable', `The address ${answer.problem}.`, 'again')
  },
})

const bodyOf = ({ address, signatureId, signatureName, html, text }: Delivery): string =>
  JSON.stringify({
    type: 'signature.install',
    data: { address, signature: { id: signatureId, name: signatureName }, html, text },
  })

/** The id stays the same when it is tried again, so that the receiver can tell. */
function signed(body: string, { deliveryId }: Delivery, { secret }: Connection): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const id = `msg_${deliveryId}`
  const key = Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

interface Meaning {
  readonly when: (status: number) => boolean
  readonly code: string
  readonly next: 'again' | 'never' | 'stop'
}

/** The first that fits. docs/webhook.md has the same table. */
const meanings: readonly Meaning[] = [
  // Our signature is not accepted, or the far end wants no more.
  { when: status => status === 401 || status === 410, code: 'access_lost', next: 'stop' },
  { when: status => status === 403, code: 'forbidden', next: 'never' },
  { when: status => status === 429, code: 'rate_limited', next: 'again' },
  // Somebody is putting the far end into place, or it is busy.
  { when: status => [404, 408, 425].includes(status) || status >= 500, code: 'unreachable', next: 'again' },
  { when: () => true, code: 'refused', next: 'never' },
]

function outcomeOf(status: number, retryAfter: string | undefined): DeliveryOutcome {
  if (status >= 200 && status < 300) return { ok: true }
  const { code, next } = meanings.find(one => one.when(status)) as Meaning
  const wait = next === 'again' ? readRetryAfter(retryAfter) : undefined
  const afterMilliseconds = wait === undefined ? {} : { afterMilliseconds: wait }
  return { ...failedDelivery(code, `The address answered ${status}.`, next), ...afterMilliseconds }
}
