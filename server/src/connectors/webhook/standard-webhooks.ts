// Signs and posts outgoing webhook requests, as https://www.standardwebhooks.com describes.
import { createHmac } from 'node:crypto'
import type { PublicAnswer, PublicFetch } from '#platform/public-fetch.ts'
import { readRetryAfter } from '../http/retry-after.ts'

export interface WebhookMessage {
  /** Stable across retries of the same message, so that the receiver can discard duplicates. */
  readonly id: string
  readonly body: string
  readonly sentAt: Date
}

/** `secrets` are `whsec_` and a key in base64. Each of them signs: during a rotation there are two. */
export function webhookHeaders(
  secrets: readonly string[],
  { id, body, sentAt }: WebhookMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000))
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

export interface SignedPost extends Pick<WebhookMessage, 'id' | 'body'> {
  readonly url: string
  readonly secrets: readonly string[]
  /** The timeout. */
  readonly milliseconds?: number
}

/** The status of the answer, or a word for what prevented one. The body of the answer is not read. */
export type SignedPostAnswer =
  | { readonly status: number; readonly retryAfterMilliseconds: number | undefined }
  | {
      readonly problem: 'redirect' | 'timeout' | 'unreachable' | 'not_public'
      /** A phrase that follows "the address …". */
      readonly phrase: string
    }

const problemOf = ({ reason, problem }: Extract<PublicAnswer, { ok: false }>): SignedPostAnswer => ({
  problem: reason === undefined || reason === 'too_large' ? 'unreachable' : reason,
  phrase: problem,
})

/** Redirects are not followed. */
export const createSignedPost =
  (fetchPublic: PublicFetch) =>
  async ({ url, id, body, secrets, milliseconds = 15_000 }: SignedPost): Promise<SignedPostAnswer> => {
    const signed = webhookHeaders(secrets, { id, body, sentAt: new Date() })
    const answer = await fetchPublic(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
      redirects: 0,
      maxBytes: 'none',
      milliseconds,
    })
    if (!answer.ok) return problemOf(answer)
    return { status: answer.status, retryAfterMilliseconds: readRetryAfter(answer.retryAfter) }
  }
