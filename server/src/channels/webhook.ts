// Signatures posted to the customer's own system, signed as Standard Webhooks.
import { createHmac } from 'node:crypto'
import type { Connection, Outcome, Parcel, PushChannel } from '../features/installations/index.ts'
import type { PublicFetch } from '../public-fetch.ts'

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
      maxBytes: 64 * 1024,
      milliseconds,
    })
    return answer.ok
      ? outcomeOf(answer.status)
      : failed('unreachable', `The address ${answer.problem}.`, 'again')
  },
})

const bodyOf = ({ address, signatureId, signatureName, html, text }: Parcel): string =>
  JSON.stringify({
    type: 'signature.install',
    data: { address, signature: { id: signatureId, name: signatureName }, html, text },
  })

/** The id stays the same when it is tried again, so that the receiver can tell. */
function signed(body: string, { installationId }: Parcel, { secret }: Connection): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const id = `${installationId}-${createHmac('sha256', 'body').update(body).digest('base64url').slice(0, 12)}`
  const key = Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const failed = (code: string, message: string, next: 'again' | 'never' | 'stop'): Outcome => ({
  ok: false,
  code,
  message,
  next,
})

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { ok: true }
  const message = `The address answered ${status}.`
  if (status === 401 || status === 403 || status === 410) return failed('access_lost', message, 'stop')
  if (status === 429 || status >= 500) return failed('rate_limited', message, 'again')
  return failed('refused', message, 'never')
}
