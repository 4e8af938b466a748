// Against the reference implementation of Standard Webhooks.

import { verifyWebhook, WebhookError } from '@signoff/sdk'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'

const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`
const secret = secretOf(new Uint8Array(24).fill(7))
const other = secretOf(new Uint8Array(24).fill(8))

const headersOf = (text: string, { by = secret, id = 'msg_1', at = new Date() } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(by).sign(id, at, text),
})
const text = JSON.stringify({
  type: 'teammate.created',
  timestamp: '2026-11-17T09:00:00Z',
  data: { id: 'x', name: 'Zoë' },
})

describe('verifyWebhook', () => {
  it('accepts what the reference signs, and answers the event', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        fc.stringMatching(/^[\w-]{1,40}$/),
        async (value, bytes, id) => {
          const [body, by] = [JSON.stringify(value), secretOf(bytes)]
          const event = await verifyWebhook<unknown>(body, headersOf(body, { by, id }), by)
          expect(event).toEqual(JSON.parse(body))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('refuses a changed body, id, time, signature or secret, as the reference does', async () => {
    const change = (word: string, at: number) => {
      const index = at % word.length
      return word.slice(0, index) + (word[index] === 'A' ? 'B' : 'A') + word.slice(index + 1)
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(0, 1, 2, 3, 4), async (at, what) => {
        const headers = headersOf(text)
        const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
        const name = names[what - 1]
        const body = what === 0 ? change(text, at) : text
        const sent = name ? { ...headers, [name]: change(headers[name], at) } : headers
        const by = what === 4 ? other : secret
        const isAccepted = (() => {
          try {
            return new Webhook(by).verify(body, sent) !== undefined
          } catch {
            return false
          }
        })()
        const result = await verifyWebhook(body, sent, by).then(
          () => true,
          error => (error instanceof WebhookError ? false : error),
        )
        expect(result).toBe(isAccepted)
        if (what !== 3) expect(result).toBe(false)
      }),
      { numRuns: 100 },
    )
  })

  it('takes bytes, Headers, and headers in any case', async () => {
    const headers = headersOf(text)
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    expect(await verifyWebhook(Buffer.from(text), new Headers(headers), secret)).toMatchObject({
      type: 'teammate.created',
      data: { name: 'Zoë' },
    })
    await verifyWebhook(new TextEncoder().encode(text), { ...upper, ':path': '/', cookie: ['a'] }, secret)
  })

  it('accepts any of several signatures and any of several secrets, while a secret is rotated', async () => {
    const both = `${headersOf(text, { by: other })['webhook-signature']} v1a,AAAA ${headersOf(text)['webhook-signature']}`
    const headers = { ...headersOf(text), 'webhook-signature': both }
    await verifyWebhook(text, headers, secret)
    await verifyWebhook(text, headersOf(text), [other, secret])
    await expect(verifyWebhook(text, headersOf(text), [other])).rejects.toThrow(WebhookError)
  })

  it.each([
    ['is six minutes old', headersOf(text, { at: new Date(Date.now() - 360_000) })],
    ['is six minutes ahead', headersOf(text, { at: new Date(Date.now() + 360_000) })],
    ['has a time that is no number', { ...headersOf(text), 'webhook-timestamp': '1e9' }],
    ['has no headers', {}],
    ['has no base64 as signature', { ...headersOf(text), 'webhook-signature': 'v1,!!! v1 v1,' }],
    ['has thousands of signatures', { ...headersOf(text), 'webhook-signature': 'v1,AAAA '.repeat(5000) }],
  ])('refuses a webhook that %s', async (_, headers) => {
    await expect(verifyWebhook(text, headers, secret)).rejects.toThrow(WebhookError)
  })

  it.each(['', 'whsec_', 'whsec_!!!'])('says that %j is not a secret', async bad => {
    await expect(verifyWebhook(text, headersOf(text), bad)).rejects.toThrow(TypeError)
  })
})
