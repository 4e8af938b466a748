// PostgreSQL is restarted under load: the processes of the service recover by themselves, nothing acknowledged is lost,
// and requests meanwhile get 503 with Retry-After.
// SIGNOFF_TEST_RESTARTS=10 npx vitest run restarts restarts it ten times and prints the figures;
// SIGNOFF_TEST_RESTART_POOLER=1 does it behind PgBouncer.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { startEventReceiver } from './support/event-receiver.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import { durableFolder, emptyFolder, type Served, serve, stop, work } from './support/process.ts'

const restarts = Number(process.env.SIGNOFF_TEST_RESTARTS ?? 2)
const isPooled = process.env.SIGNOFF_TEST_RESTART_POOLER === '1'
/** The last one is a crash, from which PostgreSQL recovers. */
const modes = [...Array<'fast'>(restarts).fill('fast'), 'immediate'] as const

interface Request {
  readonly kind: string
  readonly sentAt: number
  readonly answeredAt: number
  readonly status: number
  readonly retryAfter: string | null
}

/** Sends requests until it is stopped, one after the other, and keeps what was acknowledged. */
class Client {
  readonly acknowledged = new Set<string>()
  readonly requests: Request[] = []
  readonly #done: Promise<void>
  #isStopped = false

  constructor(served: Served, kind: string, request: (n: string) => readonly [string, object?]) {
    this.#done = this.#run(served, kind, request)
  }

  async #run(served: Served, kind: string, request: (n: string) => readonly [string, object?]) {
    const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' }
    for (let n = 0; !this.#isStopped; n++) {
      const name = `${kind}-${n}`
      const [path, body] = request(name)
      const sentAt = Date.now()
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
      const answer = await fetch(`${served.url}${path}`, init)
      await answer.arrayBuffer()
      const { status } = answer
      this.requests.push({
        kind,
        sentAt,
        answeredAt: Date.now(),
        status,
        retryAfter: answer.headers.get('retry-after'),
      })
      if (status < 300) this.acknowledged.add(name)
      await sleep(10) // leaves the machine time for the other processes
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true
    return this.#done
  }
}

const kinds = {
  write: name => ['/v1/teammates', { teammate: { email: `${name}@example.com` } }],
  read: () => ['/v1/teammates?limit=5'],
  record: name => [
    '/v1/analytics/events',
    { event: { name: 'Sold', event_id: name, properties: { n: name } } },
  ],
} satisfies Record<string, (name: string) => readonly [string, object?]>

async function rowsOf(connection: pg.ClientConfig, text: string): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' }).finally(() => client.end())
  return rows.map(row => String(row[0]))
}

async function startPooler({ connection }: OwnPostgres) {
  const { startPgbouncer } = await import('./support/pgbouncer.ts')
  return startPgbouncer(connection, { default_pool_size: 10 })
}

