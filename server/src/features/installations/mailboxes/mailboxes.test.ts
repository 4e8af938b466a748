// One mailbox, several signatures, slow receivers, workers that lose their claim: in the end the
// mailbox holds the right signature.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertIntegration } from '#features/integrations/index.ts'
import { type Db, type Sql, sql } from '#kernel/db.ts'
import { enqueue, startWorker, type Worker } from '#kernel/jobs.ts'
import { createLog } from '#kernel/log.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from '#test/support/webhook.ts'
import { buildJobs } from '#worker.ts'
import type { Delivery, PushChannel } from '../channel.ts'
import { installationJobs } from '../jobs.ts'

let app: TestApp
let receiver: Receiver
let integration: string
const workers: Worker[] = []
const startJobs = async (db: Db = app.db, concurrency = 4) => {
  const jobs = buildJobs(app.parts, db)
  const worker = startWorker({ pool: app.db.pg, jobs, concurrency, log: createLog('silent') })
  workers.push(worker)
  return worker
}
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  receiver = await startReceiver(() => webhookSecret)
  integration = await connectReceiver(app, receiver)
  await startJobs()
})
afterAll(() => Promise.all(workers.map(worker => worker.stop(5_000))))
beforeEach(() => {
  receiver.answer = () => 200
  receiver.reply = {}
  receiver.delay = 0
})

const contentOf = (value: string) => ({ type: 'stack', children: [{ type: 'text', tokens: [{ value }] }] })
let peopleCount = 0
async function createTeammate() {
  peopleCount += 1
  const email = `mailbox${peopleCount}@example.com`
  const { body } = await app.post('/v1/teammates', { teammate: { email } })
  return { id: body.data.id as string, emailId: body.data.emails[0].id as string, email }
}
async function createSignature(words: string, priority: number, ...emailIds: string[]) {
  const { body } = await app.post('/v1/signatures', {
    signature: { name: words, draft_content: contentOf(words), priority },
  })
  const id: string = body.data.id
  if (emailIds.length > 0) await app.post(`/v1/signatures/${id}/emails`, { email_ids: emailIds })
  return id
}
const publish = (id: string) => app.post(`/v1/signatures/${id}/publish`)
const mailboxOf = (email: string) => receiver.mailboxes.get(email) ?? ''
const eventually = (check: () => unknown) => expect.poll(check, { interval: 30 })
type Row = {
  channel: string
  status: string
  error_code: string | null
  signature_template_id: string
  attempts: number
}
const rowsOf = async (emailId: string): Promise<Row[]> =>
  (await app.get(`/v1/installations?limit=100&email_id=${emailId}`)).body.data
/** The installations of a signature at an address, as `channel status`. */
const states = async (emailId: string, id: string) =>
  (await rowsOf(emailId))
    .filter(row => row.signature_template_id === id)
    .map(row => `${row.channel} ${row.status}`)
    .sort()
const allJobsDone = () =>
  eventually(async () => {
    const { rows } = await app.db.pg.query(
      "select count(*)::int as n from graphile_worker.jobs where task_identifier like 'installations.%' and run_at <= now()",
    )
    return rows[0].n
  }).toBe(0)

