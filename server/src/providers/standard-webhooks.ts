// Signs outgoing webhook requests, as https://www.standardwebhooks.com describes.
import { createHmac } from 'node:crypto'

export interface WebhookMessage {
  /** Stable across retries of the same message, so that the receiver can discard duplicates. */
  readonly id: string
  readonly body: string
  readonly sentAt: Date
}

/** `secret` is `whsec_` and a key in base64. */
export function webhookHeaders(secret: string, { id, body, sentAt }: WebhookMessage): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
