// Verifies webhooks of Signoff, which are signed as https://www.standardwebhooks.com says.

export interface WebhookEvent {
  readonly type: string
  readonly timestamp?: string
  readonly data: unknown
}

/** Headers of a `Request`, or of a request of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** The webhook is not from Signoff, was changed, or is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

async function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace('whsec_', ''))
  if (!bytes?.length) throw new TypeError('A secret is whsec_ and base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** `body` must be the bytes, or the text, exactly as they arrived. Answers the event, or throws a WebhookError. */
export async function verifyWebhook<Event = WebhookEvent>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<Event> {
  const keys = await Promise.all([secret].flat().map(keyOf))
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const header = (name: string) => `${entries.find(([key]) => key.toLowerCase() === `webhook-${name}`)?.[1]}`
  const time = header('timestamp')
  if (!(/^\d+$/.test(time) && Math.abs(Date.now() / 1000 - Number(time)) <= 300))
    throw new WebhookError('webhook-timestamp is not within five minutes of now.')
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const signed = new TextEncoder().encode(`${header('id')}.${time}.${text}`)
  // While a secret is rotated there are two.
  for (const signature of header('signature').split(' ', 10)) {
    const bytes = signature.startsWith('v1,') && bytesOf(signature.slice(3))
    // `verify` compares in constant time.
    for (const key of keys)
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text)
  }
  throw new WebhookError('No webhook-signature is valid.')
}