describe('a mailbox', () => {
  it('ends with the winning signature although another one arrives after the winner was published', async () => {
    const ada = await createTeammate()
    const low = await createSignature('Slow low', 900, ada.emailId)
    const high = await createSignature('Quick high', 10, ada.emailId)
    const gate = Promise.withResolvers<void>()
    const hasStarted = Promise.withResolvers<void>()
    receiver.delay = (_, html) => {
      if (!html.includes('Slow low')) return 0
      hasStarted.resolve()
      return gate.promise
    }
    await publish(low)
    await hasStarted.promise
    await publish(high)
    await eventually(async () => (await states(ada.emailId, high))[1]).toBe('webhook pending')
    gate.resolve()
    await eventually(() => mailboxOf(ada.email)).toContain('Quick high')
    await eventually(() => states(ada.emailId, high)).toEqual(['personal_page pending', 'webhook installed'])
    await eventually(() => states(ada.emailId, low)).toEqual([
      'personal_page uninstalled',
      'webhook uninstalled',
    ])
    await allJobsDone()
    expect(mailboxOf(ada.email)).toContain('Quick high')
    // The service knows that the first signature was overwritten, so it is delivered again.
    receiver.delay = 0
    await app.post(`/v1/signatures/${high}/deactivate`)
    await eventually(() => mailboxOf(ada.email)).toContain('Slow low')
    await eventually(async () => (await states(ada.emailId, low))[1]).toBe('webhook installed')
  })

  it('holds the right signature after a reconcile job has compared with outdated data', async () => {
    const ada = await createTeammate()
    const low = await createSignature('Old winner', 900, ada.emailId)
    const high = await createSignature('New winner', 10, ada.emailId)
    await publish(low)
    await eventually(() => mailboxOf(ada.email)).toContain('Old winner')
    await allJobsDone()

    let isHeld = true
    let reached = false
    const held = (db: Db): Db => ({
      async query(statement: Sql) {
        if (!reached && /(from|update|into) (installations|mailboxes)/.test(statement.text)) {
          reached = true
          while (isHeld) await sleep(20)
        }
        return db.query(statement) as never
      },
      transaction: (within, isolation) => db.transaction(tx => within(held(tx)), isolation),
    })
    const stale = buildJobs(app.parts, held(app.db)).find(job => job.name === 'installations.reconcile')
    const comparing = stale?.run({ workspace_id: app.id, teammate_ids: [ada.id] })
    await eventually(() => reached).toBe(true)
    await publish(high)
    // Another reconcile job, which reads the new signature, has begun.
    const begun = sql`
      select from graphile_worker.jobs where task_identifier = 'installations.reconcile' and locked_at is not null`
    await eventually(async () => (await app.db.query(begun)).length).toBeGreaterThan(0)
    isHeld = false
    await comparing
    await eventually(() => mailboxOf(ada.email)).toContain('New winner')
    await allJobsDone()
    await eventually(() => states(ada.emailId, high)).toEqual(['personal_page pending', 'webhook installed'])
    expect(await states(ada.emailId, low)).toEqual(['personal_page uninstalled', 'webhook uninstalled'])
  })

  it('is written again when its address or the primary address changes', async () => {
    const ada = await createTeammate()
    const { body } = await app.post('/v1/emails', {
      email: { teammate_id: ada.id, address: `alias-of-${ada.email}` },
    })
    const id = await createSignature('Moved', 20, ada.emailId, body.data.id)
    await publish(id)
    await eventually(() => mailboxOf(ada.email)).toContain('Moved')
    await eventually(() => mailboxOf(body.data.address)).toContain('Moved')
    await allJobsDone()
    const writes = receiver.writes.get(body.data.address)
    await app.patch(`/v1/emails/${ada.emailId}`, { email: { address: `moved-${ada.email}` } })
    await eventually(() => mailboxOf(`moved-${ada.email}`)).toContain('Moved')
    // The alias is written again, because the primary address is part of the delivery.
    await eventually(() => receiver.writes.get(body.data.address)).toBe((writes ?? 0) + 1)
  })

  it('is written again when it is not known whether the last delivery arrived', async () => {
    const ada = await createTeammate()
    const id = await createSignature('Sure', 20, ada.emailId)
    await publish(id)
    await eventually(() => mailboxOf(ada.email)).toContain('Sure')
    await allJobsDone()
    const writes = receiver.writes.get(ada.email) ?? 0
    receiver.answer = () => 503
    await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: contentOf('Unsure') } })
    await publish(id)
    await eventually(async () =>
      (await rowsOf(ada.emailId)).some(row => row.error_code === 'unreachable'),
    ).toBe(true)
    receiver.answer = () => 200
    await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: contentOf('Sure') } })
    await publish(id)
    await eventually(() => receiver.writes.get(ada.email)).toBe(writes + 1)
    expect(mailboxOf(ada.email)).toContain('Sure')
  })

  it('gets every message with a unique id', async () => {
    const ada = await createTeammate()
    const id = await createSignature('alpha', 20, ada.emailId)
    const saysNow = async (words: string) => {
      await eventually(() => mailboxOf(ada.email)).toContain(words)
      await allJobsDone()
    }
    await publish(id)
    await saysNow('alpha')
    await app.post(`/v1/emails/${ada.emailId}/install`, {})
    await eventually(() => receiver.writes.get(ada.email)).toBe(2)
    for (const words of ['beta', 'alpha']) {
      await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: contentOf(words) } })
      await publish(id)
      await saysNow(words)
    }
    const ids = receiver.ids.get(ada.email) ?? []
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(4)
  })
})

