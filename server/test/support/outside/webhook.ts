// A fake customer system that receives signatures by webhook. It checks every request, and the test sets its responses.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertIntegration, saveSecret } from '#features/workspace/integrations/index.ts'
import { createVault } from '#platform/secrets.ts'
import type { TestApp } from '../app.ts'
import { listenLocally } from '../listen.ts'

export const webhookSecret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`

export interface Receiver {
  readonly url: string
  /** The HTML that each address has now. */
  readonly mailboxes: Map<string, string>
  /** Number of times that each address was written. */
  readonly writes: Map<string, number>
  readonly refused: string[]
  /** The ids of accepted deliveries, by address. */
  readonly ids: Map<string, string[]>
  /** The ids of all deliveries, by address. */
  readonly requestIds: Map<string, string[]>
  /** The status of the response for an address. */
  answer: (address: string) => number
  /** Sent with every response. */
  reply: { readonly headers?: Record<string, string>; readonly body?: string }
  /** Before the delivery is stored: milliseconds, or a promise to wait for. */
  delay: number | ((address: string, html: string) => number | Promise<void>)
}

export async function startReceiver(secret: () => string): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = await readText(request)
    const {
      'webhook-id': id = '',
      'webhook-timestamp': time = '',
      'webhook-signature': signature = '',
    } = request.headers
    const key = Buffer.from(secret().replace('whsec_', ''), 'base64')
    const expected = `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`
    const isSigned =
      String(signature).length === expected.length &&
      timingSafeEqual(Buffer.from(String(signature)), Buffer.from(expected))
    const isFresh = Math.abs(Date.now() / 1_000 - Number(time)) < 300
    if (
      request.method !== 'POST' ||
      request.headers['content-type'] !== 'application/json' ||
      !isSigned ||
      !isFresh
    ) {
      receiver.refused.push(`${request.method} ${signature}`)
      return response.writeHead(401).end()
    }
    const { type, data } = JSON.parse(body)
    receiver.requestIds.set(data.address, [...(receiver.requestIds.get(data.address) ?? []), String(id)])
    const status = type === 'signature.install' ? receiver.answer(data.address) : 400
    const delay =
      typeof receiver.delay === 'number' ? receiver.delay : receiver.delay(data.address, data.html)
    if (typeof delay !== 'number') await delay
    else if (delay > 0) await sleep(delay)
    if (status < 300) {
      receiver.mailboxes.set(data.address, data.html)
      receiver.writes.set(data.address, (receiver.writes.get(data.address) ?? 0) + 1)
      receiver.ids.set(data.address, [...(receiver.ids.get(data.address) ?? []), String(id)])
    }
    response.writeHead(status, receiver.reply.headers).end(receiver.reply.body)
  })
  const address = await listenLocally(server)
  const receiver: Receiver = {
    url: `${address}/signatures`,
    mailboxes: new Map(),
    writes: new Map(),
    refused: [],
    ids: new Map(),
    requestIds: new Map(),
    answer: () => 200,
    reply: {},
    delay: 0,
  }
  return receiver
}

/** Connects a receiver to the workspace of a test. Returns the id of the integration. */
export async function connectReceiver(app: TestApp, { url }: Receiver): Promise<string> {
  const id = await insertIntegration(app.db, app.by, {
    kind: 'webhook',
    name: 'Mailboxes',
    dashboardUrl: null,
    drivesTeammates: false,
    settings: { url },
  })
  await saveSecret(app.db, app.id, id, await createVault(app.config).seal(webhookSecret, id))
  return id
}
