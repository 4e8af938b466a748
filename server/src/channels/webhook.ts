// Posts signatures to the customer's own system.
import {
  type Delivery,
  type DeliveryOutcome,
  failedDelivery,
  type NextStep,
  type PushChannel,
} from '#features/installations/index.ts'
import type { PublicFetch } from '#platform/public-fetch.ts'
import { readRetryAfter } from '#providers/retry-after.ts'
import { webhookHeaders } from '#providers/standard-webhooks.ts'

export const webhookChannel = (fetchPublic: PublicFetch, milliseconds = 15_000): PushChannel => ({
  name: 'webhook',
  atOnce: 8,
  async deliver(delivery, { settings, secret }) {
    const message = { id: `msg_${delivery.deliveryId}`, body: bodyOf(delivery), sentAt: new Date() }
    const answer = await fetchPublic(String(settings.url ?? ''), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...webhookHeaders(secret ?? '', message) },
      body: message.body,
      redirects: 0,
      maxBytes: 'none',
      milliseconds,
    })
    return answer.ok
      ? outcomeOf(answer.status, answer.retryAfter)
      : failedDelivery('unreachable', `The address ${answer.problem}.`, 'retry')
  },
})

const bodyOf = ({ address, signatureId, signatureName, html, text }: Delivery): string =>
  JSON.stringify({
    type: 'signature.install',
    data: { address, signature: { id: signatureId, name: signatureName }, html, text },
  })

interface StatusRule {
  readonly when: (status: number) => boolean
  readonly code: string
  readonly next: NextStep
}

/** The first rule that matches applies. docs/webhook.md has the same table. */
const statusRules: readonly StatusRule[] = [
  // 401: the receiver does not accept the HMAC signature of the request. 410: it wants no more deliveries.
  { when: status => status === 401 || status === 410, code: 'access_lost', next: 'halt' },
  { when: status => status === 403, code: 'forbidden', next: 'reject' },
  { when: status => status === 429, code: 'rate_limited', next: 'retry' },
  // The receiver is being deployed, or is busy.
  { when: status => [404, 408, 425].includes(status) || status >= 500, code: 'unreachable', next: 'retry' },
  { when: () => true, code: 'refused', next: 'reject' },
]

function outcomeOf(status: number, retryAfter: string | undefined): DeliveryOutcome {
  if (status >= 200 && status < 300) return { ok: true }
  const { code, next } = statusRules.find(rule => rule.when(status)) as StatusRule
  const wait = next === 'retry' ? readRetryAfter(retryAfter) : undefined
  const afterMilliseconds = wait === undefined ? {} : { afterMilliseconds: wait }
  return { ...failedDelivery(code, `The address answered ${status}.`, next), ...afterMilliseconds }
}