it(`PostgreSQL is restarted ${restarts} times, crashes once, and nothing acknowledged is lost`, async () => {
  const postgres = await startOwnPostgres(await durableFolder())
  const pooler = isPooled ? await startPooler(postgres) : null
  const env = {
    DATABASE_URL: pooler?.url ?? postgres.url,
    ...(pooler && { SIGNOFF_DIRECT_DATABASE_URL: postgres.url }),
    SIGNOFF_DATA_DIR: await emptyFolder(),
    SIGNOFF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
    SIGNOFF_PRIVATE_TARGETS: '127.0.0.1',
    SIGNOFF_DASHBOARD: 'off',
  }
  // Jobs and webhooks are left to the other process.
  const served = await serve({ env: { ...env, SIGNOFF_JOB_CONCURRENCY: '0' } })
  const worker = await work({ env })
  const receiver = await startEventReceiver()
  const subscribed = await fetch(`${served.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook: { url: receiver.url, events: ['teammate.created'] } }),
  })
  receiver.secrets.push(((await subscribed.json()) as { data: { secret: string } }).data.secret)

  const clients = Object.entries(kinds).flatMap(([kind, request]) =>
    [1, 2].map(number => new Client(served, `${kind}${number}`, request)),
  )
  const ready = async () => (await fetch(`${served.url}/readyz`)).status
  const outages: { readonly begin: number; readonly end: number }[] = []
  for (const mode of modes) {
    const seen = clients.map(client => client.acknowledged.size)
    const progress = () => clients.every((client, n) => client.acknowledged.size > (seen[n] ?? 0) + 10)
    await expect.poll(progress, { interval: 20 }).toBe(true)
    const begin = Date.now()
    await postgres.restart(mode)
    await expect.poll(ready, { interval: 20 }).toBe(200)
    outages.push({ begin, end: Date.now() })
  }
  const seen = clients.map(client => client.acknowledged.size)
  const progress = () => clients.every((client, n) => client.acknowledged.size > (seen[n] ?? 0) + 10)
  await expect.poll(progress, { interval: 20 }).toBe(true)
  await Promise.all(clients.map(client => client.stop()))

  const requests = clients.flatMap(client => client.requests)
  const failed = requests.filter(({ status }) => status >= 300)
  if (process.env.SIGNOFF_TEST_RESTARTS) report(requests, outages)
  // Each failure is a 503 that says when to come again.
  expect(failed.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([])
  expect(failed.length).toBeGreaterThan(0)
  // A request that was sent before a restart, or after the service was ready again, succeeds.
  const isDuring = ({ sentAt, answeredAt }: Request) =>
    outages.some(({ begin, end }) => answeredAt >= begin && sentAt <= end)
  expect(failed.filter(request => !isDuring(request))).toEqual([])

  const acknowledged = (kind: string) =>
    clients.flatMap(client => [...client.acknowledged].filter(name => name.startsWith(kind)))
  const stored = new Set(await rowsOf(postgres.connection, 'select address from emails'))
  expect(acknowledged('write').filter(name => !stored.has(`${name}@example.com`))).toEqual([])
  const recorded = `select properties ->> 'n' from (select name, properties from events union all select name, properties from event_tail) e where name = 'Sold'`
  const events = await rowsOf(postgres.connection, recorded)
  expect(new Set(events).size).toBe(events.length)
  expect(acknowledged('record').filter(name => !events.includes(name))).toEqual([])
  // The worker came back: it sends every event, and finishes every job that is due.
  const sent = () => new Set(receiver.events.map(({ data }) => data.email))
  await expect
    .poll(() => acknowledged('write').filter(name => !sent().has(`${name}@example.com`)))
    .toEqual([])
  const due = `select task_identifier from graphile_worker.jobs where locked_at is not null or run_at <= now()`
  await expect.poll(() => rowsOf(postgres.connection, due)).toEqual([])
  await expect.poll(() => rowsOf(postgres.connection, `select id from event_tail`)).toEqual([])

  expect(await stop(served)).toBe(0)
  expect(await stop(worker)).toBe(0)
  await pooler?.stop()
  await postgres.stop()
}, 900_000)

function report(requests: readonly Request[], outages: readonly { begin: number; end: number }[]): void {
  const failed = requests.filter(({ status }) => status >= 300)
  const slowest = Math.max(...requests.map(({ sentAt, answeredAt }) => answeredAt - sentAt))
  const lines = outages.map(({ begin, end }, n) => {
    const until = outages[n + 1]?.begin ?? Number.POSITIVE_INFINITY
    const times = failed.map(({ answeredAt }) => answeredAt).filter(at => at >= begin && at < until)
    const last = Math.max(begin, ...times) - begin
    return `  ${modes[n]}: ready after ${end - begin} ms, ${times.length} failed, the last after ${last} ms`
  })
  const codes = Object.entries(Object.groupBy(failed, ({ status }) => status)).map(
    ([status, list]) => `${list?.length} × ${status}`,
  )
  process.stderr.write(
    `${requests.length} requests, ${failed.length} failed (${codes}), the slowest took ${slowest} ms\n${lines.join('\n')}\n`,
  )
}
