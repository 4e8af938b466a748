// PostgreSQL is restarted under load: the processes of the service recover by themselves, nothing acknowledged is lost,
// and requests meanwhile get 503 with Retry-After.
// SIGNOFF_TEST_RESTARTS=10 npx vitest run restarts restarts it ten times;
// SIGNOFF_TEST_RESTART_POOLER=1 does it behind PgBouncer.
// @module-tag deep
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { command } from './support/command.ts'
import { type StandInHop, standInHop } from './support/mail/next-hop.ts'
import { mailOf } from './support/mail/relay.ts'
import { SmtpSender } from './support/mail/smtp-sender.ts'
import { type EventReceiver, startEventReceiver } from './support/outside/event-receiver.ts'
import { type OwnPostgres, startOwnPostgres } from './support/postgres/own-postgres.ts'
import { LoadClient, type LoadRequest, type SentRequest } from './support/processes/load-client.ts'
import {
  durableFolder,
  emptyFolder,
  queryStopped,
  run,
  type Served,
  serve,
  stop,
  stopPostgres,
  work,
} from './support/processes/process.ts'

const restarts = Number(process.env.SIGNOFF_TEST_RESTARTS ?? 1)
const isPooled = process.env.SIGNOFF_TEST_RESTART_POOLER === '1'
/** The last one is a crash, from which PostgreSQL recovers. */
const modes = [...Array<'fast'>(restarts).fill('fast'), 'immediate'] as const

const requests = {
  write: name => ['/v1/teammates', { teammate: { email: `${name}@example.com` } }],
  read: () => ['/v1/teammates?limit=5'],
  record: name => ['/v1/analytics/events', { event: { name: 'Sold', event_id: name, properties: { name } } }],
} satisfies Record<string, LoadRequest>

async function startPooler({ connection }: OwnPostgres) {
  const { startPgbouncer } = await import('./support/postgres/pgbouncer.ts')
  return startPgbouncer(connection, { default_pool_size: 10 })
}

