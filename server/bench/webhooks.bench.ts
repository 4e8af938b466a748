import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '#kernel/db/db.ts'
import {
  type Bench,
  type Comparison,
  compare,
  createFixture,
  type Figure,
  type Fixture,
  type Server,
  staggered,
  startSignoff,
} from './support/bench.ts'
import { postgresProcesses } from './support/memory.ts'

interface FastReceiver {
  readonly url: string
  /** The time of each first arrival, by the `webhook-id` of the message and the path. */
  readonly arrivals: Map<string, number>
  close(): void
}

async function startFastReceiver(): Promise<FastReceiver> {
  const arrivals = new Map<string, number>()
  const server = createServer((request, response) => {
    const id = `${request.headers['webhook-id']} ${request.url}`
    if (!arrivals.has(id)) arrivals.set(id, Date.now())
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, arrivals, close: () => server.close() }
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0

/** Waits until nothing is pending. Returns the milliseconds that it took. */
async function drain({ db }: Fixture): Promise<number> {
  const began = performance.now()
  for (;;) {
    const [row] = await db.query<{ n: number }>(
      sql`select count(*)::int as n from webhook_deliveries where state = 'pending'`,
    )
    if (row?.n === 0) return performance.now() - began
    await sleep(50)
  }
}

type Send = (method: string, path: string, body?: object) => Promise<{ readonly id: string }>

const headersOf = ({ key }: Fixture) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
})

const clientOf =
  (b: Fixture, { url }: Server): Send =>
  async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: headersOf(b),
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return ((await answer.json()) as { data: { id: string } }).data
  }

const start = (b: Fixture, jobConcurrency: number): Promise<Server> =>
  startSignoff(b.dataDir, {
    SIGNOFF_PRIVATE_TARGETS: '127.0.0.1',
    SIGNOFF_JOB_CONCURRENCY: String(jobConcurrency),
  })

/** Requests/s with subscribed webhooks, against the same requests while the webhooks are switched off. */
async function measureWrites(
  b: Fixture,
  server: Server,
  webhooks: readonly string[],
  teammates: readonly string[],
  settle: () => Promise<unknown>,
) {
  const send = clientOf(b, server)
  const load = {
    path: '/v1/teammates',
    ...staggered(teammates.map(path => ({ path }))),
    method: 'PATCH' as const,
    headers: headersOf(b),
    body: JSON.stringify({ teammate: { smart_fields: [{ smart_field: 'first_name', value: 'Ada' }] } }),
    connections: 8,
  }
  let isActive = true
  const processes = () => [server.child.pid ?? 0, ...postgresProcesses(b.dataDir)]
  const target = { url: server.url, load, processes }
  return compare(target, target, 5, async () => {
    for (const path of webhooks) await send('PATCH', path, { webhook: { active: isActive } })
    if (isActive) await settle()
    isActive = !isActive
  })
}

/** Deliveries/s of 4,000 events by imports, to two webhooks. */
async function measureBurst(b: Fixture, send: Send, { arrivals }: FastReceiver): Promise<number> {
  arrivals.clear()
  const began = performance.now()
  for (let from = 0; from < 4_000; from += 1_000) {
    const teammates = Array.from({ length: 1_000 }, (_, n) => ({ email: `p${from + n}@example.com` }))
    await send('POST', '/v1/teammates/import', { teammates })
  }
  await drain(b)
  return arrivals.size / ((performance.now() - began) / 1_000)
}

/** Milliseconds from each change to its arrival, at 20 changes per second at most. */
async function measureDelays(b: Fixture, send: Send, { arrivals }: FastReceiver): Promise<number[]> {
  arrivals.clear()
  for (let n = 0; n < 200; n++) {
    await send('POST', '/v1/teammates', { teammate: { email: `single${n}@example.com` } })
    await sleep(50)
  }
  await drain(b)
  const messages = await b.db.query<{ id: string; at: Date }>(sql`
    select 'msg_' || id as id, created_at as at from webhook_messages order by id desc limit 200`)
  return messages.flatMap(({ id, at }) =>
    ['/one', '/two'].map(path => (arrivals.get(`${id} ${path}`) ?? Infinity) - at.getTime()),
  )
}

const rates = ({ service, baseline, cpu }: Comparison) =>
  `${Math.round(service)}/s against ${Math.round(baseline)}/s; ${Math.round(cpu.service)} µs of CPU against ${Math.round(cpu.baseline)} µs`

async function run(): Promise<Figure[]> {
  const b = await createFixture()
  const receiver = await startFastReceiver()
  let server = await start(b, 0)
  try {
    const create = clientOf(b, server)
    const webhooks: string[] = []
    for (const path of ['/one', '/two']) {
      const webhook = { url: `${receiver.url}${path}`, events: ['teammate.created', 'teammate.updated'] }
      webhooks.push(`/v1/webhooks/${(await create('POST', '/v1/webhooks', { webhook })).id}`)
    }
    const teammates: string[] = []
    for (let n = 0; n < 32; n++) {
      const { id } = await create('POST', '/v1/teammates', { teammate: { email: `a${n}@example.com` } })
      teammates.push(`/v1/teammates/${id}`)
    }
    // No process sends: this is what the events cost the writer.
    const apart = await measureWrites(b, server, webhooks, teammates, async () => undefined)
    await server.stop()
    await b.db.query(sql`truncate webhook_deliveries, webhook_messages`)
    server = await start(b, 5)
    const together = await measureWrites(b, server, webhooks, teammates, () => drain(b))
    const send = clientOf(b, server)
    for (const path of webhooks) await send('PATCH', path, { webhook: { active: true } })
    await drain(b)
    const burst = await measureBurst(b, send, receiver)
    const delays = await measureDelays(b, send, receiver)
    const patch = 'PATCH /v1/teammates/{id} with two subscribed webhooks, against none'
    return [
      {
        what: `${patch}, sent by another process`,
        value: apart.ratio,
        limit: { least: 0.8 },
        note: rates(apart),
      },
      {
        what: `${patch}, sent by the same process`,
        value: together.ratio,
        // Two signed requests and their records take a quarter of the CPU time of a change.
        limit: { least: 0.7 },
        note: rates(together),
      },
      {
        what: 'deliveries/s to two fast webhooks, of 4,000 imported people, imports included',
        value: burst,
        limit: { least: 200 },
      },
      {
        what: 'seconds from the change to the arrival, 95 of 100 times',
        value: percentile(delays, 0.95) / 1_000,
        limit: { most: 2 },
        note: `median ${percentile(delays, 0.5).toFixed(0)} ms`,
      },
    ]
  } finally {
    await server.stop()
    receiver.close()
    await b.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'webhooks', run }]
