// Events while the service is killed: every living webhook gets each of them at least once, with a valid signature.
// SIGNOFF_TEST_EVENTS=10000 npx vitest run webhooks-crash sends forty times as many.
// @module-tag deep
import { beforeAll, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from './support/app.ts'
import { type EventReceiver, startEventReceiver } from './support/outside/event-receiver.ts'
import { urlOf } from './support/postgres/postgres.ts'
import { type Run, run, stop } from './support/processes/process.ts'

const count = Number(process.env.SIGNOFF_TEST_EVENTS ?? 250)
const env = {
  SIGNOFF_PRIVATE_TARGETS: '127.0.0.1',
  SIGNOFF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
}

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env })
})

async function subscribe(receiver: EventReceiver, key = app.key): Promise<string> {
  const webhook = { url: receiver.url, events: ['teammate.created'] }
  const { body } = await app.post('/v1/webhooks', { webhook }, { key })
  receiver.secrets.push(body.data.secret)
  return `/v1/webhooks/${body.data.id}`
}

const startService = (): Run =>
  run(['work'], {
    env: { ...env, DATABASE_URL: urlOf(app.connection), SIGNOFF_DATA_DIR: app.config.dataDir },
  })

async function kill({ child, ended }: Run): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

const idsAt = (receiver: EventReceiver): Set<string> =>
  new Set(receiver.events.map(event => event.data.email))

/** Time passes: every retry to this webhook is due now. */
const passTime = (path: string) =>
  app.db.query(sql`
    with due as (update webhook_deliveries set due_at = now() where due_at > now() and webhook_id = ${path.split('/').at(-1)})
    select pg_notify('signoff_webhooks', '')`)

async function createPeople(from: number, to: number, key = app.key): Promise<void> {
  for (let first = from; first < to; first += 250) {
    const teammates = Array.from({ length: Math.min(250, to - first) }, (_, n) => ({
      email: `p${first + n}@example.com`,
    }))
    // On a busy machine a request can be answered 503; repeating it creates no teammate twice.
    await expect
      .poll(async () => (await app.post('/v1/teammates/import', { teammates }, { key })).status)
      .toBe(200)
  }
}

it(`${count} events arrive at every living webhook while the service is killed twice`, async () => {
  const receivers = await Promise.all(Array.from({ length: 7 }, startEventReceiver))
  const [healthy, flaky, hanging, gone, redirecting, deleted, foreign] = receivers as [
    EventReceiver,
    EventReceiver,
    EventReceiver,
    EventReceiver,
    EventReceiver,
    EventReceiver,
    EventReceiver,
  ]
  const accepted = new Set<string>()
  flaky.answer = event => {
    if (Math.random() < 0.2) return 500
    accepted.add(event.data.email)
    return 200
  }
  hanging.answer = () => new Promise(() => undefined)
  gone.answer = () => 410
  redirecting.answer = () => ({ status: 307, headers: { location: healthy.url } })
  for (const receiver of [healthy, hanging, redirecting]) await subscribe(receiver)
  const flakyPath = await subscribe(flaky)
  const gonePath = await subscribe(gone)
  const deletedPath = await subscribe(deleted)
  await subscribe(foreign, app.other.key)

  await createPeople(0, count / 2)
  let service = startService()
  await expect
    .poll(() => healthy.events.length, { interval: 20, timeout: 600_000 })
    .toBeGreaterThan(count / 10)
  await kill(service)
  service = startService()
  await createPeople(count / 2, count)
  await expect.poll(() => idsAt(healthy).size, { interval: 20, timeout: 600_000 }).toBeGreaterThan(count / 2)
  await kill(service)
  // No process runs: the webhook is deleted while it still has events to get.
  expect((await app.del(deletedPath)).status).toBe(204)
  const before = deleted.events.length
  service = startService()
  await createPeople(count, count + 1)

  const total = count + 1
  await expect.poll(() => idsAt(healthy).size, { interval: 100, timeout: 600_000 }).toBe(total)
  await expect
    .poll(
      async () => {
        await passTime(flakyPath)
        return accepted.size
      },
      { timeout: 600_000, interval: 500 },
    )
    .toBe(total)
  await createPeople(0, 1, app.other.key)
  await expect.poll(() => foreign.events.length).toBe(1)
  await stop(service)

  expect(foreign.events[0]?.data.email).toBe('p0@example.com')
  expect(deleted.events).toHaveLength(before)
  expect((await app.get(gonePath)).body.data).toMatchObject({ active: false, disabled_reason: 'gone' })
  expect(redirecting.events.length).toBeGreaterThan(0)
  for (const receiver of receivers) expect(receiver.forged).toEqual([])
  // The same message has the same id and the same bytes, however often it came.
  for (const receiver of [healthy, flaky])
    expect(new Set(receiver.events.map(event => `${event.id} ${event.body}`)).size).toBe(total)
  const repeated = healthy.events.length - total
  // At most the requests under way at each kill are repeated.
  expect(repeated).toBeLessThanOrEqual(2 * 8 * 2)
}, 1_200_000)