async function subscribe(served: Served): Promise<EventReceiver> {
  const receiver = await startEventReceiver()
  const answer = await fetch(`${served.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook: { url: receiver.url, events: ['teammate.created'] } }),
  })
  receiver.secrets.push(((await answer.json()) as { data: { secret: string } }).data.secret)
  return receiver
}

/** Sends mails through a relay process, one after the other. */
async function startRelay(env: Record<string, string>, hop: StandInHop) {
  const args = ['--next-hop', hop.url, '--client', '127.0.0.1', '--domain', 'example.com']
  const added = await command(['integrations', 'add', 'relay', ...args], env)
  expect(added.out).toContain('Connected as')
  const started = run(['relay'], { env: { ...env, SIGNOFF_RELAY_PORT: '0' } })
  const line = /on port (\d+)/
  await expect.poll(() => line.test(started.out()), { interval: 20 }).toBe(true)
  const port = Number(line.exec(started.out())?.[1])
  const replies: string[] = []
  let isStopped = false
  const sending = (async () => {
    while (!isStopped) {
      const sender = await SmtpSender.connect(port)
      await sender.say('EHLO sender.test')
      const mail = mailOf('ada@example.com', 'bob@other.test')
      replies.push((await sender.send('ada@example.com', ['bob@other.test'], mail)).at(-1) ?? '')
      sender.quit()
      await sleep(50) // leaves the machine time for the other processes
    }
  })()
  return {
    replies,
    async stop() {
      isStopped = true
      await sending
      return stop(started)
    },
  }
}

async function valuesOf(connection: pg.ClientConfig, text: string): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' }).finally(() => client.end())
  return rows.map(row => String(row[0]))
}

it(`the embedded PostgreSQL is killed (${restarts}), starts again, and nothing acknowledged is lost`, async () => {
  const dataDir = await durableFolder()
  const served = await serve({ env: { SIGNOFF_DATA_DIR: dataDir, SIGNOFF_DASHBOARD: 'off' } })
  const clients = Object.entries(requests).flatMap(([kind, request]) =>
    [1, 2].map(number => new LoadClient(served, `${kind}${number}`, request)),
  )
  for (let n = 0; n < restarts; n++) {
    const before = clients.map(client => client.acknowledged.size)
    await expect
      .poll(() => clients.every((client, at) => client.acknowledged.size > (before[at] ?? 0) + 10))
      .toBe(true)
    await stopPostgres(dataDir, 'SIGKILL')
    // A write, because /readyz repeats its answer for a second.
    const written = clients[0]?.acknowledged.size ?? 0
    await expect.poll(() => clients[0]?.acknowledged.size, { interval: 20 }).toBeGreaterThan(written + 1)
  }
  await expect.poll(async () => (await fetch(`${served.url}/readyz`)).status).toBe(200)
  await Promise.all(clients.map(client => client.stop()))
  const sent = clients.flatMap(client => client.requests)
  const failed = sent.filter(({ status }) => status >= 300)
  expect(failed.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([])
  expect(await stop(served)).toBe(0)
  const acknowledged = (kind: keyof typeof requests) =>
    clients.flatMap(client => [...client.acknowledged].filter(name => name.startsWith(kind)))
  const addresses = (await queryStopped<{ address: string }>(dataDir, 'select address from emails')).map(
    ({ address }) => address,
  )
  expect(acknowledged('write').filter(name => !addresses.includes(`${name}@example.com`))).toEqual([])
  const events = (
    await queryStopped<{ name: string }>(
      dataDir,
      `select properties ->> 'name' as name from (table events union all table event_tail) e where name = 'Sold'`,
    )
  ).map(({ name }) => name)
  expect(acknowledged('record').filter(name => !events.includes(name))).toEqual([])
}, 900_000)

it(`PostgreSQL is restarted (${restarts}), crashes once, and nothing acknowledged is lost`, async () => {
  const postgres = await startOwnPostgres(await durableFolder())
  const stored = (text: string) => valuesOf(postgres.connection, text)
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
  const hop = await standInHop()
  const [worker, relay] = await Promise.all([work({ env }), startRelay(env, hop)])
  const receiver = await subscribe(served)

  const clients = Object.entries(requests).flatMap(([kind, request]) =>
    [1, 2].map(number => new LoadClient(served, `${kind}${number}`, request)),
  )
  const outages: { readonly begin: number; readonly end: number }[] = []
  const untilServed = async () => {
    const before = clients.map(client => client.acknowledged.size)
    const isServed = () => clients.every((client, n) => client.acknowledged.size > (before[n] ?? 0) + 10)
    // /readyz repeats its answer for a second. The next restart must not be judged by an answer from before it.
    const isReadyOver = () => Date.now() > (outages.at(-1)?.end ?? 0) + 1_000
    await expect.poll(() => isServed() && isReadyOver(), { interval: 20 }).toBe(true)
  }
  const ready = async () => (await fetch(`${served.url}/readyz`)).status
  for (const name of modes) {
    await untilServed()
    const begin = Date.now()
    await postgres.restart(name)
    await expect.poll(ready, { interval: 20 }).toBe(200)
    outages.push({ begin, end: Date.now() })
  }
  await untilServed()
  await Promise.all(clients.map(client => client.stop()))

  const sent = clients.flatMap(client => client.requests)
  const failed = sent.filter(({ status }) => status >= 300)
  // Each failure is a 503 that says when to come again.
  expect(failed.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([])
  expect(failed.length).toBeGreaterThan(0)
  // A request that was answered before a restart, or sent after the service was ready again, succeeds.
  const isDuring = ({ sentAt, answeredAt }: SentRequest) =>
    outages.some(({ begin, end }) => answeredAt >= begin && sentAt <= end)
  expect(failed.filter(request => !isDuring(request))).toEqual([])

  const acknowledged = (kind: keyof typeof requests) =>
    clients.flatMap(client => [...client.acknowledged].filter(name => name.startsWith(kind)))
  const written = acknowledged('write').map(name => `${name}@example.com`)
  const addresses = new Set(await stored('select address from emails'))
  expect(written.filter(address => !addresses.has(address))).toEqual([])
  const events = await stored(`
    select properties ->> 'name' from (table events union all table event_tail) e where name = 'Sold'`)
  expect(new Set(events).size).toBe(events.length)
  expect(acknowledged('record').filter(name => !events.includes(name))).toEqual([])

  // The worker came back: it sends every event, and ends every job that is due.
  const received = () => new Set(receiver.events.map(({ data }) => data.email))
  const missing = () => {
    const arrived = received()
    return written.filter(address => !arrived.has(address))
  }
  await expect.poll(missing).toEqual([])
  const due = `
    select concat_ws(', ', task_identifier, 'attempt ' || attempts, 'locked by ' || locked_by || ' at ' || locked_at, last_error)
    from graphile_worker.jobs where locked_at is not null or run_at <= now()`
  await expect.poll(() => stored(due)).toEqual([])
  await expect.poll(() => stored('select id from event_tail')).toEqual([])

  // Mail is not held up meanwhile, and the relay writes down messages again.
  const noted = (await stored('select id from relay_messages')).length
  await expect.poll(async () => (await stored('select id from relay_messages')).length).toBeGreaterThan(noted)
  expect(await relay.stop()).toBe(0)
  expect(relay.replies.filter(reply => !reply.startsWith('250'))).toEqual([])
  expect(hop.messages).toHaveLength(relay.replies.length)

  expect(await stop(served)).toBe(0)
  expect(await stop(worker)).toBe(0)
  await pooler?.stop()
  await postgres.stop()
}, 900_000)
