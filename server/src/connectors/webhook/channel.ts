// Posts signatures to the customer's own system.
import {
  type Delivery,
  type DeliveryOutcome,
  failedDelivery,
  type NextStep,
  type PushChannel,
} from '#features/delivery/installations/index.ts'
import type { PublicFetch } from '#platform/public-fetch.ts'
import { createSignedPost } from './standard-webhooks.ts'

export const webhookChannel = (fetchPublic: PublicFetch, milliseconds = 15_000): PushChannel => ({
  name: 'webhook',
  atOnce: 8,
  async deliver(delivery, { settings, secret }) {
    const answer = await createSignedPost(fetchPublic)({
      url: String(settings.url ?? ''),
      id: `msg_${delivery.deliveryId}`,
      body: bodyOf(delivery, new Date()),
      secrets: [secret ?? ''],
      milliseconds,
    })
    return 'status' in answer
      ? outcomeOf(answer.status, answer.retryAfterMilliseconds)
      : failedDelivery('unreachable', `The address ${answer.phrase}.`, 'retry')
  },
})

const bodyOf = ({ address, signatureId, signatureName, html, text }: Delivery, now: Date): string =>
  JSON.stringify({
    type: 'signature.install',
    timestamp: now.toISOString(),
    data: { address, signature: { id: signatureId, name: signatureName }, html, text },
  })

interface StatusRule {
  readonly when: (status: number) => boolean
  readonly code: string
  readonly next: NextStep
}

/** The first rule that matches applies. docs/connect/custom-channel.md has the same table. */
const statusRules: readonly StatusRule[] = [
  // 401: the receiver does not accept the HMAC signature of the request. 410: it wants no more deliveries.
  { when: status => status === 401 || status === 410, code: 'access_lost', next: 'halt' },
  { when: status => status === 403, code: 'forbidden', next: 'reject' },
  { when: status => status === 429, code: 'rate_limited', next: 'retry' },
  // The receiver is being deployed, or is busy.
  { when: status => [404, 408, 425].includes(status) || status >= 500, code: 'unreachable', next: 'retry' },
  { when: () => true, code: 'refused', next: 'reject' },
]

function outcomeOf(status: number, retryAfter: number | undefined): DeliveryOutcome {
  if (status >= 200 && status < 300) return { ok: true }
  const { code, next } = statusRules.find(rule => rule.when(status)) as StatusRule
  const wait = next === 'retry' ? retryAfter : undefined
  const afterMilliseconds = wait === undefined ? {} : { afterMilliseconds: wait }
  return { ...failedDelivery(code, `The address answered ${status}.`, next), ...afterMilliseconds }
}