describe('a worker that loses its claim', () => {
  /** Delivers into `mailboxes`, after `delay`. */
  const channelTo = (
    mailboxes: Map<string, string>,
    delay: (delivery: Delivery) => Promise<void>,
    log: string[],
  ): PushChannel => ({
    name: 'webhook',
    atOnce: 2,
    async deliver(delivery) {
      log.push(delivery.text)
      await delay(delivery)
      mailboxes.set(delivery.address, delivery.text)
      return { ok: true }
    },
  })

  it('begins no further delivery, and its last deliveries are written again', async () => {
    const slowApp = await testApp()
    const integrationId = await insertIntegration(slowApp.db, slowApp.by, {
      kind: 'webhook',
      name: 'Slow',
      dashboardUrl: null,
      drivesTeammates: false,
    })
    const connection = {
      workspaceId: slowApp.id,
      channel: 'webhook',
      mode: 'push' as const,
      integrationId,
      settings: {},
      secret: 'x',
    } as const
    const emailIds: string[] = []
    for (const name of ['p', 'q', 'r', 's']) {
      const { body } = await slowApp.post('/v1/teammates', { teammate: { email: `${name}@example.com` } })
      emailIds.push(body.data.emails[0].id)
    }
    const created = await slowApp.post('/v1/signatures', {
      signature: { name: 'All', draft_content: contentOf('v1') },
    })
    const path = `/v1/signatures/${created.body.data.id}`
    await slowApp.post(`${path}/emails`, { email_ids: emailIds })
    const publishes = async (words: string) => {
      await slowApp.patch(path, { signature: { draft_content: contentOf(words) } })
      await slowApp.post(`${path}/publish`)
    }
    const mailboxes = new Map<string, string>()
    const log: string[] = []
    const jobsOf = (
      delay: (delivery: Delivery) => Promise<void>,
      claimMilliseconds: number,
      words: string[],
    ) => {
      const jobs = installationJobs({
        db: slowApp.db,
        rendering: { publicUrl: slowApp.config.publicUrl, tracking: null },
        channels: new Map([['webhook', channelTo(mailboxes, delay, words)]]),
        connectionsOf: async () => [connection],
        onHalt: async () => undefined,
        allConnections: async () => [],
        pace: { claimMilliseconds, beginMilliseconds: 400 },
      })
      const run = (name: string, payload: object) => jobs.find(job => job.name === name)?.run(payload)
      return {
        compare: () => run('installations.reconcile', { workspace_id: slowApp.id }),
        deliver: () =>
          run('installations.deliver', {
            workspace_id: slowApp.id,
            channel: 'webhook',
            mode: 'push' as const,
            integration_id: integrationId,
            slot: 0,
          }),
      }
    }
    const held = Promise.withResolvers<void>()
    const bothBegun = Promise.withResolvers<void>()
    const hold = async ({ text }: Delivery) => {
      if (log.length === 2) bothBegun.resolve()
      if (text.includes('v1')) await held.promise
    }
    const slow = jobsOf(hold, 600, log)
    const quick = jobsOf(async () => undefined, 60_000, [])
    await publishes('v1')
    await slow.compare()
    const losing = slow.deliver()
    await Promise.race([losing, bothBegun.promise])
    await publishes('v2')
    await quick.compare()
    const texts = () => emailIds.map((_, n) => mailboxes.get(`${'pqrs'[n]}@example.com`))
    await eventually(async () => {
      await quick.deliver()
      return texts().every(text => text?.includes('v2'))
    }).toBe(true)
    held.resolve()
    await losing
    // At most the two deliveries that had begun (fewer when rendering was too slow to begin), never the other two.
    expect(log.filter(text => text.includes('v1')).length).toBeLessThanOrEqual(2)
    await quick.deliver()
    expect(texts().every(text => text?.includes('v2'))).toBe(true)
    const { body } = await slowApp.get('/v1/installations?limit=100')
    expect(body.data.map((row: Row) => row.status)).toEqual(emailIds.map(() => 'installed'))
  })
})

describe('a copy from the personal page', () => {
  it('does not change the pushed installation', async () => {
    const ada = await createTeammate()
    const id = await createSignature('Both ways', 20, ada.emailId)
    await publish(id)
    await eventually(() => states(ada.emailId, id)).toEqual(['personal_page pending', 'webhook installed'])
    const { url } = (await app.get(`/v1/emails/${ada.emailId}/personal_page`)).body.data
    const copied = await app.post(`${new URL(url).pathname}/copied`, undefined, { key: null })
    expect(copied.body.data).toEqual({ state: 'current' })
    expect(await states(ada.emailId, id)).toEqual(['personal_page installed', 'webhook installed'])
  })
})

