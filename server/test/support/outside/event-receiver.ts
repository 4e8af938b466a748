// A receiver of outgoing webhooks. It verifies every request with the library that customers use.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { listenLocally } from '../listen.ts'

export interface ReceivedEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read the data of all events
  readonly data: any
  readonly body: string
  readonly headers: IncomingHttpHeaders
  readonly path: string
  readonly at: number
}

interface EventAnswer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface EventReceiver {
  readonly url: string
  /** Every request with a valid signature, whatever it was answered. */
  readonly events: ReceivedEvent[]
  /** Requests whose signature no secret explains. */
  readonly forged: string[]
  /** The secrets of the webhooks that send here. */
  readonly secrets: string[]
  answer: (event: ReceivedEvent) => number | EventAnswer | Promise<number | EventAnswer>
  /** Requests that are being answered now, and the most at once so far. */
  underWay: number
  mostAtOnce: number
}

function isValid(secrets: readonly string[], body: string, headers: IncomingHttpHeaders): boolean {
  return secrets.some(secret => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  })
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const server = createServer(async (request, response) => {
    const body = await readText(request)
    const { headers, url: path = '' } = request
    if (!isValid(receiver.secrets, body, headers)) {
      receiver.forged.push(body)
      return response.writeHead(401).end()
    }
    const event = {
      ...JSON.parse(body),
      id: String(headers['webhook-id']),
      body,
      headers,
      path,
      at: Date.now(),
    }
    receiver.events.push(event)
    receiver.underWay++
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, receiver.underWay)
    const answer = await receiver.answer(event)
    receiver.underWay--
    const {
      status,
      headers: sent,
      body: text,
    }: EventAnswer = typeof answer === 'number' ? { status: answer } : answer
    response.writeHead(status, sent).end(text)
  })
  const address = await listenLocally(server)
  const receiver: EventReceiver = {
    url: `${address}/events`,
    events: [],
    forged: [],
    secrets: [],
    answer: () => 200,
    underWay: 0,
    mostAtOnce: 0,
  }
  return receiver
}