describe('refusals', () => {
  it('of one address do not stop the deliveries to the others', async () => {
    const [bad, ...good] = await Promise.all([createTeammate(), createTeammate(), createTeammate()])
    receiver.answer = address => (address === bad?.email ? 403 : 200)
    const id = await createSignature(
      'One refused',
      20,
      ...[bad, ...good].map(recipient => recipient?.emailId ?? ''),
    )
    await publish(id)
    for (const recipient of good) await eventually(() => mailboxOf(recipient.email)).toContain('One refused')
    await eventually(() => states(bad?.emailId ?? '', id)).toEqual([
      'personal_page pending',
      'webhook failed',
    ])
    const [row] = (await rowsOf(bad?.emailId ?? '')).filter(recipient => recipient.channel === 'webhook')
    expect(row).toMatchObject({ error_code: 'forbidden', error_message: 'The address answered 403.' })
    expect((await app.get(`/v1/integrations/${integration}`)).body.data.status).toBe('active')
  })

  it('of all addresses set the integration to error until a delivery arrives', async () => {
    const people = await Promise.all([createTeammate(), createTeammate(), createTeammate()])
    receiver.answer = () => 401
    const id = await createSignature('All refused', 20, ...people.map(recipient => recipient.emailId))
    await publish(id)
    const state = async () => (await app.get(`/v1/integrations/${integration}`)).body.data
    await eventually(async () => (await state()).status).toBe('error')
    await allJobsDone()
    const since = (await state()).error_since
    expect(since).not.toBeNull()
    // A deliver job that finds no due mailbox does not change the status.
    await app.db.query(sql`update mailboxes set due_at = now() + interval '1 hour' where due_at is not null`)
    const payload = { workspace_id: app.id, channel: 'webhook', integration_id: integration, slot: 3 }
    await app.db.query(enqueue('installations.deliver', payload))
    await allJobsDone()
    expect((await state()).error_since).toBe(since)
    receiver.answer = () => 200
    await app.post(`/v1/signatures/${id}/install`)
    await eventually(async () => (await state()).status).toBe('active')
    for (const recipient of people)
      await eventually(() => mailboxOf(recipient.email)).toContain('All refused')
  })

  it('of a whole batch halt the channel, and no mailbox fails', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, createTeammate))
    await allJobsDone()
    receiver.answer = () => 403
    const id = await createSignature('All forbidden', 20, ...people.map(recipient => recipient.emailId))
    await publish(id)
    const state = async () => (await app.get(`/v1/integrations/${integration}`)).body.data
    await eventually(async () => (await state()).error_message).toBe('The address answered 403.')
    await allJobsDone()
    for (const recipient of people) expect((await states(recipient.emailId, id))[1]).toBe('webhook pending')
    // The first delivery that arrives shows that the refusals concern single mailboxes.
    receiver.answer = address => (address === people[0]?.email ? 403 : 200)
    await app.post(`/v1/signatures/${id}/install`)
    await eventually(async () => (await state()).status).toBe('active')
    await eventually(async () => (await states(people[0]?.emailId ?? '', id))[1]).toBe('webhook failed')
    for (const recipient of people.slice(1)) expect(mailboxOf(recipient.email)).toContain('All forbidden')
  })

  it('do not include an answer with a long body', async () => {
    const ada = await createTeammate()
    receiver.reply = { body: 'x'.repeat(200_000) }
    const id = await createSignature('Talkative', 20, ada.emailId)
    await publish(id)
    await eventually(async () => (await states(ada.emailId, id))[1]).toBe('webhook installed')
  })

  it('delay the retry as the Retry-After header says', async () => {
    const ada = await createTeammate()
    receiver.answer = () => 503
    receiver.reply = { headers: { 'retry-after': '2' } }
    const id = await createSignature('Patience', 20, ada.emailId)
    await publish(id)
    await eventually(async () => (await rowsOf(ada.emailId)).some(row => row.attempts === 1)).toBe(true)
    const [row] = (await rowsOf(ada.emailId)).filter(recipient => recipient.channel === 'webhook')
    expect(row).toMatchObject({ status: 'pending', error_code: 'unreachable' })
    const [mailbox] = await app.db.query<{ seconds: number }>(sql`
      select extract(epoch from due_at - now())::float as seconds from mailboxes
      where workspace_id = ${app.id} and email_id = ${ada.emailId}`)
    expect(mailbox?.seconds).toBeLessThan(2.1) // without the header, the back-off is 2.5 to 7.5 s
    receiver.answer = () => 200
    await eventually(() => mailboxOf(ada.email)).toContain('Patience')
  })
})
